// What a Spark user would do without kproto: Kafka's own deserializer, as a Java UDF and as a
// function of a DSv2 catalog. Both give (topics, user_data, owned_partitions, generation_id,
// rack_id).
package bench;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.unsafe.types.UTF8String;

public final class KafkaDecode implements UDF1<byte[], Row> {
    static final StructType OWNED = new StructType()
        .add("topic", DataTypes.StringType, false)
        .add("partitions", DataTypes.createArrayType(DataTypes.IntegerType, false), false);
    public static final StructType TYPE = new StructType()
        .add("topics", DataTypes.createArrayType(DataTypes.StringType, false), false)
        .add("user_data", DataTypes.BinaryType, true)
        .add("owned_partitions", DataTypes.createArrayType(OWNED, false), false)
        .add("generation_id", DataTypes.IntegerType, false)
        .add("rack_id", DataTypes.StringType, true);

    static Map<String, List<Integer>> byTopic(Subscription read) {
        Map<String, List<Integer>> owned = new HashMap<>();
        for (TopicPartition each : read.ownedPartitions()) {
            owned.computeIfAbsent(each.topic(), name -> new ArrayList<>()).add(each.partition());
        }
        return owned;
    }

    static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    @Override
    public Row call(byte[] data) {
        Subscription read = ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(data));
        List<Row> owned = new ArrayList<>();
        byTopic(read).forEach((topic, partitions) ->
            owned.add(RowFactory.create(topic, partitions.toArray(new Integer[0]))));
        return RowFactory.create(
            read.topics().toArray(new String[0]), bytes(read.userData()), owned.toArray(new Row[0]),
            read.generationId().orElse(-1), read.rackId().orElse(null));
    }

    public static final class Catalog implements FunctionCatalog {
        private String name;

        @Override
        public void initialize(String given, CaseInsensitiveStringMap options) {
            name = given;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Identifier[] listFunctions(String[] namespace) {
            return new Identifier[] {Identifier.of(namespace, "decode")};
        }

        @Override
        public UnboundFunction loadFunction(Identifier identifier) {
            return new Decode();
        }
    }

    public static final class Decode implements UnboundFunction, ScalarFunction<InternalRow> {
        @Override
        public BoundFunction bind(StructType input) {
            return this;
        }

        @Override
        public String description() {
            return name();
        }

        @Override
        public String name() {
            return "decode";
        }

        @Override
        public DataType[] inputTypes() {
            return new DataType[] {DataTypes.BinaryType};
        }

        @Override
        public DataType resultType() {
            return TYPE;
        }

        @Override
        public InternalRow produceResult(InternalRow input) {
            return invoke(input.getBinary(0));
        }

        public InternalRow invoke(byte[] data) {
            Subscription read = ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(data));
            Object[] topics = new Object[read.topics().size()];
            for (int i = 0; i < topics.length; i++) {
                topics[i] = UTF8String.fromString(read.topics().get(i));
            }
            List<Object> owned = new ArrayList<>();
            byTopic(read).forEach((topic, partitions) ->
                owned.add(new GenericInternalRow(new Object[] {
                    UTF8String.fromString(topic), new GenericArrayData(partitions.toArray())})));
            return new GenericInternalRow(new Object[] {
                new GenericArrayData(topics), bytes(read.userData()),
                new GenericArrayData(owned.toArray()), read.generationId().orElse(-1),
                read.rackId().map(UTF8String::fromString).orElse(null)});
        }
    }
}
