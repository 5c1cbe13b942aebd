import java.util.List;
import java.util.Map;

/**
 * The two calls to fill in with your client's own code. Its classes or jars go into both commands, as
 * in javac -cp ../client.jar -d build *.java, and java -cp build:../client.jar Adapter.
 */
final class Calls {
    static final String CLIENT = "my-client";
    static final String RELEASE = "1.0";
    static final List<String> NAMES =
            List.of("ConsumerProtocolSubscription", "ConsumerProtocolAssignment");

    private Calls() {}

    /**
     * Reads the bytes of a message, version in front. The value's keys are, for
     * ConsumerProtocolSubscription: topics (a List of String), userData (a byte[] or null),
     * ownedPartitions (a List of Map: topic a String, partitions a List of Integer), generationId
     * (an Integer), rackId (a String or null); for ConsumerProtocolAssignment: assignedPartitions
     * (as ownedPartitions) and userData. Leave out what your client does not show.
     *
     * <p>An exception is a refusal; UnsupportedOperationException is for what your client has no
     * way to do.
     */
    static Adapter.Read decode(String name, byte[] data) throws Exception {
        throw new Error("decode is to be filled in, in Calls.java");
    }

    /**
     * Returns the bytes of a message, version in front; the value is as in decode. If your client
     * writes none, throw UnsupportedOperationException in all calls.
     */
    static byte[] encode(String name, short version, Map<String, Object> value) throws Exception {
        throw new Error("encode is to be filled in, in Calls.java");
    }
}
