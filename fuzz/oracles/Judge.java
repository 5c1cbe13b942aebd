import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerProtocolAssignment;
import org.apache.kafka.common.message.ConsumerProtocolSubscription;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.BaseRecords;

/**
 * Asks Apache Kafka's own classes about batches of bytes.
 *
 * <p>A crossing from Python into Java costs more than judging one message, so every method takes a
 * whole batch as one array with the end of each input, and answers with one {@link Sheet} of
 * arrays. Kafka decides; this class only carries questions in and answers out.
 */
public final class Judge {
    /** Kafka threw an exception: its way to say no. */
    public static final byte REFUSED = 0;

    public static final byte ACCEPTED = 1;

    /** Out of memory, out of stack, or two answers that contradict each other: not a verdict. */
    public static final byte FAILED = 2;

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<Class<?>, Consumer<ByteBuffer>> ENTRY_POINTS = Map.of(
            ConsumerProtocolSubscription.class, ConsumerProtocol::deserializeSubscription,
            ConsumerProtocolAssignment.class, ConsumerProtocol::deserializeAssignment);

    private static final Map<String, Supplier<ConsumerPartitionAssignor>> ASSIGNORS = Map.of(
            "range", RangeAssignor::new,
            "roundrobin", RoundRobinAssignor::new,
            "sticky", StickyAssignor::new,
            "cooperative-sticky", CooperativeStickyAssignor::new);

    private Judge() {}

    /** Three numbers a class: lowest version, highest version, and 1 if it holds records. */
    public static int[] describe(String[] classNames) {
        int[] facts = new int[3 * classNames.length];
        int next = 0;
        for (String className : classNames) {
            MessageClass type = MessageClass.named(className);
            facts[next++] = type.lowest;
            facts[next++] = type.highest;
            facts[next++] = holdsRecords(type.type) ? 1 : 0;
        }
        return facts;
    }

