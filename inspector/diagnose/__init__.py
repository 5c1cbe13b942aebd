"""What is wrong with a message, who could have written it, and who could read it."""
