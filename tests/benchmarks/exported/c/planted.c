/* The decoder of ../go/planted.go, with the same faults, for libFuzzer and AFL++. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

typedef struct {
    const uint8_t *at, *end;
    int is_short;
} reader;

typedef struct {
    const uint8_t *at;
    int size;
} text;

/* Writes a name to the file that MET names, once a process. */
static void fault(const char *name) {
    static const char *met[32];
    int i = 0;
    for (; met[i] != NULL; i++)
        if (met[i] == name)
            return;
    met[i] = name;
    FILE *file = fopen(getenv("MET"), "a");
    if (file == NULL)
        abort();
    fprintf(file, "%s\n", name);
    fclose(file);
}

static text take(reader *r, int size) {
    if (r->is_short || size < 0 || size > r->end - r->at) {
        r->is_short = 1;
        return (text){r->at, 0};
    }
    r->at += size;
    return (text){r->at - size, size};
}

static int integer(reader *r, int width) {
    text taken = take(r, width);
    uint32_t value = 0;
    for (int i = 0; i < taken.size; i++)
        value = value << 8 | taken.at[i];
    return width == 2 ? (int16_t)value : (int32_t)value;
}

static text string(reader *r) {
    return take(r, integer(r, 2));
}

static int same(text one, text two) {
    return one.size == two.size && memcmp(one.at, two.at, (size_t)one.size) == 0;
}

static int is(text one, const char *other) {
    return same(one, (text){(const uint8_t *)other, (int)strlen(other)});
}

static int above(text one, text two) {
    int shorter = one.size < two.size ? one.size : two.size;
    int order = memcmp(one.at, two.at, (size_t)shorter);
    return order > 0 || (order == 0 && one.size > two.size);
}

static void in_fields(int version, const text *topics, int count, text user_data) {
    if (version < 0 && count > 0)
        fault("a topic in a negative version");
    if (count == 3 && topics[1].size > 1 && topics[1].at[0] == 'z' && topics[1].at[1] == 'q')
        fault("the second of three topics begins with zq");
    if (version == 1 && count > 1 && topics[0].size > 0 && same(topics[0], topics[1]))
        fault("a topic twice in version 1");
    if (user_data.size > 1 && user_data.at[0] == user_data.at[1] && user_data.at[0] != 0)
        fault("two equal bytes in user data");
    if (user_data.size == 23)
        fault("user data of 23 bytes");
    if (user_data.size > 3 && memcmp(user_data.at, "\xca\xfe\xba\xbe", 4) == 0)
        fault("user data that begins with cafebabe");
    if (user_data.size > 0 && count > 0 && same(user_data, topics[0]))
        fault("user data that is the first topic");
    if (count == 9)
        fault("nine topics");
    for (int i = 0; i < count; i++) {
        if (is(topics[i], "__consumer_offsets"))
            fault("a topic of the broker's own");
        if (topics[i].size == 249)
            fault("a topic of 249 bytes");
    }
    for (int i = 1; i < count; i++)
        if (count == 4 && above(topics[i - 1], topics[i]))
            fault("four topics out of order");
}

typedef struct {
    int count, partitions, has_empty, has_largest, has_twice, is_beside;
    text topics[3];
    int sizes[3];
} owned_entries;

static int is_among(text one, const text *topics, int count) {
    for (int i = 0; i < count; i++)
        if (same(one, topics[i]))
            return 1;
    return 0;
}

static owned_entries entries(reader *r, const text *topics, int count) {
    owned_entries owned = {0};
    text previous = {0};
    for (int left = integer(r, 4); left > 0 && !r->is_short; left--) {
        text topic = string(r);
        int partitions = integer(r, 4);
        owned.has_empty |= partitions <= 0;
        owned.has_twice |= owned.count > 0 && same(previous, topic);
        owned.is_beside |= !is_among(topic, topics, count);
        if (owned.count < 3) {
            owned.topics[owned.count] = topic;
            owned.sizes[owned.count] = partitions;
        }
        for (; partitions > 0 && !r->is_short; partitions--) {
            owned.has_largest |= integer(r, 4) == INT32_MAX;
            owned.partitions++;
        }
        previous = topic;
        owned.count++;
    }
    return owned;
}

static void in_later_fields(int version, const text *topics, int count, owned_entries owned,
                            int generation, text rack) {
    if (owned.has_empty)
        fault("an owned topic without partitions");
    if (owned.has_largest)
        fault("the largest partition");
    if (owned.has_twice)
        fault("an owned topic twice");
    if (owned.partitions == 7)
        fault("seven partitions in all");
    if (generation == 77777)
        fault("generation 77777");
    if (version >= 3 && count > 0 && rack.size > 0 && same(rack, topics[0]))
        fault("a rack that is a topic");
    if (is(rack, "eu-west"))
        fault("rack eu-west");
    if (version > 3 && owned.count > 1)
        fault("two owned topics in a newer version");
}

static void in_combinations(int version, int count, owned_entries owned, int generation,
                            text user_data) {
    text first = owned.topics[0];
    if (owned.count > 2 && same(first, owned.topics[2]) && !same(first, owned.topics[1]))
        fault("the first owned topic again as the third");
    if (owned.count == 3 && owned.sizes[0] == 2 && owned.sizes[1] == 0 && owned.sizes[2] == 1)
        fault("two, no and one partition");
    if (user_data.size > 3 && generation > 255) {
        reader r = {user_data.at, user_data.at + 4, 0};
        if (integer(&r, 4) == generation)
            fault("user data that begins with the generation");
    }
    if (version == 1 && count == 2 && owned.is_beside)
        fault("an owned topic beside the two topics of version 1");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static text topics[MOST];
    reader r = {data, data + size, 0};
    int version = integer(&r, 2), count = 0, generation = -1;
    text user_data = {data, 0}, rack = {data, 0};
    for (int left = integer(&r, 4); left > 0 && !r.is_short && count < MOST; left--)
        topics[count++] = string(&r);
    int length = integer(&r, 4);
    if (length >= 0)
        user_data = take(&r, length);
    if (r.is_short)
        return 0;
    in_fields(version, topics, count, user_data);
    if (version < 1)
        return 0;
    owned_entries owned = entries(&r, topics, count);
    if (version >= 2)
        generation = integer(&r, 4);
    if (version >= 3 && (length = integer(&r, 2)) >= 0)
        rack = take(&r, length);
    if (r.is_short)
        return 0;
    in_later_fields(version, topics, count, owned, generation, rack);
    in_combinations(version, count, owned, generation, user_data);
    if (is(rack, "a") && generation == 1 && user_data.size == 1 && user_data.at[0] == 1)
        fault("rack a, generation 1 and user data of a one");
    if (r.end - r.at == 11)
        fault("eleven bytes left over");
    return 0;
}
