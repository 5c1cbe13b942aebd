"""Kafka's primitive types on the wire."""
