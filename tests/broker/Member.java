import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * A consumer in a process of its own, for any release since 2.4: Member BOOTSTRAP GROUP CLIENT_ID
 * TOPIC [SETTING=VALUE...]. Assignors have their protocol names; group.protocol=share is a member of
 * a share group, and a TOPIC that begins with ^ a pattern, for the broker where that divides the
 * partitions; work.ms is how long it works on a record, divide.ms how long the assignor "slow" takes. It prints what its callbacks are told as the
 * other members do. A line of its stdin is a number of milliseconds for which it does not poll; it
 * ends when its stdin does.
 */
public final class Member implements ConsumerRebalanceListener {
    private static final String FOLDER = "org.apache.kafka.clients.consumer.";
    private static final String STRATEGY = "partition.assignment.strategy";
    private static final Map<String, String> ASSIGNORS = new TreeMap<>();
    private static volatile boolean ended = false;
    private static final AtomicLong pause = new AtomicLong();
    private static long work = 0;

    static {
        ASSIGNORS.put("range", FOLDER + "RangeAssignor");
        ASSIGNORS.put("roundrobin", FOLDER + "RoundRobinAssignor");
        ASSIGNORS.put("sticky", FOLDER + "StickyAssignor");
        ASSIGNORS.put("cooperative-sticky", FOLDER + "CooperativeStickyAssignor");
        ASSIGNORS.put("slow", Slow.class.getName());
    }

    /** Divides as range does, in the time that divide.ms says. */
    public static final class Slow extends RangeAssignor implements Configurable {
        private long milliseconds = 0;

        @Override
        public void configure(Map<String, ?> settings) {
            milliseconds = Long.parseLong((String) settings.get("divide.ms"));
        }

        @Override
        public Map<String, List<TopicPartition>> assign(Map<String, Integer> partitions, Map<String, Subscription> members) {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
            return super.assign(partitions, members);
        }
    }

    private static void tell(String event, Collection<TopicPartition> partitions, String error) {
        String names = partitions.stream()
            .map(partition -> "\"" + partition + "\"")
            .sorted()
            .collect(Collectors.joining(", ", "[", "]"));
        String more = error.isEmpty() ? "" : ", \"error\": \"" + error.replaceAll("[\"\\\\\\s]+", " ") + "\"";
        System.out.println("{\"event\": \"" + event + "\", \"partitions\": " + names + more + "}");
        System.out.flush();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        tell("revoked", partitions, "");
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        tell("assigned", partitions, "");
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        tell("lost", partitions, "");
    }

    private static Properties settings(String[] arguments) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("group.id", arguments[1]);
        settings.put("client.id", arguments[2]);
        settings.put(STRATEGY, "range");
        settings.put("session.timeout.ms", "3000");
        settings.put("heartbeat.interval.ms", "100");
        settings.put("metadata.max.age.ms", "1000");
        for (String word : Arrays.asList(arguments).subList(4, arguments.length)) {
            String[] pair = word.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        if (!"classic".equals(settings.getProperty("group.protocol", "classic"))) {
            settings.remove(STRATEGY);
            settings.remove("session.timeout.ms");
            settings.remove("heartbeat.interval.ms");
        } else {
            settings.put(STRATEGY, Arrays.stream(settings.getProperty(STRATEGY).split(","))
                .map(ASSIGNORS::get)
                .collect(Collectors.joining(",")));
        }
        return settings;
    }

    private static void watch() {
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                pause.set(Long.parseLong(line));
            }
        } catch (IOException error) {
            tell("failed", Collections.emptyList(), error.toString());
        }
        ended = true;
    }

    public static void main(String[] arguments) {
        Thread watcher = new Thread(Member::watch);
        watcher.setDaemon(true);
        watcher.start();
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        Properties settings = settings(arguments);
        work = Long.parseLong((String) settings.getOrDefault("work.ms", "0"));
        settings.remove("work.ms");
        try {
            if ("share".equals(settings.get("group.protocol"))) {
                share(settings, arguments[3], bytes);
            } else {
                consume(settings, arguments[3], bytes);
            }
        } catch (InvocationTargetException error) {
            tell("failed", Collections.emptyList(), error.getCause().toString());
        } catch (ReflectiveOperationException | RuntimeException error) {
            tell("failed", Collections.emptyList(), error.toString());
        }
        System.exit(0);
    }

    private static void consume(Properties settings, String topic, ByteArrayDeserializer bytes)
            throws ReflectiveOperationException {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
            if (topic.startsWith("^") && settings.getProperty("group.protocol", "classic").equals("classic")) {
                consumer.subscribe(Pattern.compile(topic), new Member());
            } else if (topic.startsWith("^")) {
                Class<?> pattern = Class.forName(FOLDER + "SubscriptionPattern");
                Object matched = pattern.getConstructor(String.class).newInstance(topic);
                consumer.getClass().getMethod("subscribe", pattern, ConsumerRebalanceListener.class)
                    .invoke(consumer, matched, new Member());
            } else {
                consumer.subscribe(Collections.singletonList(topic), new Member());
            }
            while (!ended) {
                rest(work * consumer.poll(Duration.ofMillis(100)).count());
            }
        }
    }

    private static void rest(long worked) {
        try {
            Thread.sleep(worked + pause.getAndSet(0));
        } catch (InterruptedException error) {
            ended = true;
        }
    }

    /** A member of a share group, by reflection: releases before 4.0 have none. */
    private static void share(Properties settings, String topic, ByteArrayDeserializer bytes)
            throws ReflectiveOperationException {
        settings.remove("group.protocol");
        Class<?> type = Class.forName(FOLDER + "KafkaShareConsumer");
        Object consumer = type.getConstructor(Properties.class, Deserializer.class, Deserializer.class)
            .newInstance(settings, bytes, bytes);
        type.getMethod("subscribe", Collection.class).invoke(consumer, Collections.singletonList(topic));
        while (!ended) {
            type.getMethod("poll", Duration.class).invoke(consumer, Duration.ofMillis(100));
        }
        type.getMethod("close").invoke(consumer);
    }
}
