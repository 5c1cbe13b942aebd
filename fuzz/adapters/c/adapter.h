/* What adapter.c and calls.c share. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *data; /* need not end with a NUL, and may hold some */
    int size;         /* -1: null */
} text;

typedef struct {
    text topic;
    int32_t *partitions;
    int count;
} entry;

enum { TOPICS = 1, USER_DATA = 2, OWNED = 4, GENERATION = 8, RACK = 16, ASSIGNED = 32,
       VERSION = 64, REMAINDER = 128 };

/* The fields of both messages. In decode, add the field's constant to `shown` if your client shows
 * it; in encode all fields have a value, Kafka's default where the question has none. */
typedef struct {
    unsigned shown;
    int version; /* the number that stands in the bytes */
    text *topics;
    int topic_count;
    entry *entries; /* of OWNED, in a subscription, or of ASSIGNED, in an assignment */
    int entry_count;
    text user_data;
    int32_t generation_id;
    text rack_id;
    text remainder; /* the bytes that were left unread */
} message;

/* What a call returns. */
enum { DONE, REFUSED, UNSUPPORTED };

/* Memory that is free again after the answer. */
void *take(size_t size);

#endif
