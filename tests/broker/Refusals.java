import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Constructs a consumer for each line of settings, and prints why that fails, or "taken". */
public class Refusals {
    public static void main(String[] arguments) throws Exception {
        String text = "org.apache.kafka.common.serialization.StringDeserializer";
        for (String line : new String(System.in.readAllBytes()).split("\n")) {
            Properties settings = new Properties();
            settings.put("bootstrap.servers", "127.0.0.1:1");
            settings.put("group.id", "g");
            settings.put("key.deserializer", text);
            settings.put("value.deserializer", text);
            for (String pair : line.split(" ")) {
                settings.put(pair.split("=")[0], pair.split("=")[1]);
            }
            try {
                new KafkaConsumer<>(settings).close(Duration.ZERO);
                System.out.println("taken");
            } catch (Exception error) {
                Throwable cause = error;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                System.out.println(cause.getMessage().replace('\n', ' '));
            }
        }
        System.exit(0);
    }
}
