"""Reports for programs: what is printed of messages, frames and records, as shapes and lines."""
