/* A mutator for libFuzzer, cargo-fuzz and AFL++ that knows the layout of the message: it changes one
 * field, element, count or version, and corrects the length or count in front of it.
 *
 * Above stand, written by `kproto fuzz export`:
 *     LABEL_BYTES       bytes of the version (or record type) in front of the fields
 *     LOWEST, LAYOUTS   the lowest version, and the layout of each version from there
 *
 * A layout has one letter for each field:
 *     1 2 4 8 u         so many bytes; u: the 16 of a uuid
 *     s b               a string or bytes, behind a length of 2 or 4 bytes
 *     S B               the same behind a varint of length + 1
 *     ( ... )           an array behind a count of 4 bytes
 *     [ ... )           an array behind a varint of count + 1
 *     { ... )           a struct that may be null, behind a byte
 *     T                 tagged fields
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

enum {
    VERSIONS = sizeof LAYOUTS / sizeof *LAYOUTS,
    MOST_ITEMS = 1024,
    MOST_PLACES = 256,
    MOST_BYTES = 1 << 16, /* of one field that is changed */
    ROOM = 24             /* bytes by which one change of its text makes a field longer, at most */
};

typedef struct {
    size_t start, body, end; /* a length or count is from start to body */
    char type;               /* the letter of the layout; e for an element, t for a tagged field */
    const char *layout;      /* of an element or an array: the layout of an element */
    uint8_t place;           /* of what type it is, as a place in the layout of the message */
    int array;               /* of an element: which item its array is; else -1 */
    int64_t length;          /* the length or count, as it stands there */
} item;

static item items[MOST_ITEMS];
static int count;
static uint8_t *data;
static const char *whole_layout;
static size_t size, max_size, at; /* at: where reading is, and in the end where it stopped */
static int is_whole;              /* whether all could be read so far */

static uint32_t state;

static uint32_t below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(state ^ state >> 15) * bound) >> 32);
}

/* Reading: which items there are, and where. */

static int64_t read_fixed(size_t width) {
    uint64_t value = 0;
    if (size - at < width) {
        is_whole = 0;
        return 0;
    }
    for (size_t i = 0; i < width; i++)
        value = value << 8 | data[at++];
    return width < 8 ? (int64_t)(value << (64 - 8 * width)) >> (64 - 8 * width) : (int64_t)value;
}

