import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A correct client of a few lines: what kproto conform --init java asks to be filled in. */
final class Calls {
    static final String CLIENT = "my-client";
    static final String RELEASE = "1.0";
    static final List<String> NAMES =
            List.of("ConsumerProtocolSubscription", "ConsumerProtocolAssignment");

    private interface Item<T> {
        T read(ByteBuffer data);
    }

    private interface Write {
        void write(DataOutputStream out, Object value) throws Exception;
    }

    private Calls() {}

    static Adapter.Read decode(String name, byte[] bytes) {
        ByteBuffer data = ByteBuffer.wrap(bytes);
        short version = data.getShort();
        if (version < 0) {
            throw new IllegalArgumentException("version " + version);
        }
        Map<String, Object> value = new LinkedHashMap<>();
        boolean assigned = name.equals(NAMES.get(1));
        if (assigned) {
            value.put("assignedPartitions", list(data, Calls::entry));
        } else {
            value.put("topics", list(data, it -> text(it, it.getShort())));
        }
        int size = data.getInt();
        value.put("userData", size < 0 ? null : take(data, size));
        if (!assigned && version >= 1) {
            value.put("ownedPartitions", list(data, Calls::entry));
        }
        if (!assigned && version >= 2) {
            value.put("generationId", data.getInt());
        }
        if (!assigned && version >= 3) {
            short length = data.getShort();
            value.put("rackId", length < 0 ? null : text(data, length));
        }
        return new Adapter.Read(version, value, take(data, data.remaining()));
    }

    private static byte[] take(ByteBuffer data, int size) {
        if (size < 0 || size > data.remaining()) {
            throw new IllegalArgumentException(size + " bytes, " + data.remaining() + " left");
        }
        byte[] bytes = new byte[size];
        data.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer data, int size) {
        return new String(take(data, size), StandardCharsets.UTF_8);
    }

    private static <T> List<T> list(ByteBuffer data, Item<T> item) {
        int count = data.getInt();
        if (count < 0) {
            throw new IllegalArgumentException("a count of " + count);
        }
        List<T> items = new ArrayList<>();
        for (int left = count; left > 0; left--) {
            items.add(item.read(data));
        }
        return items;
    }

    private static Map<String, Object> entry(ByteBuffer data) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("topic", text(data, data.getShort()));
        entry.put("partitions", list(data, ByteBuffer::getInt));
        return entry;
    }

    static byte[] encode(String name, short version, Map<String, Object> value) throws Exception {
        if (version < 0 || version > 3) {
            throw new IllegalArgumentException("version " + version);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(version);
        boolean assigned = name.equals(NAMES.get(1));
        if (assigned) {
            put(out, value.get("assignedPartitions"), Calls::putEntry);
        } else {
            put(out, value.get("topics"), Calls::putText);
        }
        byte[] userData = (byte[]) value.get("userData");
        out.writeInt(userData == null ? -1 : userData.length);
        out.write(userData == null ? new byte[0] : userData);
        if (!assigned && version >= 1) {
            put(out, value.getOrDefault("ownedPartitions", List.of()), Calls::putEntry);
        }
        if (!assigned && version >= 2) {
            out.writeInt((Integer) value.getOrDefault("generationId", -1));
        }
        if (!assigned && version >= 3) {
            if (value.get("rackId") == null) {
                out.writeShort(-1);
            } else {
                putText(out, value.get("rackId"));
            }
        }
        return bytes.toByteArray();
    }

    private static void put(DataOutputStream out, Object value, Write item) throws Exception {
        List<?> items = (List<?>) value;
        out.writeInt(items.size());
        for (Object one : items) {
            item.write(out, one);
        }
    }

    private static void putText(DataOutputStream out, Object value) throws Exception {
        byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
        if (text.length > Short.MAX_VALUE) {
            throw new IllegalArgumentException(text.length + " bytes of text");
        }
        out.writeShort(text.length);
        out.write(text);
    }

    private static void putEntry(DataOutputStream out, Object value) throws Exception {
        Map<?, ?> entry = (Map<?, ?>) value;
        putText(out, entry.get("topic"));
        put(out, entry.get("partitions"), (stream, number) -> stream.writeInt((Integer) number));
    }
}
