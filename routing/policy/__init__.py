"""The pure decisions of the boundary: may this call be made?

No Django, no I/O, no clock. ``checks.decide`` decides on a proposal, ``leases`` says what may be
done under a bound key, ``output`` reads what came back, and ``circuits`` when one opens.
"""
