// What a Java consumer does with subscriptions, timed inside the JVM, by the processor time of the
// thread: the clock of the other contestants, and no call from Python is in the time.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;

import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;

public final class ConsumerProtocolTimer {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    // What is made is stored here and looked into, so that no compiler leaves it out.
    public static Object made;
    public static long seen;

    private final byte[][] messages;
    private final Subscription[] values;

    public ConsumerProtocolTimer(byte[][] messages) {
        this.messages = messages;
        values = new Subscription[messages.length];
        for (int i = 0; i < messages.length; i++) {
            values[i] = read(messages[i]);
        }
    }

    public static Subscription read(byte[] message) {
        return ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(message));
    }

    public static ByteBuffer write(Subscription value) {
        return ConsumerProtocol.serializeSubscription(value, (short) 2);
    }

    public static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    /** Reads every message `rounds` times; the nanoseconds of all. */
    public long decode(int rounds) {
        long sum = 0;
        long start = CLOCK.getCurrentThreadCpuTime();
        for (int round = 0; round < rounds; round++) {
            for (byte[] message : messages) {
                Subscription read = read(message);
                sum += read.topics().size() + read.ownedPartitions().size();
                made = read;
            }
        }
        long end = CLOCK.getCurrentThreadCpuTime();
        seen += sum;
        return end - start;
    }

    /** Writes every message `rounds` times; the nanoseconds of all. */
    public long encode(int rounds) {
        long sum = 0;
        long start = CLOCK.getCurrentThreadCpuTime();
        for (int round = 0; round < rounds; round++) {
            for (Subscription value : values) {
                ByteBuffer written = write(value);
                sum += written.get(written.limit() - 1);
                made = written;
            }
        }
        long end = CLOCK.getCurrentThreadCpuTime();
        seen += sum;
        return end - start;
    }
}
