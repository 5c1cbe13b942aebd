"""Reports for programs: JSON objects and lines, SARIF and JUnit XML."""
