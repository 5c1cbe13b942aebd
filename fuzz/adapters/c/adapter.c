/* An adapter: it answers the questions of `kproto conform` with the two calls in calls.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* Memory of one question. */

typedef struct block {
    struct block *next;
    max_align_t data[];
} block;

static block *blocks;

void *take(size_t size) {
    block *new = calloc(1, sizeof(block) + size + 1);
    if (new == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    new->next = blocks;
    blocks = new;
    return new->data;
}

static void give_back(void) {
    while (blocks != NULL) {
        block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

/* Reading: as much of JSON as the questions have. */

static const char *at;
static int unfit; /* whether a number of the question is no int32 */

static int skips(char mark) {
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    if (*at != mark)
        return 0;
    at++;
    return 1;
}

static unsigned hex_digits(const char *digits, int count) {
    char copy[5] = {0};
    memcpy(copy, digits, count);
    return (unsigned)strtoul(copy, NULL, 16);
}

static char *put_utf8(char *out, unsigned point) {
    if (point < 0x80) {
        *out++ = (char)point;
    } else if (point < 0x800) {
        *out++ = (char)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *out++ = (char)(0xe0 | point >> 12);
        } else {
            *out++ = (char)(0xf0 | point >> 18);
            *out++ = (char)(0x80 | (point >> 12 & 0x3f));
        }
        *out++ = (char)(0x80 | (point >> 6 & 0x3f));
    }
    if (point >= 0x80)
        *out++ = (char)(0x80 | (point & 0x3f));
    return out;
}

static text read_text(void) {
    if (!skips('"')) {
        at += strlen("null");
        return (text){NULL, -1};
    }
    size_t length = 0;
    while (at[length] != '"' && at[length] != 0)
        length += at[length] == '\\' && at[length + 1] != 0 ? 2 : 1;
    char *start = take(length), *out = start;
    for (const char *end = at + length; at < end;) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        char mark = at[1];
        const char *plain = mark == 0 ? NULL : strchr("b\bf\fn\nr\rt\t", mark);
        at += 2;
        if (mark != 'u') {
            *out++ = plain == NULL ? mark : plain[1];
            continue;
        }
        unsigned point = hex_digits(at, 4);
        at += 4;
        if (point >> 10 == 0x36 && at[0] == '\\' && at[1] == 'u') { /* a pair of surrogates */
            point = 0x10000 + ((point & 0x3ff) << 10) + (hex_digits(at + 2, 4) & 0x3ff);
            at += 6;
        }
        out = put_utf8(out, point);
    }
    at++;
    return (text){start, (int)(out - start)};
}

static int32_t read_number(void) {
    char *end;
    long long number = strtoll(at, &end, 10);
    at = end;
    unfit |= number != (int32_t)number;
    return (int32_t)number;
}

/* Reads a list with one of the functions below, which adds an item. */
static void read_list(message *value, void (*add)(message *)) {
    if (!skips('['))
        at += strlen("null");
    else
        while (!skips(']')) {
            add(value);
            skips(',');
        }
}

/* Makes room for one more item: lists double. */
static void *grown(void *items, int count, size_t size) {
    if (count & (count - 1))
        return items;
    void *more = take(2 * (size_t)(count ? count : 1) * size);
    if (count)
        memcpy(more, items, count * size);
    return more;
}

static void add_topic(message *value) {
    value->topics = grown(value->topics, value->topic_count, sizeof(text));
    value->topics[value->topic_count++] = read_text();
}

static void add_partition(message *value) {
    entry *last = &value->entries[value->entry_count - 1];
    last->partitions = grown(last->partitions, last->count, sizeof(int32_t));
    last->partitions[last->count++] = read_number();
}

static int is(text key, const char *name) {
    return key.size == (int)strlen(name) && memcmp(key.data, name, key.size) == 0;
}

static void add_entry(message *value) {
    value->entries = grown(value->entries, value->entry_count, sizeof(entry));
    entry *last = &value->entries[value->entry_count++];
    *last = (entry){{NULL, -1}, NULL, 0};
    skips('{');
    while (!skips('}')) {
        text key = read_text();
        skips(':');
        skips(' ');
        if (is(key, "topic"))
            last->topic = read_text();
        else
            read_list(value, add_partition);
        skips(',');
    }
}

static text from_base64(text encoded) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (encoded.size < 0)
        return encoded;
    char *data = take(encoded.size);
    unsigned bits = 0;
    int count = 0, size = 0;
    for (int i = 0; i < encoded.size && encoded.data[i] != '='; i++) {
        bits = bits << 6 | (unsigned)(strchr(digits, encoded.data[i]) - digits);
        if ((count += 6) >= 8)
            data[size++] = (char)(bits >> (count -= 8));
    }
    return (text){data, size};
}

static void read_value(message *value) {
    skips('{');
    while (!skips('}')) {
        text key = read_text();
        skips(':');
        skips(' ');
        if (is(key, "topics"))
            read_list(value, add_topic);
        else if (is(key, "userData"))
            value->user_data = from_base64(read_text());
        else if (is(key, "rackId"))
            value->rack_id = read_text();
        else if (is(key, "generationId"))
            value->generation_id = read_number();
        else
            read_list(value, add_entry);
        skips(',');
    }
}

/* Writing. */

/* Returns how many bytes form a character of UTF-8, 0 where none is. */
static int utf8_length(const unsigned char *data, int size) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = data[0] < 0x80 ? 1 : data[0] >> 5 == 6 ? 2 : data[0] >> 4 == 14 ? 3
               : data[0] >> 3 == 30 ? 4 : 0;
    if (length < 2)
        return length;
    unsigned point = data[0] & (0x7f >> length);
    for (int i = 1; i < length; i++) {
        if (i >= size || data[i] >> 6 != 2)
            return 0;
        point = point << 6 | (data[i] & 0x3f);
    }
    return point < least[length] || point > 0x10ffff || point >> 11 == 0x1b ? 0 : length;
}

