# mypy: ignore-errors
"""A correct client of a few lines: what `kproto conform --init python` asks to be filled in."""

CLIENT, RELEASE = "my-client", "1.0"
NAMES = ["ConsumerProtocolSubscription", "ConsumerProtocolAssignment"]
REFUSALS = (ValueError, OverflowError)


class Reader:
    def __init__(self, data):
        self.data, self.position = data, 0

    def take(self, size):
        if not 0 <= size <= len(self.data) - self.position:
            raise ValueError(f"{size} bytes at {self.position}")
        self.position += size
        return self.data[self.position - size : self.position]

    def int(self, size):
        return int.from_bytes(self.take(size), "big", signed=True)

    def text(self):
        return self.take(self.int(2)).decode(errors="replace")

    def list(self, item):
        count = self.int(4)
        if count < 0:
            raise ValueError(f"a count of {count}")
        return [item() for _ in range(count)]

    def user_data(self):
        size = self.int(4)
        return None if size < 0 else self.take(size)

    def entry(self):
        return {"topic": self.text(), "partitions": self.list(lambda: self.int(4))}


def decode(name, data):
    reader = Reader(data)
    version = reader.int(2)
    if version < 0:
        raise ValueError(f"version {version}")
    if name == "ConsumerProtocolAssignment":
        entries = reader.list(reader.entry)
        value = {"assignedPartitions": entries, "userData": reader.user_data()}
    else:
        value = {"topics": reader.list(reader.text), "userData": reader.user_data()}
        if version >= 1:
            value["ownedPartitions"] = reader.list(reader.entry)
        if version >= 2:
            value["generationId"] = reader.int(4)
        if version >= 3:
            size = reader.int(2)
            value["rackId"] = None if size < 0 else reader.take(size).decode(errors="replace")
    return {"version": version, "value": value, "remainder": data[reader.position :]}


def encode(name, version, value):
    if not 0 <= version <= 3:
        raise ValueError(f"version {version}")
    head = number(2, version)
    if name == "ConsumerProtocolAssignment":
        return head + items(entry, value["assignedPartitions"]) + blob(value.get("userData"))
    data = head + items(text, value["topics"]) + blob(value.get("userData"))
    if version >= 1:
        data += items(entry, value.get("ownedPartitions", []))
    if version >= 2:
        data += number(4, value.get("generationId", -1))
    if version >= 3:
        rack = value.get("rackId")
        data += number(2, -1) if rack is None else text(rack)
    return data


def number(size, value):
    return value.to_bytes(size, "big", signed=True)


def items(item, values):
    return number(4, len(values)) + b"".join(map(item, values))


def text(value):
    data = value.encode()
    return number(2, len(data)) + data


def blob(data):
    return number(4, -1) if data is None else number(4, len(data)) + data


def entry(value):
    return text(value["topic"]) + items(lambda it: number(4, it), value["partitions"])
