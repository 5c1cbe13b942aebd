"""The runtime of generated messages: base classes, engines, tagged fields, the registry."""
