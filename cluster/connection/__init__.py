"""The protocol of a connection, without I/O: frames, version negotiation, authentication."""
