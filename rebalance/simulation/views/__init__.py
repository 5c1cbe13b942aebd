"""Views of runs: timelines, plots, pages and captures."""
