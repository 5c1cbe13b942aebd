"""The instructions of the columnar decoder's machine, and how one is laid out.

A row of a program is `WIDTH` int64: the instruction, then the addresses of the column that it
fills (0 where it has no such buffer), then a number, then a row to go on at.

    code, offsets, values, validity, number, target

What a column's entry is depends on `e`, the index of the current element in its container: the
value stands at values[e], text and lists between offsets[e] and offsets[e + 1]. Because the place
of an entry follows from the one before it, writing an entry again undoes the first time. So a
default is written first where a tagged field may follow, a field that comes twice overwrites
itself, and a row that turns out to be malformed is overwritten by the next.
"""

from __future__ import annotations

WIDTH = 6
CODE, OFFSETS, VALUES, VALIDITY, NUMBER, TARGET = range(WIDTH)

END = 0  # the message was read
JUMP = 1  # go on at target

# Read one value. The wire's int8 ... int64 (float64 is moved like int64).
READ_BOOL = 2
READ_INT8 = 3
READ_INT16 = 4
READ_UINT16 = 5  # stored as int32: neither Java nor Spark has unsigned integers
READ_INT32 = 6
READ_UINT32 = 7  # stored as int64
READ_INT64 = 8
READ_UUID = 9
READ_SIZED = 10  # text or bytes; number: the flags below
READ_STRING = 11  # the same for a string that has an int16 length and may not be null

# Write one value without reading.
PUT_INT8 = 12
PUT_INT16 = 13
PUT_INT32 = 14
PUT_INT64 = 15
PUT_ZERO_UUID = 16
PUT_EMPTY = 17  # no bytes, no elements; number: 0 where that means null
PUT_VALIDITY = 18

# Arrays; number: flags.
LIST = 19  # the elements' instructions follow; an empty or null one goes on at target
NEXT = 20  # the end of one element's instructions
LIST_INT32 = 21  # a whole array at once; the elements' column stands in the next row
LIST_STRINGS = 22  # the same

PRESENT = 23  # a nullable struct; where null, go on at target
OPTIONAL = 24  # where the message ends here, go on at target

TAGS = 25  # a tag section; its column is the list of the unknown ones
NEXT_TAG = 26  # the arms follow; without a tag left, go on at target
ARM = 27  # number: a tag; if it is that, go on at target (or refuse it, where that is -1)
UNKNOWN_TAG = 28  # what no arm took; the next two rows have the columns of tag and data; target
COLUMN = 29  # such a row; it is never run

# Flags of READ_SIZED, LIST and LIST_*: what the length is and what it counts.
COMPACT = 1  # a varint of length + 1
SHORT = 2  # an int16; without either flag an int32
NULLABLE = 4
TEXT = 8
