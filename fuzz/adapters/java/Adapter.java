import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An adapter: it answers the questions of kproto conform with the two calls in Calls.java. It needs
 * Java 17, and no library.
 */
public final class Adapter {
    /** What was read; version and remainder are null where the client does not tell them. */
    record Read(Short version, Map<String, Object> value, byte[] remainder) {}

    private Adapter() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> question = object(new Json(line).value());
            Map<String, Object> reply = new LinkedHashMap<>();
            reply.put("id", question.get("id"));
            try {
                reply.putAll(answer(question));
            } catch (UnsupportedOperationException error) {
                reply.putAll(Map.of("ok", false, "unsupported", true, "error", "" + error));
            } catch (Exception error) {
                reply.putAll(Map.of("ok", false, "error", "" + error));
            }
            out.print(Json.text(reply) + "\n");
            out.flush();
        }
    }

    private static Map<String, Object> answer(Map<String, Object> question) throws Exception {
        String op = (String) question.get("op");
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("ok", true);
        switch (op) {
            case "hello" -> {
                reply.put("protocol", 1);
                reply.put("client", Calls.CLIENT);
                reply.put("release", Calls.RELEASE);
                reply.put("names", Calls.NAMES);
                reply.put("ops", List.of("decode", "encode"));
            }
            case "decode" -> {
                byte[] data = HexFormat.of().parseHex((String) question.get("hex"));
                Read read = Calls.decode((String) question.get("name"), data);
                reply.put("value", read.value());
                if (read.version() != null) {
                    reply.put("version", read.version());
                }
                if (read.remainder() != null) {
                    reply.put("remainder", HexFormat.of().formatHex(read.remainder()));
                }
            }
            case "encode" -> {
                Map<String, Object> value = object(question.get("value"));
                if (value.get("userData") != null) {
                    value.put("userData", Base64.getDecoder().decode((String) value.get("userData")));
                }
                short version = ((Number) question.get("version")).shortValue();
                byte[] data = Calls.encode((String) question.get("name"), version, value);
                reply.put("hex", HexFormat.of().formatHex(data));
            }
            default -> throw new UnsupportedOperationException("no such op: " + op);
        }
        return reply;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    /** As much of JSON as the questions and answers have. */
    private static final class Json {
        private final String text;
        private int position;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            return switch (peek()) {
                case '{' -> map();
                case '[' -> list();
                case '"' -> string();
                case 't' -> word("true", true);
                case 'f' -> word("false", false);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(position))) {
                position++;
            }
            return text.charAt(position);
        }

        private boolean skips(char mark) {
            boolean is = peek() == mark;
            position += is ? 1 : 0;
            return is;
        }

        private Object word(String word, Object value) {
            position += word.length();
            return value;
        }

        private Map<String, Object> map() {
            Map<String, Object> map = new LinkedHashMap<>();
            position++;
            while (!skips('}')) {
                String key = string();
                skips(':');
                map.put(key, value());
                skips(',');
            }
            return map;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            position++;
            while (!skips(']')) {
                list.add(value());
                skips(',');
            }
            return list;
        }

        private Number number() {
            int start = position;
            while (position < text.length() && "+-0123456789".indexOf(text.charAt(position)) >= 0) {
                position++;
            }
            long number = Long.parseLong(text, start, position, 10);
            return number == (int) number ? (Number) (int) number : (Number) number;
        }

        private String string() {
            peek();
            StringBuilder result = new StringBuilder();
            for (position++; text.charAt(position) != '"'; position++) {
                char mark = text.charAt(position);
                if (mark != '\\') {
                    result.append(mark);
                    continue;
                }
                mark = text.charAt(++position);
                int plain = "bfnrt".indexOf(mark);
                if (mark == 'u') {
                    result.append((char) Integer.parseInt(text, position + 1, position + 5, 16));
                    position += 4;
                } else {
                    result.append(plain < 0 ? mark : "\b\f\n\r\t".charAt(plain));
                }
            }
            position++;
            return result.toString();
        }

        static String text(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> items = new ArrayList<>();
                map.forEach((key, item) -> items.add(text(key) + ":" + text(item)));
                return "{" + String.join(",", items) + "}";
            }
            if (value instanceof List<?> list) {
                return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
            }
            if (value instanceof byte[] data) {
                return "\"" + Base64.getEncoder().encodeToString(data) + "\"";
            }
            return value instanceof String text ? quoted(text) : String.valueOf(value);
        }

        private static String quoted(String text) {
            StringBuilder result = new StringBuilder("\"");
            for (char mark : text.toCharArray()) {
                if (mark == '"' || mark == '\\' || mark < ' ' || Character.isSurrogate(mark)) {
                    result.append(String.format("\\u%04x", (int) mark));
                } else {
                    result.append(mark);
                }
            }
            return result.append('"').toString();
        }
    }
}
