"""What is inside of messages: nested messages and user data."""
