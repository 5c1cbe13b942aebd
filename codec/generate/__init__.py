"""Python source from definitions: classes, readers and writers."""
