"""The fuzz and conformance kit: guarantees as properties, other people's decoders as oracles."""
