import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Collectors;

/** Prints each message of standard input, a line of hex each, in every style, and then a separator. */
public class Printed {
    private static final int MIME_WIDTH = 76;

    public static void main(String[] arguments) throws Exception {
        StringBuilder out = new StringBuilder();
        Scanner lines = new Scanner(System.in, StandardCharsets.US_ASCII);
        while (lines.hasNextLine()) {
            byte[] data = HexFormat.of().parseHex(lines.nextLine());
            styles(data).forEach((name, text) -> out.append(name).append('\u001f').append(text).append('\u001e'));
        }
        System.out.write(out.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static Map<String, String> styles(byte[] data) {
        List<Byte> boxed = new ArrayList<>();
        for (byte value : data) {
            boxed.add(value);
        }
        Map<String, String> styles = new LinkedHashMap<>();
        styles.put("Arrays.toString", Arrays.toString(data));
        styles.put("a list", boxed.toString());
        styles.put("HexFormat", HexFormat.of().formatHex(data));
        styles.put("HexFormat, upper case, blanks", HexFormat.ofDelimiter(" ").withUpperCase().formatHex(data));
        styles.put("HexFormat, commas and 0x", HexFormat.ofDelimiter(", ").withPrefix("0x").formatHex(data));
        styles.put("HexFormat, colons", HexFormat.ofDelimiter(":").formatHex(data));
        styles.put("%02X", boxed.stream().map(value -> String.format("%02X ", value)).collect(Collectors.joining()));
        styles.put("BigInteger", String.format("%0" + 2 * data.length + "x", new BigInteger(1, data)));
        styles.put("Base64", Base64.getEncoder().encodeToString(data));
        styles.put("Base64, MIME", Base64.getMimeEncoder().encodeToString(data));
        styles.put("Base64, URL", Base64.getUrlEncoder().encodeToString(data));
        return styles;
    }
}
