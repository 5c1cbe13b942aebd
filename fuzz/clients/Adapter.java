import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Apache Kafka's Java client behind the line protocol of kproto conform.
 *
 * <p>The arguments say what there is: "name=class=front", where front is what stands in front of
 * the fields: "consumer" (a version, newer ones clamped), "version" (a version), or "none".
 */
public final class Adapter {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<String, String[]> KNOWN = new LinkedHashMap<>();

    private Adapter() {}

    public static void main(String[] arguments) throws Exception {
        for (String argument : arguments) {
            String[] parts = argument.split("=");
            KNOWN.put(parts[0], parts);
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode question = JSON.readTree(line);
            ObjectNode said = JSON.createObjectNode();
            said.set("id", question.get("id"));
            answer(question, said);
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

    private static void hello(ObjectNode said) throws Exception {
        Properties about = new Properties();
        about.load(Adapter.class.getResourceAsStream("/kafka/kafka-version.properties"));
        said.put("ok", true).put("protocol", 1).put("client", "kafka-clients (Java)");
        said.put("release", about.getProperty("version"));
        KNOWN.keySet().forEach(said.putArray("names")::add);
        said.putArray("ops").add("decode").add("encode");
    }

    private static void decode(JsonNode question, ObjectNode said) throws Exception {
        String[] known = KNOWN.get(question.get("name").textValue());
        byte[] data = HEX.parseHex(question.get("hex").textValue());
        switch (known[2]) {
            case "consumer" -> read(said, data, data.length < 2 ? -1 : label(data),
                    Judge.deserialize(known[1], data, new int[] {data.length}, true));
            case "version" -> {
                short version = data.length < 2 ? -1 : label(data);
                if (!has(known[1], version)) {
                    no(said, "UnsupportedVersionException: version " + version);
                    return;
                }
                body(said, known[1], version, Arrays.copyOfRange(data, 2, data.length));
            }
            default -> body(said, known[1], (short) question.get("version").intValue(), data);
        }
    }

    private static void body(ObjectNode said, String type, short version, byte[] body)
            throws Exception {
        read(said, body, version,
                Judge.read(type, version, body, new int[] {body.length}, true));
    }

    private static void read(ObjectNode said, byte[] data, int label, Judge.Sheet sheet)
            throws Exception {
        if (sheet.verdicts[0] != Judge.ACCEPTED) {
            no(said, text(sheet.errors));
            return;
        }
        said.put("ok", true).put("version", label);
        said.set("value", JSON.readTree(text(sheet.json)));
        said.put("remainder", HEX.formatHex(data, sheet.stops[0], data.length));
    }

    private static void encode(JsonNode question, ObjectNode said) throws Exception {
        String[] known = KNOWN.get(question.get("name").textValue());
        short version = (short) question.get("version").intValue();
        if (!has(known[1], version)) {
            no(said, "UnsupportedVersionException: version " + version);
            return;
        }
        byte[] text = JSON.writeValueAsBytes(question.get("value"));
        Judge.Sheet sheet = Judge.write(known[1], version, text, new int[] {text.length});
        if (sheet.verdicts[0] != Judge.ACCEPTED) {
            no(said, text(sheet.errors));
            return;
        }
        byte[] front = known[2].equals("none")
                ? new byte[0] : ByteBuffer.allocate(2).putShort(version).array();
        byte[] body = sheet.bytes.cells;
        int size = sheet.bytes.cuts[0];
        said.put("ok", true);
        said.put("hex", HEX.formatHex(front) + HEX.formatHex(body, 0, size));
    }

    private static short label(byte[] data) {
        return ByteBuffer.wrap(data).getShort();
    }

    private static boolean has(String type, short version) {
        int[] facts = Judge.describe(new String[] {type});
        return facts[0] <= version && version <= facts[1];
    }

    private static void no(ObjectNode said, String error) {
        said.put("ok", false).put("error", error);
    }

    private static String text(Judge.Column column) {
        int size = Math.max(column.cuts[0], 0);
        return new String(column.cells, 0, size, StandardCharsets.UTF_8);
    }
}
