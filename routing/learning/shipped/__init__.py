"""The numbers that ship with a selection, fitted on public tasks.

A fit has three steps, each on what the one before made: a *head* over the encoder's vectors, a
*combination* of the features of a tool, and the mapping to a *confidence*. Each step sees features
that were made by a fit without the family whose tasks they are of, so that it learns how good the
evidence is on catalogs never seen, not on those it was fitted to.
"""
