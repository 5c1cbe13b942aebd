"""Views for people: terminal, SVG and HTML."""
