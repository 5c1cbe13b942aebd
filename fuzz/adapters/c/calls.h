/* The two calls to fill in, in calls.c, with your client's own code. */
#ifndef CALLS_H
#define CALLS_H

#include "adapter.h"

#define CLIENT "my-client"
#define RELEASE "1.0"
#define NAMES "\"ConsumerProtocolSubscription\", \"ConsumerProtocolAssignment\""

/* Reads the bytes of a message, version in front; adapter.h has its fields. Where it returns REFUSED
 * or UNSUPPORTED, *why says why. */
int decode(const char *name, const unsigned char *data, size_t size, message *result,
           const char **why);

/* Writes the bytes of a message, version in front: into memory from take(). If your client writes
 * none, return UNSUPPORTED from all calls. */
int encode(const char *name, int version, const message *value, unsigned char **data, size_t *size,
           const char **why);

#endif
