/* A correct client of a few lines: what `kproto conform --init c` asks to be filled in. */
#include <string.h>

#include "calls.h"

typedef struct {
    const unsigned char *data;
    size_t left;
    int failed;
} reader;

static const unsigned char *cut(reader *in, long size) {
    static const unsigned char zeros[4];
    if (size < 0 || (size_t)size > in->left)
        in->failed = 1;
    if (in->failed)
        return zeros;
    in->data += size;
    in->left -= (size_t)size;
    return in->data - size;
}

static int get16(reader *in) {
    const unsigned char *data = cut(in, 2);
    return (int16_t)(data[0] << 8 | data[1]);
}

static int32_t get32(reader *in) {
    const unsigned char *data = cut(in, 4);
    return (int32_t)((uint32_t)data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3]);
}

static text get_text(reader *in, int size) {
    return (text){(const char *)cut(in, size), in->failed ? 0 : size};
}

/* A count that the bytes cannot hold fails before memory is taken. */
static int get_count(reader *in, size_t least) {
    int count = get32(in);
    if (count < 0 || (size_t)count > in->left / least)
        in->failed = 1;
    return in->failed ? 0 : count;
}

static void get_entries(reader *in, message *result) {
    result->entry_count = get_count(in, 6);
    result->entries = take(result->entry_count * sizeof(entry));
    for (int i = 0; i < result->entry_count && !in->failed; i++) {
        entry *item = &result->entries[i];
        item->topic = get_text(in, get16(in));
        item->count = get_count(in, 4);
        item->partitions = take(item->count * sizeof(int32_t));
        for (int j = 0; j < item->count; j++)
            item->partitions[j] = get32(in);
    }
}

int decode(const char *name, const unsigned char *data, size_t size, message *result,
           const char **why) {
    reader in = {data, size, 0};
    int subscription = strcmp(name, "ConsumerProtocolSubscription") == 0;
    result->version = get16(&in);
    result->shown = VERSION | REMAINDER | USER_DATA | (subscription ? TOPICS : ASSIGNED);
    if (subscription) {
        result->topic_count = get_count(&in, 2);
        result->topics = take(result->topic_count * sizeof(text));
        for (int i = 0; i < result->topic_count && !in.failed; i++)
            result->topics[i] = get_text(&in, get16(&in));
    } else {
        get_entries(&in, result);
    }
    int length = get32(&in);
    if (length >= 0)
        result->user_data = get_text(&in, length);
    if (subscription && result->version >= 1) {
        result->shown |= OWNED;
        get_entries(&in, result);
    }
    if (subscription && result->version >= 2) {
        result->shown |= GENERATION;
        result->generation_id = get32(&in);
    }
    if (subscription && result->version >= 3) {
        result->shown |= RACK;
        length = get16(&in);
        if (length >= 0)
            result->rack_id = get_text(&in, length);
    }
    result->remainder = (text){(const char *)in.data, (int)in.left};
    *why = result->version < 0 ? "Refused: a negative version" : "Refused: too few bytes";
    return in.failed || result->version < 0 ? REFUSED : DONE;
}

typedef struct {
    unsigned char *data; /* NULL while the size is counted */
    size_t size;
    int failed;
} writer;

static void put(writer *out, const void *bytes, size_t size) {
    if (out->data != NULL && size > 0)
        memcpy(out->data + out->size, bytes, size);
    out->size += size;
}

static void put16(writer *out, int number) {
    unsigned char bytes[] = {(unsigned char)(number >> 8), (unsigned char)number};
    out->failed |= number > INT16_MAX;
    put(out, bytes, 2);
}

static void put32(writer *out, int32_t number) {
    put16(out, (int16_t)(number >> 16));
    put16(out, (int16_t)number);
}

static void put_string(writer *out, text value) {
    put16(out, value.size);
    put(out, value.data, value.size < 0 ? 0 : (size_t)value.size);
}

static void put_entry_list(writer *out, const message *value) {
    put32(out, value->entry_count);
    for (int i = 0; i < value->entry_count; i++) {
        put_string(out, value->entries[i].topic);
        put32(out, value->entries[i].count);
        for (int j = 0; j < value->entries[i].count; j++)
            put32(out, value->entries[i].partitions[j]);
    }
}

static void write_message(writer *out, int subscription, int version, const message *value) {
    put16(out, version);
    if (subscription) {
        put32(out, value->topic_count);
        for (int i = 0; i < value->topic_count; i++)
            put_string(out, value->topics[i]);
    } else {
        put_entry_list(out, value);
    }
    put32(out, value->user_data.size);
    put(out, value->user_data.data, value->user_data.size < 0 ? 0 : (size_t)value->user_data.size);
    if (subscription && version >= 1)
        put_entry_list(out, value);
    if (subscription && version >= 2)
        put32(out, value->generation_id);
    if (subscription && version >= 3)
        put_string(out, value->rack_id);
}

int encode(const char *name, int version, const message *value, unsigned char **data, size_t *size,
           const char **why) {
    int subscription = strcmp(name, "ConsumerProtocolSubscription") == 0;
    writer out = {NULL, 0, version < 0 || version > 3};
    write_message(&out, subscription, version, value);
    *why = "Value: does not fit";
    if (out.failed)
        return REFUSED;
    out.data = *data = take(out.size);
    out.size = 0;
    write_message(&out, subscription, version, value);
    *size = out.size;
    return DONE;
}
