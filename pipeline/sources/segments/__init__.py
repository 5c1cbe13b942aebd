"""Log segments of the offsets topic.

files          which files there are, and which task reads which part of them
reading        the records of a part, as tables
replica_dedup  each record once, of several copies of a partition
source         units of the audit
"""
