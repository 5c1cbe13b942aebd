"""Views of runs: timelines, plots, pages, diagrams, and captures."""
