"""How long spans are kept: runs go as a whole, once nothing has happened in them for so long.

With a run go its spans, their words, its calls and its approvals; the counts of its hours stay.
``boundary`` says what goes, ``rows`` deletes run by run, ``days`` drops whole partitions where the
database has them, ``facts`` keeps the search of runs from hours that are empty now, and ``pruning``
does it all. Nothing goes that does not count yet.
"""
