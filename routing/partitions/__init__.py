"""Daily partitions of spans and their words, on PostgreSQL.

Both tables are partitioned by the number of the span, so that keys and the ORM stay as they are.
The numbers of a day are known beforehand (``days``); ``tables`` makes and drops partitions,
``opening`` begins each day, ``since`` says which numbers a time can have, and ``migrating`` turns
plain tables into partitioned ones and back. On SQLite the tables stay plain.
"""
