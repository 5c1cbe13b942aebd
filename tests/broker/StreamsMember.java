import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/**
 * An instance of a Kafka Streams application, of one thread, in a process of its own: StreamsMember
 * BOOTSTRAP APPLICATION_ID CLIENT_ID TOPIC [SETTING=VALUE...]. With counts=true it has a state: it
 * counts the records of each key. It prints {"event": "failed", ...}
 * with the error that ended its thread, and ends when its stdin does.
 */
public final class StreamsMember {
    public static void main(String[] arguments) throws IOException {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", arguments[0]);
        settings.put("application.id", arguments[1]);
        settings.put("client.id", arguments[2]);
        settings.put("num.stream.threads", "1");
        settings.put("session.timeout.ms", "6000");
        settings.put("heartbeat.interval.ms", "500");
        settings.put("default.key.serde", Serdes.ByteArraySerde.class.getName());
        settings.put("default.value.serde", Serdes.ByteArraySerde.class.getName());
        settings.put("state.dir", Files.createTempDirectory("streams").toString());
        for (String word : Arrays.asList(arguments).subList(4, arguments.length)) {
            String[] pair = word.split("=", 2);
            if (!pair[0].equals("partition.assignment.strategy")) {
                settings.put(pair[0], pair[1]);
            }
        }
        if ("streams".equals(settings.get("group.protocol"))) {
            settings.remove("session.timeout.ms");
            settings.remove("heartbeat.interval.ms");
        }
        boolean counts = settings.remove("counts") != null;
        StreamsBuilder builder = new StreamsBuilder();
        if (counts) {
            builder.stream(arguments[3]).groupByKey().count(Materialized.as(Stores.inMemoryKeyValueStore("counts")));
        } else {
            builder.stream(arguments[3]).foreach((key, value) -> { });
        }
        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        streams.setUncaughtExceptionHandler(error -> {
            System.out.println("{\"event\": \"failed\", \"partitions\": [], \"error\": \""
                + error.toString().replaceAll("[\"\\\\\\s]+", " ") + "\"}");
            System.out.flush();
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        while (System.in.read() >= 0) {
        }
        streams.close(Duration.ofSeconds(10));
        System.exit(0);
    }
}
