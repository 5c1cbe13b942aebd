"""What generated messages are made of: base classes, engines, tagged fields, the registry."""
