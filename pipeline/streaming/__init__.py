"""Following a live broker: an audit that goes on, with Spark's Structured Streaming.

    position        up to where the topic is read, what is admitted next, what to do about a loss
    stream_source   the streaming data source, which reads the topic and condenses it where it reads
    signals         what a group is told: its records, sums of its commits, looks at its state
    memory          what is kept of a group from one batch to the next
    group_follower  one group, signal by signal, by the function of every audit
                    (`groups.group_audit`)
    published       the tables, replaced batch by batch
    query           all of it together, on Spark

Everything but `stream_source` and `query` is plain state, input, new state: no clock, no Spark.

Exactly once comes from three things that Spark writes down before a batch runs, and takes again
when the batch has to be repeated: where it begins and ends, what the broker said of its groups, and
the time up to which all is known. A repeated batch has the same rows, and files of the same names.
"""

from __future__ import annotations

from .position import OnLost

__all__ = ["OnLost"]
