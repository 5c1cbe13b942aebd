"""Python source generated from definitions: classes, readers and writers."""
