"""Reports for programs: JSON, SARIF and JUnit XML."""
