"""The two calls to fill in with your client's own code."""

# Your client, here in the folder above: pip install .., or PYTHONPATH=.. python3 adapter.py
# import client

CLIENT = "my-client"
RELEASE = "1.0"
NAMES = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"]

REFUSALS = (ValueError,)
"""What your client raises for bytes or values that it refuses. Any other error ends the adapter, and
is reported as a crash.
"""


def decode(name, data):
    """Read the bytes of a message, version in front, and return a dict:

    version    the number that stands in the bytes
    value      for ConsumerProtocolSubscription: topics (list of str), userData (bytes or None),
               ownedPartitions (list of {"topic": str, "partitions": list of int}), generationId
               (int), rackId (str or None); for ConsumerProtocolAssignment: assignedPartitions (as
               ownedPartitions) and userData
    remainder  the bytes that were left unread

    Leave out what your client does not show. Raise NotImplementedError for what it has no way to do.
    """
    raise SystemExit("decode is to be filled in, in calls.py")


def encode(name, version, value):
    """Return the bytes of a message, version in front. `value` is a dict as in `decode`. If your
    client writes none, raise NotImplementedError in all calls.
    """
    raise SystemExit("encode is to be filled in, in calls.py")
