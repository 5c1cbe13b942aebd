"""The audit of records, wherever they come from and wherever it runs: one function.

    options       what is asked, and what is known besides the records
    intake        tables of records: what is asked for, what cannot be read, and how many
    partition     `audited`: tables of the records of a cluster in, rows of the audit's tables out
    group_audit   the groups of a partition, or one that is followed
    fleet         the verdict on all groups together, and their order

Nothing here knows of processes, Spark or files.
"""
