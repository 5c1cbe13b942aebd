"""Kafka's dialect of message definitions: grammar, versions, layouts, rules of evolution."""
