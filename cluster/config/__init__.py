"""How to reach a cluster: configurations of the Java client and of librdkafka, the environment."""
