"""Log segments of the offsets topic.

files          which files there are, and which task reads which part of them
split_reader   the records of a part, as tables
replica_dedup  each record once, of several copies of a partition
segment_units  units of the audit
"""
