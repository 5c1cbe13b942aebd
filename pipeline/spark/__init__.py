"""Spark: a session, its Java, and the data source `kproto.offsets`."""
