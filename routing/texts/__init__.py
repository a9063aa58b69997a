"""Words that are stored already: what a changed setting asks of them, and their age."""
