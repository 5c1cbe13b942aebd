import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A Connect worker or a Streams instance of any release: what its own classes read of the group's
 * data, found by name because no release has all of them.
 *
 * <p>It shows the fields that these classes have getters for. What they
 * keep in sets and maps is left out: lists of tasks, offset sums, partitions by host.
 */
public final class GroupDataAdapter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final String CONNECT = "org.apache.kafka.connect.runtime.distributed.";
    private static final String STREAMS =
            "org.apache.kafka.streams.processor.internals.assignment.";
    private static final String EAGER = CONNECT + "ConnectProtocol";
    private static final String INCREMENTAL = CONNECT + "IncrementalCooperativeConnectProtocol";

    /** The methods that read a message, oldest first, and the getters by the names of fields. */
    private record Reader(boolean wide, List<String[]> methods, Map<String, String> getters) {}

    private static final Map<String, Reader> ALL = Map.of(
            "ConnectProtocolMetadata", new Reader(false, methods("deserializeMetadata"),
                    Map.of("url", "url", "configOffset", "offset")),
            "ConnectProtocolAssignment", new Reader(false, methods("deserializeAssignment"),
                    Map.of("error", "error", "leader", "leader", "leaderUrl", "leaderUrl",
                            "configOffset", "offset", "delay", "delay")),
            "SubscriptionInfoData", new Reader(true,
                    List.<String[]>of(new String[] {STREAMS + "SubscriptionInfo", "decode"}),
                    Map.of("version", "version",
                            "latestSupportedVersion", "latestSupportedVersion",
                            "processId", "processId", "userEndPoint", "userEndPoint",
                            "errorCode", "errorCode")),
            "AssignmentInfo", new Reader(true,
                    List.<String[]>of(new String[] {STREAMS + "AssignmentInfo", "decode"}),
                    Map.of("version", "version",
                            "commonlySupportedVersion", "commonlySupportedVersion",
                            "activeTasks", "activeTasks", "errorCode", "errCode",
                            "nextRebalanceMs", "nextRebalanceMs")));
    private static final Map<String, Reader> KNOWN = new TreeMap<>();

    private GroupDataAdapter() {}

    private static List<String[]> methods(String name) {
        return List.of(new String[] {EAGER, name}, new String[] {INCREMENTAL, name});
    }

    public static void main(String[] arguments) throws IOException {
        ALL.forEach((name, reader) -> {
            if (exists(reader.methods.get(0)[0])) {
                KNOWN.put(name, reader);
            }
        });
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
            default -> said.put("ok", false).put("unsupported", true).put("error", "no such op");
        }
    }

    private static void hello(ObjectNode said) throws IOException {
        String client = KNOWN.containsKey("AssignmentInfo") ? "Kafka Streams" : "Kafka Connect";
        Properties about = new Properties();
        about.load(GroupDataAdapter.class.getResourceAsStream("/kafka/kafka-version.properties"));
        said.put("ok", true).put("protocol", 1).put("client", client);
        said.put("release", about.getProperty("version"));
        KNOWN.keySet().forEach(said.putArray("names")::add);
        said.putArray("ops").add("decode");
    }

    private static void decode(JsonNode question, ObjectNode said) throws Exception {
        ByteBuffer data = ByteBuffer.wrap(HEX.parseHex(question.get("hex").textValue()));
        Reader reader = KNOWN.get(question.get("name").textValue());
        Object read = read(reader, data);
        ObjectNode value = JSON.createObjectNode();
        boolean head = reader.wide && data.position() == 2 * Integer.BYTES; // of a newer version
        for (var getter : new TreeMap<>(reader.getters).entrySet()) { // the same each time
            if (!head || getter.getKey().endsWith("ersion")) {
                show(value, getter.getKey(), read, getter.getValue());
            }
        }
        said.put("ok", true).set("value", value);
        said.put("version", reader.wide ? data.getInt(0) : data.getShort(0));
        if (!head) {
            said.put("remainder", HEX.formatHex(data.array(), data.position(), data.limit()));
        }
    }

    /**
     * As a worker does: the eager class reads version 0, which "default" carries, and the newest
     * class that the release has reads any other.
     */
    private static Object read(Reader reader, ByteBuffer data) throws Exception {
        String[] method = reader.methods.get(0);
        boolean eager = !reader.wide && data.limit() >= 2 && data.getShort(0) == 0;
        for (String[] newer : reader.methods) {
            method = !eager && exists(newer[0]) ? newer : method;
        }
        try {
            return Class.forName(method[0]).getMethod(method[1], ByteBuffer.class)
                    .invoke(null, data);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error; // it ends a worker, too
            }
            throw (Exception) e.getCause();
        }
    }

    private static void show(ObjectNode value, String field, Object read, String getter)
            throws Exception {
        Object found;
        try {
            found = got(read, getter, getter);
        } catch (NoSuchFieldException e) {
            return; // an older release: the field is left out
        }
        switch (field) {
            case "processId" -> processId(value, found);
            case "userEndPoint" -> endPoint(value, (String) found);
            case "activeTasks" -> tasks(value, (List<?>) found);
            default -> value.set(field, JSON.valueToTree(found));
        }
    }

    private static void processId(ObjectNode value, Object found) throws Exception {
        if (found == null) {
            return;
        }
        UUID id = found instanceof UUID plain
                ? plain : (UUID) found.getClass().getMethod("id").invoke(found);
        byte[] bytes = ByteBuffer.allocate(16).putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits()).array();
        value.put("processId", Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** It is text here: bytes that are no UTF-8 cannot be shown any more. */
    private static void endPoint(ObjectNode value, String text) {
        if (text != null && text.indexOf('\ufffd') < 0) {
            value.put("userEndPoint", text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void tasks(ObjectNode value, List<?> tasks) throws Exception {
        if (tasks == null) {
            return;
        }
        ArrayNode shown = value.putArray("activeTasks");
        for (Object task : tasks) {
            ObjectNode row = shown.addObject();
            row.put("topicGroupId", (Integer) got(task, "subtopology", "topicGroupId"));
            row.put("partition", (Integer) got(task, "partition", "partition"));
        }
    }

    /** By the getter of newer releases, or the field of older ones. */
    private static Object got(Object read, String getter, String field) throws Exception {
        try {
            return read.getClass().getMethod(getter).invoke(read);
        } catch (NoSuchMethodException e) {
            return read.getClass().getField(field).get(read);
        }
    }

    private static boolean exists(String type) {
        try {
            Class.forName(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