static int64_t read_varint(void) {
    uint32_t value = 0;
    for (int shift = 0; shift < 35 && at < size; shift += 7) {
        uint8_t byte = data[at++];
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    is_whole = 0;
    return 0;
}

static size_t width_of(char type) {
    return type == 'u' ? 16 : (size_t)(type - '0');
}

static int is_fixed(char type) {
    return strchr("1248u", type) != NULL;
}

static int is_array(char type) {
    return type == '(' || type == '[';
}

static int64_t read_length(char type) {
    switch (type) {
    case 's':
        return read_fixed(2);
    case 'b':
    case '(':
        return read_fixed(4);
    case 't':
        return read_varint();
    default:
        return read_varint() - 1;
    }
}

static int add_item(char type, const char *layout, int array) {
    if (count == MOST_ITEMS) {
        is_whole = 0;
        return -1;
    }
    uint8_t place = (uint8_t)(layout - whole_layout);
    items[count] = (item){at, at, at, type, layout, place, array, 0};
    return count++;
}

static const char *closing(const char *layout) {
    for (int depth = 1; depth; layout++)
        depth += *layout == ')' ? -1 : *layout == '(' || *layout == '[' || *layout == '{';
    return layout - 1;
}

static void read_leaf(char type, const char *layout) {
    int index = add_item(type, layout, -1);
    if (index < 0)
        return;
    item *leaf = &items[index];
    int64_t length = is_fixed(type) ? (int64_t)width_of(type) : read_length(type);
    leaf->body = at;
    leaf->length = length;
    if (length > (int64_t)(size - at))
        is_whole = 0;
    if (is_whole && length > 0)
        at += (size_t)length;
    leaf->end = at;
    if (!is_whole && at == leaf->start)
        count--; /* not even its length is there */
}

static void read_tags(const char *layout) {
    for (int64_t tags = read_varint(); is_whole && tags > 0; tags--) {
        read_varint();
        if (is_whole)
            read_leaf('t', layout);
    }
}

static const char *read_fields(const char *layout);

static void read_array(char type, const char *layout) {
    int index = add_item(type, layout, -1);
    if (index < 0)
        return;
    int64_t length = read_length(type);
    items[index].body = items[index].end = at;
    items[index].length = length;
    for (; is_whole && length > 0; length--) {
        int element = add_item('e', layout, index);
        if (element < 0)
            return;
        read_fields(layout);
        items[element].end = at;
        if (is_whole)
            items[index].end = at;
    }
}

static const char *read_fields(const char *layout) {
    for (; is_whole && *layout && *layout != ')'; layout++) {
        if (is_array(*layout)) {
            read_array(*layout, layout + 1);
            layout = closing(layout + 1);
        } else if (*layout == '{') {
            if (read_fixed(1) >= 0)
                read_fields(layout + 1);
            layout = closing(layout + 1);
        } else if (*layout == 'T') {
            read_tags(layout);
        } else {
            read_leaf(*layout, layout);
        }
    }
    return layout;
}

static const char *layout_of(int64_t version) {
    int64_t row = version - LOWEST;
    return LAYOUTS[row < 0 ? 0 : row < VERSIONS ? row : VERSIONS - 1];
}

static int64_t read_message(void) {
    count = 0;
    at = 0;
    is_whole = 1;
    int64_t version = read_fixed(LABEL_BYTES);
    whole_layout = layout_of(version);
    read_fields(whole_layout);
    return version;
}

/* Writing. */

static size_t put_fixed(uint8_t *out, size_t width, int64_t value) {
    for (size_t i = width; i-- > 0; value >>= 8)
        out[i] = (uint8_t)value;
    return width;
}

static size_t put_varint(uint8_t *out, uint32_t value) {
    size_t width = 0;
    for (; value >= 0x80; value >>= 7)
        out[width++] = (uint8_t)(value | 0x80);
    out[width++] = (uint8_t)value;
    return width;
}

static size_t put_length(uint8_t *out, char type, int64_t length) {
    switch (type) {
    case 's':
        return put_fixed(out, 2, length);
    case 'b':
    case '(':
        return put_fixed(out, 4, length);
    case 't':
        return put_varint(out, (uint32_t)length);
    default:
        return put_varint(out, (uint32_t)length + 1);
    }
}

/* Writes the shortest message of a layout. */
static size_t put_empty(uint8_t *out, const char *layout) {
    size_t written = 0;
    for (; *layout && *layout != ')' && written < MOST_BYTES - 16; layout++) {
        if (is_fixed(*layout))
            written += put_fixed(out + written, width_of(*layout), 0);
        else if (*layout == '{')
            out[written++] = 0xff;
        else if (*layout == 'T')
            out[written++] = 0;
        else
            written += put_length(out + written, *layout, 0);
        if (is_array(*layout) || *layout == '{')
            layout = closing(layout + 1);
    }
    return written;
}

/* Puts other bytes in the place of those from start to end, if there is room for them. */
static int replace(size_t start, size_t end, const uint8_t *bytes, size_t length) {
    if (size - (end - start) + length > max_size)
        return 0;
    memmove(data + start + length, data + end, size - end);
    memcpy(data + start, bytes, length);
    size += length - (end - start);
    return 1;
}

static void set_length(const item *owner, int64_t length) {
    uint8_t prefix[8];
    replace(owner->start, owner->body, prefix, put_length(prefix, owner->type, length));
}

/* Changes of one kind each. */

static const int64_t CORNERS[] = {
    0, 1, -1, -2, 2, 127, 128, 255, 256, 512, 513, 32767, 32768, 65535, 65536,
    INT32_MAX, INT32_MIN, INT32_MAX - 1, INT64_MAX, INT64_MIN,
};

static int64_t corner(void) {
    return CORNERS[below(sizeof CORNERS / sizeof *CORNERS)];
}

/* Picks one of the items that fit: first a place of the layout, as a message may have a thousand
 * partitions and has one generation. */
static const item *pick(int (*fits)(const item *, const item *), const item *like) {
    static uint32_t numbers[MOST_PLACES]; /* how many items fit at each place */
    uint32_t places = 0, chosen = 0;
    memset(numbers, 0, sizeof numbers);
    for (int i = 0; i < count; i++)
        if (fits(&items[i], like) && numbers[items[i].place]++ == 0 && below(++places) == 0)
            chosen = items[i].place;
    if (places == 0)
        return NULL;
    uint32_t number = below(numbers[chosen]);
    for (int i = 0;; i++)
        if (items[i].place == chosen && fits(&items[i], like) && number-- == 0)
            return &items[i];
}

static int is_leaf(const item *candidate, const item *like) {
    (void)like;
    return candidate->type != 'e' && !is_array(candidate->type);
}

static int is_of_its_type(const item *candidate, const item *like) {
    return candidate != like && candidate->type == like->type;
}

static int is_sized_too(const item *candidate, const item *like) {
    return candidate != like && is_leaf(candidate, like) && !is_fixed(candidate->type);
}

static int is_an_array(const item *candidate, const item *like) {
    (void)like;
    return is_array(candidate->type);
}

static int is_element_of(const item *candidate, const item *array) {
    return candidate->array == array - items;
}

static int is_element_like(const item *candidate, const item *array) {
    return candidate->type == 'e' && candidate->layout == array->layout;
}

static void change_number(const item *field) {
    size_t width = field->end - field->start;
    uint64_t near;
    const item *second = pick(is_of_its_type, field);
    at = field->start;
    switch (below(6)) {
    case 0:
        put_fixed(data + field->start, width, corner());
        break;
    case 1:
        near = (uint64_t)read_fixed(width > 8 ? 8 : width) + (below(2) ? 1 : UINT64_MAX);
        put_fixed(data + field->start, width, (int64_t)near);
        break;
    case 2:
        if (second != NULL)
            memcpy(data + field->start, data + second->start, width);
        break;
    default: /* with what libFuzzer has seen compared */
        LLVMFuzzerMutate(data + field->start, width, width);
    }
}

static size_t drawn_length(void) {
    if (below(3) == 0)
        return 1u << below(13);
    return below(3) == 0 ? (size_t)CORNERS[5 + below(7)] : below(40);
}

static void change_text(const item *field) {
    static uint8_t text[MOST_BYTES];
    size_t length = field->end - field->body, filled;
    const item *second = pick(is_sized_too, field);
    if (length > MOST_BYTES - ROOM)
        return;
    memcpy(text, data + field->body, length);
    switch (below(8)) {
    case 0: /* of another field */
        if (second == NULL || second->end - second->body > MOST_BYTES)
            return;
        length = second->end - second->body;
        memcpy(text, data + second->body, length);
        break;
    case 1:
        filled = length;
        length = drawn_length();
        if (length > filled)
            memset(text + filled, below(2) ? 'a' : (int)below(256), length - filled);
        break;
    case 2: /* null where it may be */
        if (replace(field->body, field->end, text, 0))
            set_length(field, -1);
        return;
    case 3: /* a length that is not true */
        set_length(field, below(2) ? corner() : field->length + (below(2) ? 1 : -1));
        return;
    default:
        length = LLVMFuzzerMutate(text, length, length + ROOM);
    }
    if (replace(field->body, field->end, text, length))
        set_length(field, (int64_t)length);
}

static void change_field(void) {
    const item *field = pick(is_leaf, NULL);
    if (field != NULL && is_fixed(field->type) && field->end > field->start)
        change_number(field);
    else if (field != NULL && !is_fixed(field->type))
        change_text(field);
}

static void insert_elements(const item *array, const item *place) {
    static uint8_t element[MOST_BYTES];
    const item *model = pick(is_element_like, array);
    size_t start = place == NULL || below(3) == 0 ? array->end : place->start, length;
    if (model == NULL || below(6) == 0) {
        length = put_empty(element, array->layout);
    } else {
        length = model->end - model->start;
        if (length > MOST_BYTES)
            return;
        memcpy(element, data + model->start, length);
    }
    int64_t total = array->length < 0 ? 0 : array->length;
    for (uint32_t times = below(4) ? 1 : 1 + below(8); times > 0; times--)
        total += replace(start, start, element, length);
    set_length(array, total);
}

static void swap_elements(const item *first, const item *second) {
    static uint8_t both[MOST_BYTES];
    if (second->start < first->start) {
        const item *later = first;
        first = second;
        second = later;
    }
    size_t length = second->end - first->start, written = 0;
    if (first == second || length > MOST_BYTES)
        return;
    memcpy(both, data + second->start, written = second->end - second->start);
    memcpy(both + written, data + first->end, second->start - first->end);
    written += second->start - first->end;
    memcpy(both + written, data + first->start, first->end - first->start);
    memcpy(data + first->start, both, length);
}

static void change_array(void) {
    const item *array = pick(is_an_array, NULL);
    if (array == NULL || array->body == array->start)
        return;
    const item *element = pick(is_element_of, array);
    switch (below(8)) {
    case 0:
        set_length(array, below(2) ? corner() : array->length + (below(2) ? 1 : -1));
        break;
    case 1:
        if (below(4) == 0 && replace(array->body, array->end, data, 0))
            set_length(array, 0);
        else if (element != NULL && replace(element->start, element->end, data, 0))
            set_length(array, array->length - 1);
        break;
    case 2:
    case 3:
        if (element != NULL)
            swap_elements(element, pick(is_element_of, array));
        break;
    default:
        insert_elements(array, element);
    }
}

static void change_version(int64_t version) {
    static uint8_t fields[MOST_BYTES];
    if (VERSIONS == 1 && LABEL_BYTES == 2 && below(4))
        return;
    int64_t other = LOWEST + below(VERSIONS + 2);
    if (below(8) == 0)
        other = (int32_t)corner();
    const char *layout = layout_of(version), *longer = layout_of(other);
    size_t common = strlen(layout);
    if (is_whole && strncmp(layout, longer, common) == 0)
        replace(at, at, fields, put_empty(fields, longer + common));
    put_fixed(data, LABEL_BYTES, other);
}

static void change_end(void) {
    uint8_t tail[8];
    const item *cut = &items[below((uint32_t)count)];
    if (below(2)) {
        size = below(2) ? cut->start : cut->end;
        if (size < LABEL_BYTES)
            size = LABEL_BYTES;
    } else {
        size_t length = 1 + below(8);
        put_fixed(tail, 8, (int64_t)((uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX)));
        replace(size, size, tail, length);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned int seed) {
    state = seed * 2654435761u + 1;
    if (length < LABEL_BYTES || length > most || below(4) == 0)
        return LLVMFuzzerMutate(bytes, length, most);
    data = bytes;
    size = length;
    max_size = most;
    for (uint32_t changes = 1 + (below(2) ? below(4) : 0); changes > 0; changes--) {
        int64_t version = read_message();
        uint32_t kind = count ? below(16) : 0;
        if (kind == 0)
            change_version(version);
        else if (kind == 1)
            change_end();
        else if (kind < 7)
            change_array();
        else
            change_field();
    }
    return size;
}

#ifdef AFL
/* A shared library for AFL_CUSTOM_MUTATOR_LIBRARY: cc -DAFL -shared -fPIC. */
#include <stdlib.h>

typedef struct {
    size_t size;
    uint8_t *data;
} buffer;

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t most) {
    if (length < most && (length == 0 || below(3) == 0)) {
        size_t place = below((uint32_t)length + 1);
        memmove(bytes + place + 1, bytes + place, length - place);
        bytes[place] = (uint8_t)below(256);
        return length + 1;
    }
    if (length == 0)
        return 0;
    bytes[below((uint32_t)length)] ^= (uint8_t)(1u << below(8));
    return length;
}

void *afl_custom_init(void *afl, unsigned int seed) {
    (void)afl;
    state = seed;
    return calloc(1, sizeof(buffer));
}

size_t afl_custom_fuzz(buffer *own, uint8_t *bytes, size_t length, uint8_t **out, uint8_t *other,
                       size_t other_length, size_t most) {
    (void)other;
    (void)other_length;
    if (own->size < most) {
        own->data = realloc(own->data, most);
        own->size = most;
    }
    memcpy(own->data, bytes, length < most ? length : most);
    *out = own->data;
    return LLVMFuzzerCustomMutator(own->data, length < most ? length : most, most, below(UINT32_MAX));
}

void afl_custom_deinit(buffer *own) {
    free(own->data);
    free(own);
}
#endif
