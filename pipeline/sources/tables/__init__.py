"""Tables of records of the offsets topic that other programs have written.

table_files    which files there are, in what form, and which of their columns are read
parts          a file part by part: row groups of parquet, stretches of lines
cells          bytes, numbers and times, in each of the forms that they are written in
table_records  rows as tables of `RECORDS`, as if they came from segments
scan           the partitions and offsets of each part
copies         each record once
times          times for records that have none
table_units    units of the audit: rows in the order of the log, each record once
"""
