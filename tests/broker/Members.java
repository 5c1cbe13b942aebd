import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Real consumers, driven from stdin, telling on stdout what their callbacks are given.
 *
 * <pre>
 * topic NAME PARTITIONS          create it, or add partitions to it
 * join MEMBER key=value ...      a consumer: group, topics, assignors; other keys are its settings
 *                                (with group.protocol=consumer the broker assigns: no assignors)
 * subscribe MEMBER TOPIC,...     change what it subscribes to
 * slow MEMBER MS                 from now on, take so long between two polls
 * hold MEMBER MS                 from now on, let onPartitionsRevoked take so long
 * leave MEMBER                   close it, with LeaveGroup
 * vanish MEMBER                  close it without LeaveGroup, as a crash would
 * wait MS                        let them be for so long
 * settle MS                      wait until nothing happens for so long; tell who owns what
 * </pre>
 * A line is a JSON object: {"ms", "order"} when it is begun, {"ms", "member", "event", "partitions"}
 * or {"settled": {member: [...]}}.
 */
public final class Members {
    /** A custom assignor before it turned cooperative, and after: under one protocol name. */
    public static final class StillEager extends RoundRobinAssignor {
        @Override
        public String name() {
            return "custom";
        }
    }

    public static final class TurnedCooperative extends CooperativeStickyAssignor {
        @Override
        public String name() {
            return "custom";
        }
    }

    private static final Map<String, String> ASSIGNORS = Map.of(
        "range", "org.apache.kafka.clients.consumer.RangeAssignor",
        "roundrobin", "org.apache.kafka.clients.consumer.RoundRobinAssignor",
        "sticky", "org.apache.kafka.clients.consumer.StickyAssignor",
        "cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor",
        "custom-eager", "Members$StillEager",
        "custom-cooperative", "Members$TurnedCooperative");

    private static final long START = System.nanoTime();
    private static volatile long lastEvent = START;

    private static synchronized void tell(String member, String event, Collection<TopicPartition> partitions) {
        lastEvent = System.nanoTime();
        System.out.printf("{\"ms\": %d, \"member\": \"%s\", \"event\": \"%s\", \"partitions\": %s}%n",
            (lastEvent - START) / 1_000_000, member, event, array(partitions));
        System.out.flush();
    }

    private static synchronized void tellOrder(String order) {
        System.out.printf("{\"ms\": %d, \"order\": \"%s\"}%n", (System.nanoTime() - START) / 1_000_000, order);
        System.out.flush();
    }

    private static String array(Collection<TopicPartition> partitions) {
        return partitions.stream()
            .map(partition -> "\"" + partition + "\"")
            .sorted()
            .collect(Collectors.joining(", ", "[", "]"));
    }

    /** One consumer and the thread that polls it. */
    private static final class Member implements ConsumerRebalanceListener, Runnable {
        private final String name;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this);
        private volatile List<TopicPartition> owned = List.of();
        private volatile long pause = 0;
        private volatile long hold = 0;
        private volatile CloseOptions ending = null;

        Member(String name, String bootstrap, Map<String, String> given) {
            this.name = name;
            Properties settings = new Properties();
            settings.put("bootstrap.servers", bootstrap);
            boolean classic = given.getOrDefault("group.protocol", "classic").equals("classic");
            settings.put("group.protocol", "classic");
            settings.put("client.id", name);
            settings.put("enable.auto.commit", "false");
            if (classic) {
                settings.put("heartbeat.interval.ms", "100");
            }
            given.forEach((key, value) -> {
                if (key.contains(".")) {
                    settings.put(key, value);
                }
            });
            settings.put("group.id", given.get("group"));
            if (classic) {
                settings.put("partition.assignment.strategy", Arrays.stream(given.get("assignors").split(","))
                    .map(ASSIGNORS::get)
                    .collect(Collectors.joining(",")));
            }
            consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.subscribe(List.of(given.get("topics").split(",")), this);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void run() {
            try {
                while (ending == null) {
                    // Before a long pause, long enough for a whole rebalance, as in real life.
                    consumer.poll(Duration.ofMillis(pause > 0 ? 500 : 20));
                    for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
                        order.run();
                    }
                    owned = List.copyOf(consumer.assignment());
                    Thread.sleep(pause);
                }
                consumer.close(ending);
                tell(name, "closed", List.of());
            } catch (Exception error) {
                owned = List.of();
                tell(name, error.getClass().getSimpleName(), List.of());
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            tell(name, "revoked", partitions);
            try {
                Thread.sleep(hold);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            tell(name, "assigned", partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            tell(name, "lost", partitions);
        }

        void end(CloseOptions.GroupMembershipOperation operation) throws InterruptedException {
            ending = CloseOptions.groupMembershipOperation(operation);
            thread.join(10_000);
            owned = List.of();
        }
    }

    public static void main(String[] arguments) throws Exception {
        String bootstrap = arguments[0];
        Map<String, Member> members = new TreeMap<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                tellOrder(line);
                obey(line.split(" "), bootstrap, admin, members);
            }
        }
        System.exit(0);
    }

    private static void obey(String[] words, String bootstrap, Admin admin, Map<String, Member> members)
            throws Exception {
        switch (words[0]) {
            case "topic" -> topic(admin, words[1], Integer.parseInt(words[2]));
            case "join" -> members.put(words[1], new Member(words[1], bootstrap, settings(words)));
            case "subscribe" -> {
                Member member = members.get(words[1]);
                member.orders.add(() -> member.consumer.subscribe(List.of(words[2].split(",")), member));
            }
            case "slow" -> members.get(words[1]).pause = Long.parseLong(words[2]);
            case "hold" -> members.get(words[1]).hold = Long.parseLong(words[2]);
            case "leave" -> members.remove(words[1]).end(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
            case "vanish" -> members.remove(words[1]).end(CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP);
            case "wait" -> Thread.sleep(Long.parseLong(words[1]));
            case "settle" -> settle(Long.parseLong(words[1]), members);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static Map<String, String> settings(String[] words) {
        Map<String, String> settings = new TreeMap<>();
        for (String word : Arrays.asList(words).subList(2, words.length)) {
            String[] pair = word.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        return settings;
    }

    private static void topic(Admin admin, String name, int partitions) throws Exception {
        if (!admin.listTopics().names().get().contains(name)) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
        } else if (admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().size() < partitions) {
            admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all().get();
        }
    }

    private static void settle(long quiet, Map<String, Member> members) throws InterruptedException {
        lastEvent = System.nanoTime();
        while (System.nanoTime() - lastEvent < quiet * 1_000_000) {
            Thread.sleep(20);
        }
        synchronized (Members.class) {
            System.out.println(members.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\": " + array(entry.getValue().owned))
                .collect(Collectors.joining(", ", "{\"settled\": {", "}}")));
            System.out.flush();
        }
    }
}
