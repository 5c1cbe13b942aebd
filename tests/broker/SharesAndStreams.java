import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ShareMemberDescription;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.ThreadMetadata;

/**
 * Members of share and Streams groups, driven from stdin.
 *
 * <pre>
 * share MEMBER GROUP TOPIC      a share consumer
 * streams MEMBER GROUP TOPIC    a Streams application of one thread, with the group protocol of KIP-1071
 * leave MEMBER                  close it
 * wait MS                       let them be for so long
 * tell GROUP COUNT              tell the tasks of Streams applications as they see them, or what the
 *                               broker says of a share group: once so many members have something
 *                               and it stays the same for two seconds, or after a minute
 * </pre>
 * A line is a JSON object: {member: [...]}, of tasks or of partitions.
 */
public final class SharesAndStreams {
    private interface Member {
        void end() throws InterruptedException;
    }

    /** A share consumer and the thread that polls it. */
    private static final class Sharing implements Member, Runnable {
        private final KafkaShareConsumer<byte[], byte[]> consumer;
        private final Thread thread = new Thread(this);
        private volatile boolean ending = false;

        Sharing(String name, String bootstrap, String group, String topic) {
            Properties settings = new Properties();
            settings.put("bootstrap.servers", bootstrap);
            settings.put("client.id", name);
            settings.put("group.id", group);
            consumer = new KafkaShareConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.subscribe(List.of(topic));
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void run() {
            while (!ending) {
                consumer.poll(Duration.ofMillis(50));
            }
            consumer.close(Duration.ofSeconds(5));
        }

        @Override
        public void end() throws InterruptedException {
            ending = true;
            thread.join(10_000);
        }
    }

    private static final class Streaming implements Member {
        private final KafkaStreams streams;

        Streaming(String name, String bootstrap, String group, String topic) throws Exception {
            Properties settings = new Properties();
            settings.put("bootstrap.servers", bootstrap);
            settings.put("application.id", group);
            settings.put("client.id", name);
            settings.put("group.protocol", "streams");
            settings.put("num.stream.threads", "1");
            settings.put("default.key.serde", Serdes.ByteArraySerde.class.getName());
            settings.put("default.value.serde", Serdes.ByteArraySerde.class.getName());
            settings.put("state.dir", java.nio.file.Files.createTempDirectory("streams").toString());
            StreamsBuilder builder = new StreamsBuilder();
            builder.stream(topic).foreach((key, value) -> { });
            streams = new KafkaStreams(builder.build(), settings);
            streams.start();
        }

        TreeSet<String> tasks() {
            TreeSet<String> tasks = new TreeSet<>();
            for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
                thread.activeTasks().forEach(task -> tasks.add(task.taskId().toString()));
            }
            return tasks;
        }

        @Override
        public void end() {
            streams.close(Duration.ofSeconds(10));
        }
    }

    public static void main(String[] arguments) throws Exception {
        String bootstrap = arguments[0];
        Map<String, Member> members = new TreeMap<>();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "share" -> members.put(words[1], new Sharing(words[1], bootstrap, words[2], words[3]));
                case "streams" -> members.put(words[1], new Streaming(words[1], bootstrap, words[2], words[3]));
                case "leave" -> members.remove(words[1]).end();
                case "wait" -> Thread.sleep(Long.parseLong(words[1]));
                case "tell" -> tell(bootstrap, words[1], Integer.parseInt(words[2]), members);
                default -> throw new IllegalArgumentException(words[0]);
            }
        }
        System.exit(0);
    }

    private static void tell(String bootstrap, String group, int count, Map<String, Member> members)
            throws Exception {
        TreeMap<String, TreeSet<String>> told = has(bootstrap, group, members);
        for (int seconds = 0; seconds < 60; seconds += 2) {
            TreeMap<String, TreeSet<String>> before = told;
            Thread.sleep(2_000);
            told = has(bootstrap, group, members);
            if (told.equals(before) && told.size() == count && told.values().stream().noneMatch(TreeSet::isEmpty)) {
                break;
            }
        }
        System.out.println(told.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue().stream()
                .map(each -> "\"" + each + "\"")
                .collect(Collectors.joining(", ", "[", "]")))
            .collect(Collectors.joining(", ", "{", "}")));
        System.out.flush();
    }

    private static TreeMap<String, TreeSet<String>> has(String bootstrap, String group, Map<String, Member> members)
            throws Exception {
        TreeMap<String, TreeSet<String>> told = new TreeMap<>();
        members.forEach((name, member) -> {
            if (member instanceof Streaming) {
                told.put(name, ((Streaming) member).tasks());
            }
        });
        if (told.isEmpty()) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
                for (ShareMemberDescription member
                        : admin.describeShareGroups(List.of(group)).all().get().get(group).members()) {
                    TreeSet<String> parts = new TreeSet<>();
                    member.assignment().topicPartitions().forEach(part -> parts.add(part.toString()));
                    told.put(member.consumerId() + " " + member.clientId(), parts);
                }
            } catch (ExecutionException notThereYet) {
                return told;
            }
        }
        return told;
    }
}
