"""Read the logs of brokers and clients into the events that their lines prove."""
