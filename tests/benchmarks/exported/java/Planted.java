import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The decoder of ../go/planted.go, with the same faults, for Jazzer. */
public class Planted {
    private static final Set<String> MET = new HashSet<>();

    private record Entry(String topic, List<Integer> partitions) {}

    public static void fuzzerTestOneInput(byte[] data) {
        try {
            subscription(ByteBuffer.wrap(data));
        } catch (BufferUnderflowException refused) {
            // the documented answer
        }
    }

    /** Writes a name to the file that MET names, once a process. */
    private static void fault(String name) {
        if (MET.add(name)) {
            try {
                Files.writeString(
                    Path.of(System.getenv("MET")), name + "\n",
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    private static byte[] take(ByteBuffer data, int size) {
        if (size < 0 || size > data.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] taken = new byte[size];
        data.get(taken);
        return taken;
    }

    private static String text(ByteBuffer data) {
        return new String(take(data, data.getShort()), StandardCharsets.UTF_8);
    }

    private static void subscription(ByteBuffer data) {
        int version = data.getShort();
        List<String> topics = new ArrayList<>();
        for (int count = data.getInt(); count > 0; count--) {
            topics.add(text(data));
        }
        int size = data.getInt();
        byte[] userData = size < 0 ? new byte[0] : take(data, size);
        inFields(version, topics, userData);
        if (version < 1) {
            return;
        }
        List<Entry> owned = new ArrayList<>();
        for (int count = data.getInt(); count > 0; count--) {
            String topic = text(data);
            List<Integer> partitions = new ArrayList<>();
            for (int left = data.getInt(); left > 0; left--) {
                partitions.add(data.getInt());
            }
            owned.add(new Entry(topic, partitions));
        }
        int generation = version >= 2 ? data.getInt() : -1;
        String rack = "";
        if (version >= 3) {
            size = data.getShort();
            rack = size < 0 ? "" : new String(take(data, size), StandardCharsets.UTF_8);
        }
        inLaterFields(version, topics, owned, generation, rack);
        inCombinations(version, topics, owned, generation, userData);
        if (rack.equals("a") && generation == 1 && Arrays.equals(userData, new byte[] {1})) {
            fault("rack a, generation 1 and user data of a one");
        }
        if (data.remaining() == 11) {
            fault("eleven bytes left over");
        }
    }

    private static void inFields(int version, List<String> topics, byte[] userData) {
        if (version < 0 && topics.size() > 0) {
            fault("a topic in a negative version");
        }
        if (topics.size() == 3 && topics.get(1).startsWith("zq")) {
            fault("the second of three topics begins with zq");
        }
        if (version == 1 && topics.size() > 1 && topics.get(0).equals(topics.get(1)) && !topics.get(0).isEmpty()) {
            fault("a topic twice in version 1");
        }
        if (userData.length > 1 && userData[0] == userData[1] && userData[0] != 0) {
            fault("two equal bytes in user data");
        }
        if (userData.length == 23) {
            fault("user data of 23 bytes");
        }
        if (userData.length > 3 && ByteBuffer.wrap(userData).getInt() == 0xcafebabe) {
            fault("user data that begins with cafebabe");
        }
        if (userData.length > 0 && topics.size() > 0
                && new String(userData, StandardCharsets.UTF_8).equals(topics.get(0))) {
            fault("user data that is the first topic");
        }
        if (topics.size() == 9) {
            fault("nine topics");
        }
        for (String topic : topics) {
            if (topic.equals("__consumer_offsets")) {
                fault("a topic of the broker's own");
            }
            if (topic.length() == 249) {
                fault("a topic of 249 bytes");
            }
        }
        for (int i = 1; i < topics.size(); i++) {
            if (topics.size() == 4 && topics.get(i - 1).compareTo(topics.get(i)) > 0) {
                fault("four topics out of order");
            }
        }
    }

    private static void inLaterFields(
            int version, List<String> topics, List<Entry> owned, int generation, String rack) {
        int partitions = 0;
        for (int i = 0; i < owned.size(); i++) {
            partitions += owned.get(i).partitions().size();
            if (owned.get(i).partitions().isEmpty()) {
                fault("an owned topic without partitions");
            }
            if (owned.get(i).partitions().contains(Integer.MAX_VALUE)) {
                fault("the largest partition");
            }
            if (i > 0 && owned.get(i - 1).topic().equals(owned.get(i).topic())) {
                fault("an owned topic twice");
            }
        }
        if (partitions == 7) {
            fault("seven partitions in all");
        }
        if (generation == 77777) {
            fault("generation 77777");
        }
        if (version >= 3 && topics.size() > 0 && !rack.isEmpty() && rack.equals(topics.get(0))) {
            fault("a rack that is a topic");
        }
        if (rack.equals("eu-west")) {
            fault("rack eu-west");
        }
        if (version > 3 && owned.size() > 1) {
            fault("two owned topics in a newer version");
        }
    }

    private static void inCombinations(
            int version, List<String> topics, List<Entry> owned, int generation, byte[] userData) {
        if (owned.size() > 2 && owned.get(0).topic().equals(owned.get(2).topic())
                && !owned.get(0).topic().equals(owned.get(1).topic())) {
            fault("the first owned topic again as the third");
        }
        if (owned.stream().map(entry -> entry.partitions().size()).toList().equals(List.of(2, 0, 1))) {
            fault("two, no and one partition");
        }
        if (userData.length > 3 && generation > 255
                && ByteBuffer.wrap(userData).getInt() == generation) {
            fault("user data that begins with the generation");
        }
        for (Entry entry : owned) {
            if (version == 1 && topics.size() == 2 && !topics.contains(entry.topic())) {
                fault("an owned topic beside the two topics of version 1");
            }
        }
    }
}
