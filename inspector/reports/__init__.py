"""Reports for programs: JSON."""