static void put_text(text value) {
    if (value.size < 0) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (int i = 0; i < value.size;) {
        const unsigned char *data = (const unsigned char *)value.data + i;
        int length = utf8_length(data, value.size - i);
        if (length == 0) /* JSON cannot say it */
            fputs("\\ufffd", stdout);
        else if (length == 1 && (*data < ' ' || *data == '"' || *data == '\\'))
            printf("\\u%04x", *data);
        else
            fwrite(data, 1, length, stdout);
        i += length ? length : 1;
    }
    putchar('"');
}

static void put_hex(const unsigned char *data, size_t size) {
    putchar('"');
    for (size_t i = 0; i < size; i++)
        printf("%02x", data[i]);
    putchar('"');
}

static void put_base64(text data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (data.size < 0) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (int i = 0; i < data.size; i += 3) {
        unsigned bits = 0;
        for (int j = 0; j < 3; j++)
            bits = bits << 8 | (i + j < data.size ? (unsigned char)data.data[i + j] : 0);
        for (int j = 0; j < 4; j++)
            putchar(i + j > data.size ? '=' : digits[bits >> (18 - 6 * j) & 63]);
    }
    putchar('"');
}

static void put_entries(const message *value) {
    putchar('[');
    for (int i = 0; i < value->entry_count; i++) {
        fputs(i ? ", {\"topic\": " : "{\"topic\": ", stdout);
        put_text(value->entries[i].topic);
        fputs(", \"partitions\": [", stdout);
        for (int j = 0; j < value->entries[i].count; j++)
            printf(j ? ", %d" : "%d", value->entries[i].partitions[j]);
        fputs("]}", stdout);
    }
    putchar(']');
}

static const char *comma;

static int shows(const message *value, unsigned field, const char *key) {
    if (!(value->shown & field))
        return 0;
    printf("%s\"%s\": ", comma, key);
    comma = ", ";
    return 1;
}

static void put_message(const message *value) {
    fputs(", \"ok\": true, \"value\": {", stdout);
    comma = "";
    if (shows(value, TOPICS, "topics")) {
        putchar('[');
        for (int i = 0; i < value->topic_count; i++) {
            fputs(i ? ", " : "", stdout);
            put_text(value->topics[i]);
        }
        putchar(']');
    }
    if (shows(value, USER_DATA, "userData"))
        put_base64(value->user_data);
    if (shows(value, OWNED, "ownedPartitions"))
        put_entries(value);
    if (shows(value, GENERATION, "generationId"))
        printf("%d", value->generation_id);
    if (shows(value, RACK, "rackId"))
        put_text(value->rack_id);
    if (shows(value, ASSIGNED, "assignedPartitions"))
        put_entries(value);
    putchar('}');
    comma = ", ";
    if (shows(value, VERSION, "version"))
        printf("%d", value->version);
    if (shows(value, REMAINDER, "remainder"))
        put_hex((const unsigned char *)value->remainder.data, value->remainder.size);
}

/* Questions and answers. */

typedef struct {
    int32_t id, version;
    text op, name, hex;
    message value;
} question;

static question read_question(void) {
    question asked = {0};
    asked.value.user_data.size = asked.value.rack_id.size = -1;
    asked.value.generation_id = -1;
    skips('{');
    while (!skips('}')) {
        text key = read_text();
        skips(':');
        skips(' ');
        if (is(key, "id"))
            asked.id = read_number();
        else if (is(key, "version"))
            asked.version = read_number();
        else if (is(key, "value"))
            read_value(&asked.value);
        else
            *(is(key, "op") ? &asked.op : is(key, "name") ? &asked.name : &asked.hex) = read_text();
        skips(',');
    }
    return asked;
}

static void put_reason(int outcome, const char *why) {
    fputs(", \"ok\": false, \"error\": ", stdout);
    put_text((text){why, (int)strlen(why)});
    if (outcome == UNSUPPORTED)
        fputs(", \"unsupported\": true", stdout);
}

static void answer(question *asked) {
    const char *why = "no reason";
    unsigned char *data = NULL;
    size_t size = 0;
    int outcome = UNSUPPORTED;
    if (is(asked->op, "hello")) {
        fputs(", \"ok\": true, \"protocol\": 1, \"client\": \"" CLIENT "\", \"release\": \"" RELEASE
              "\", \"names\": [" NAMES "], \"ops\": [\"decode\", \"encode\"]", stdout);
        return;
    }
    if (is(asked->op, "decode")) {
        message result = {0};
        result.user_data.size = result.rack_id.size = -1;
        size = asked->hex.size / 2;
        data = take(size);
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)hex_digits(asked->hex.data + 2 * i, 2);
        outcome = decode(asked->name.data, data, size, &result, &why);
        if (outcome == DONE) {
            put_message(&result);
            return;
        }
    } else if (is(asked->op, "encode") && unfit) {
        outcome = REFUSED;
        why = "a number is no int32";
    } else if (is(asked->op, "encode")) {
        outcome = encode(asked->name.data, asked->version, &asked->value, &data, &size, &why);
        if (outcome == DONE) {
            fputs(", \"ok\": true, \"hex\": ", stdout);
            put_hex(data, size);
            return;
        }
    }
    put_reason(outcome, why);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        at = line;
        unfit = 0;
        question asked = read_question();
        printf("{\"id\": %d", asked.id);
        answer(&asked);
        puts("}");
        fflush(stdout);
        give_back();
    }
    free(line);
    return 0;
}
