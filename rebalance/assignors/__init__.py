"""The assignors of Kafka's clients."""
