"""A simulated world: time, connections and an application around the machines."""
