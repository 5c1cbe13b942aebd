"""The guarantees, the properties that check them, and the decoders they are checked on."""
