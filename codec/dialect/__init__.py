"""Kafka's dialect of message definitions: its grammar, versions, layouts and rules of evolution."""
