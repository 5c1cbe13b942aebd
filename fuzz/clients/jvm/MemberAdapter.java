import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;

/**
 * A Java consumer of any release since 2.4: what its ConsumerProtocol reads and writes, by the
 * methods that every one of these releases has.
 *
 * <p>What it shows is what a member's assignor sees: no empty rack and no negative generation, and
 * of two entries for one topic the partitions of both.
 */
public final class MemberAdapter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final String SUBSCRIPTION = "ConsumerProtocolSubscription";
    private static final String ASSIGNMENT = "ConsumerProtocolAssignment";
    private static final String STICKY = "StickyAssignorUserData";

    private MemberAdapter() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode question = JSON.readTree(line);
            ObjectNode said = JSON.createObjectNode();
            try {
                answer(question, said);
            } catch (Exception e) {
                said.removeAll();
                said.put("ok", false);
                said.put("error", e.getClass().getSimpleName() + ": " + e.getMessage());
            }
            said.set("id", question.get("id"));
            System.out.println(JSON.writeValueAsString(said));
        }
    }

    private static void answer(JsonNode question, ObjectNode said) throws Exception {
        switch (question.get("op").textValue()) {
            case "hello" -> hello(said);
            case "decode" -> decode(question, said);
            case "encode" -> encode(question, said);
            default -> said.put("ok", false).put("unsupported", true).put("error", "no such op");
        }
    }

    private static void hello(ObjectNode said) throws IOException {
        Properties about = new Properties();
        about.load(MemberAdapter.class.getResourceAsStream("/kafka/kafka-version.properties"));
        said.put("ok", true).put("protocol", 1).put("client", "kafka-clients (ConsumerProtocol)");
        said.put("release", about.getProperty("version"));
        said.putArray("names").add(SUBSCRIPTION).add(ASSIGNMENT).add(STICKY);
        said.putArray("ops").add("decode").add("encode");
    }

    private static void decode(JsonNode question, ObjectNode said) throws Exception {
        ByteBuffer data = ByteBuffer.wrap(HEX.parseHex(question.get("hex").textValue()));
        ObjectNode value = said.put("ok", true).putObject("value");
        if (question.get("name").textValue().equals(STICKY)) {
            new Sticky().decode(data, value);
            return;
        }
        if (question.get("name").textValue().equals(SUBSCRIPTION)) {
            Subscription read = ConsumerProtocol.deserializeSubscription(data);
            read.topics().forEach(value.putArray("topics")::add);
            value.put("userData", bytes(read.userData()));
            entries(value.putArray("ownedPartitions"), read.ownedPartitions());
            newer(read, "generationId", -1, value);
            newer(read, "rackId", null, value);
        } else {
            Assignment read = ConsumerProtocol.deserializeAssignment(data);
            entries(value.putArray("assignedPartitions"), read.partitions());
            value.put("userData", bytes(read.userData()));
        }
        said.put("version", data.getShort(0));
        said.put("remainder", HEX.formatHex(data.array(), data.position(), data.limit()));
    }

    /** How its sticky assignor reads what a member says that it had: nothing, if it cannot. */
    private static final class Sticky extends StickyAssignor {
        void decode(ByteBuffer userData, ObjectNode value) {
            MemberData read = memberData(new Subscription(List.of(), userData));
            entries(value.putArray("previousAssignment"), read.partitions);
            value.put("generation", read.generation.orElse(-1));
        }
    }

    /** What only newer releases have a getter for. */
    private static void newer(Subscription read, String field, Object none, ObjectNode value)
            throws Exception {
        try {
            Optional<?> found = (Optional<?>) Subscription.class.getMethod(field).invoke(read);
            value.set(field, JSON.valueToTree(found.isPresent() ? found.get() : none));
        } catch (NoSuchMethodException e) {
            return; // an older release: the field is left out
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static void entries(ArrayNode entries, List<TopicPartition> partitions) {
        ObjectNode entry = null;
        for (TopicPartition partition : partitions) {
            if (entry == null || !entry.get("topic").asText().equals(partition.topic())) {
                entry = entries.addObject().put("topic", partition.topic());
                entry.putArray("partitions");
            }
            ((ArrayNode) entry.get("partitions")).add(partition.partition());
        }
    }

    private static void encode(JsonNode question, ObjectNode said) throws Exception {
        JsonNode value = question.get("value");
        if (question.get("name").textValue().equals(STICKY)) {
            said.put("ok", false).put("unsupported", true).put("error", "no encode of " + STICKY);
            return;
        }
        short version = (short) question.get("version").intValue();
        ByteBuffer data = question.get("name").textValue().equals(SUBSCRIPTION)
                ? ConsumerProtocol.serializeSubscription(subscription(value), version)
                : ConsumerProtocol.serializeAssignment(assignment(value), version);
        if (data.getShort(0) != version) { // an older release writes its highest instead
            said.put("ok", false).put("unsupported", true);
            said.put("error", "writes version " + data.getShort(0) + " at most");
            return;
        }
        said.put("ok", true).put("hex", HEX.formatHex(bytes(data)));
    }

    /** By the constructor with the most parameters: newer releases have more. */
    private static Subscription subscription(JsonNode value) throws Exception {
        List<String> topics = new ArrayList<>();
        value.get("topics").forEach(topic -> topics.add(topic.textValue()));
        Object[] all = {
            topics, userData(value), partitions(value.path("ownedPartitions")),
            value.has("generationId") ? int32(value.get("generationId")) : -1,
            Optional.ofNullable(value.path("rackId").textValue()),
        };
        Constructor<?> longest = Arrays.stream(Subscription.class.getConstructors())
                .max(Comparator.comparingInt(Constructor::getParameterCount)).orElseThrow();
        return (Subscription) longest.newInstance(
                Arrays.copyOf(all, longest.getParameterCount()));
    }

    private static Assignment assignment(JsonNode value) throws IOException {
        return new Assignment(partitions(value.path("assignedPartitions")), userData(value));
    }

    private static ByteBuffer userData(JsonNode value) throws IOException {
        byte[] bytes = value.path("userData").binaryValue();
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    private static List<TopicPartition> partitions(JsonNode entries) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (JsonNode entry : entries) {
            for (JsonNode partition : entry.get("partitions")) {
                partitions.add(new TopicPartition(
                        entry.get("topic").textValue(), int32(partition)));
            }
        }
        return partitions;
    }

    /** What is no int in Java cannot be given to the client either. */
    private static int int32(JsonNode number) {
        return Math.toIntExact(number.longValue());
    }
}
