"""Read the logs of brokers and clients into the events that their lines prove.

candidates  the lines that may be about groups, of a file of any size
layouts     what collectors and logging frameworks put around a message, and its time
exports     logs as JSON documents and as tables, entry by entry
rows        tables of known lines: a template, and the event that such a line proves
family      a program that writes lines; `broker`, `java` and others are one each
reader      all of them
"""