    private static boolean holdsRecords(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (BaseRecords.class.isAssignableFrom(field.getType())) {
                return true;
            }
        }
        return Arrays.stream(type.getDeclaredClasses()).anyMatch(Judge::holdsRecords);
    }

    /** Reads bodies, without anything in front, as one version of a message. */
    public static Sheet read(
            String className, short version, byte[] bodies, int[] ends, boolean withJson) {
        MessageClass type = MessageClass.named(className);
        return judge(bodies, ends, body -> {
            Message message = type.read(body, version);
            byte[] json = withJson ? type.toJson(message, version) : null;
            return reading(version, json,
                    () -> MessageUtil.toByteBufferAccessor(message, version).buffer());
        });
    }

    /**
     * Reads subscriptions or assignments, version in front, as the members of a group do.
     *
     * <p>The verdict is that of the public entry point. What that returns is a view (no empty
     * rack, no negative generation), so the value is that of the generated class, which holds what
     * the bytes say.
     */
    public static Sheet deserialize(
            String className, byte[] payloads, int[] ends, boolean withJson) {
        MessageClass type = MessageClass.named(className);
        Consumer<ByteBuffer> entryPoint = ENTRY_POINTS.get(type.type);
        return judge(payloads, ends, payload -> {
            entryPoint.accept(payload.duplicate());
            short version = (short) Math.min(payload.getShort(), type.highest);
            Message message = accepted(type, payload, version);
            byte[] json = withJson ? type.toJson(message, version) : null;
            return reading(version, json,
                    () -> MessageUtil.toVersionPrefixedByteBuffer(version, message));
        });
    }

    private static Message accepted(MessageClass type, ByteBuffer payload, short version)
            throws Throwable {
        try {
            return type.read(payload, version);
        } catch (RuntimeException e) {
            throw new AssertionError("ConsumerProtocol accepts what its message refuses", e);
        }
    }

    /** Writes bodies from Kafka's JSON form, one text an input. */
    public static Sheet write(String className, short version, byte[] texts, int[] ends) {
        MessageClass type = MessageClass.named(className);
        return judge(texts, ends, text -> {
            Message message = type.fromJson(parse(text), version);
            ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
            return new Answer(version, null, body, null);
        });
    }

    // Assignors

    /**
     * Lets assignors divide the topics of groups: {assignor, topics, racks, members} in, {member:
     * [[topic, partition], ...]} out, both as JSON.
     */
    public static Sheet assign(byte[] groups, int[] ends) {
        return judge(groups, ends, text -> {
            JsonNode group = parse(text);
            Map<String, Assignment> assigned = ASSIGNORS.get(group.get("assignor").textValue())
                    .get()
                    .assign(cluster(group.get("topics"), group.get("racks")),
                            new GroupSubscription(subscriptions(group.get("members"))))
                    .groupAssignment();
            return new Answer((short) -1, JSON.writeValueAsBytes(toJson(assigned)), null, null);
        });
    }

    /** Built anew for each call: the sticky assignor uses up the buffer of the user data. */
    private static Map<String, Subscription> subscriptions(JsonNode members) throws IOException {
        Map<String, Subscription> subscriptions = new LinkedHashMap<>();
        for (JsonNode member : members) {
            Subscription subscription = ConsumerProtocol.deserializeSubscription(
                    ByteBuffer.wrap(member.get("subscription").binaryValue()));
            subscription.setGroupInstanceId(
                    Optional.ofNullable(member.get("group_instance_id").textValue()));
            subscriptions.put(member.get("member_id").textValue(), subscription);
        }
        return subscriptions;
    }

    private static Cluster cluster(JsonNode topics, JsonNode racks) {
        Map<String, Node> brokers = new LinkedHashMap<>();
        List<PartitionInfo> partitions = new ArrayList<>();
        for (Map.Entry<String, JsonNode> topic : topics.properties()) {
            for (int partition = 0; partition < topic.getValue().intValue(); partition++) {
                JsonNode replicas = racks.path(topic.getKey()).path(partition);
                Node[] nodes = new Node[replicas.size()];
                for (int i = 0; i < nodes.length; i++) {
                    nodes[i] = brokers.computeIfAbsent(replicas.get(i).textValue(),
                            rack -> new Node(brokers.size(), "broker", 9092, rack));
                }
                partitions.add(new PartitionInfo(topic.getKey(), partition, null, nodes, nodes));
            }
        }
        return new Cluster("cluster", brokers.values(), partitions, Set.of(), Set.of());
    }

    private static ObjectNode toJson(Map<String, Assignment> assigned) {
        ObjectNode members = JSON.createObjectNode();
        assigned.forEach((member, assignment) -> {
            ArrayNode partitions = members.putArray(member);
            for (TopicPartition partition : assignment.partitions()) {
                partitions.addArray().add(partition.topic()).add(partition.partition());
            }
        });
        return members;
    }

    // Batches

    private interface Question {
        Answer ask(ByteBuffer input) throws Throwable;
    }

    private record Answer(short version, byte[] json, ByteBuffer bytes, String error) {}

    /** What has been read stands, even if Java cannot write it again; then the error says why. */
    private static Answer reading(short version, byte[] json, Supplier<ByteBuffer> again) {
        try {
            return new Answer(version, json, again.get(), null);
        } catch (RuntimeException e) {
            return new Answer(version, json, null, text(e));
        }
    }

    private static Sheet judge(byte[] inputs, int[] ends, Question question) {
        Sheet sheet = new Sheet(ends.length);
        int start = 0;
        for (int end : ends) {
            // A slice, so that nothing can be read before or behind the input itself.
            ByteBuffer input = ByteBuffer.wrap(inputs, start, end - start).slice();
            start = end;
            try {
                Answer answer = question.ask(input);
                sheet.add(ACCEPTED, input.position(), answer);
            } catch (Exception e) {
                sheet.add(REFUSED, input.position(), new Answer((short) -1, null, null, text(e)));
            } catch (Throwable e) {
                sheet.add(FAILED, input.position(), new Answer((short) -1, null, null, text(e)));
            }
        }
        return sheet;
    }

    private static String text(Throwable e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    private static JsonNode parse(ByteBuffer text) throws IOException {
        byte[] bytes = new byte[text.remaining()];
        text.get(bytes);
        return JSON.readTree(bytes);
    }

    /** The answers to a batch, a row an input; Python takes each array in one go. */
    public static final class Sheet {
        public final byte[] verdicts;

        /** The version an input was read or written as; -1 where there is none. */
        public final short[] versions;

        /** How many bytes of the input the reader had taken when it was done or gave up. */
        public final int[] stops;

        public final Column json;
        public final Column bytes;
        public final Column errors;

        private int row = 0;

        private Sheet(int rows) {
            verdicts = new byte[rows];
            versions = new short[rows];
            stops = new int[rows];
            json = new Column(rows);
            bytes = new Column(rows);
            errors = new Column(rows);
        }

        private void add(byte verdict, int stop, Answer answer) {
            verdicts[row] = verdict;
            versions[row] = answer.version;
            stops[row] = stop;
            json.set(row, answer.json == null ? null : ByteBuffer.wrap(answer.json));
            bytes.set(row, answer.bytes);
            errors.set(row, answer.error == null
                    ? null : StandardCharsets.UTF_8.encode(answer.error));
            row++;
        }
    }

    /** Cells of bytes laid end to end, and where each of them ends; -1 where there is none. */
    public static final class Column {
        public final int[] cuts;
        public byte[] cells = new byte[0];

        private int used = 0;

        private Column(int rows) {
            cuts = new int[rows];
        }

        private void set(int row, ByteBuffer cell) {
            if (cell == null) {
                cuts[row] = -1;
                return;
            }
            int end = Math.addExact(used, cell.remaining());
            if (end > cells.length) {
                cells = Arrays.copyOf(cells, Math.max(end, 2 * used));
            }
            cell.get(cells, used, end - used);
            used = end;
            cuts[row] = used;
        }
    }

    /** A generated message class and its JSON converter, found by name once. */
    private static final class MessageClass {
        private static final Map<String, MessageClass> KNOWN = new ConcurrentHashMap<>();

        final Class<?> type;
        final short lowest;
        final short highest;
        private final MethodHandle create;
        private final MethodHandle writeJson;
        private final MethodHandle readJson;

        static MessageClass named(String className) {
            return KNOWN.computeIfAbsent(className, MessageClass::new);
        }

        private MessageClass(String className) {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            try {
                type = Class.forName(className);
                Class<?> converter = Class.forName(className + "JsonConverter");
                lowest = type.getField("LOWEST_SUPPORTED_VERSION").getShort(null);
                highest = type.getField("HIGHEST_SUPPORTED_VERSION").getShort(null);
                create = lookup
                        .findConstructor(type, MethodType.methodType(void.class))
                        .asType(MethodType.methodType(Message.class));
                writeJson = lookup
                        .findStatic(converter, "write",
                                MethodType.methodType(JsonNode.class, type, short.class))
                        .asType(MethodType.methodType(
                                JsonNode.class, Message.class, short.class));
                readJson = lookup
                        .findStatic(converter, "read",
                                MethodType.methodType(type, JsonNode.class, short.class))
                        .asType(MethodType.methodType(
                                Message.class, JsonNode.class, short.class));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException("no message class " + className, e);
            }
        }

        Message read(ByteBuffer body, short version) throws Throwable {
            Message message = (Message) create.invokeExact();
            message.read(new ByteBufferAccessor(body), version);
            return message;
        }

        byte[] toJson(Message message, short version) throws Throwable {
            JsonNode json = (JsonNode) writeJson.invokeExact(message, version);
            return JSON.writeValueAsBytes(json);
        }

        Message fromJson(JsonNode json, short version) throws Throwable {
            return (Message) readJson.invokeExact(json, version);
        }
    }
}
