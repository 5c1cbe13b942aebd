"""Runs for people: timelines, plots, pages, diagrams; and as captures."""
