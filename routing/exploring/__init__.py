"""Find runs by what happened in them, newest first, however many there are.

``asking`` says what is looked for; ``hours`` tells from the counts by the hour where it can be;
``searching`` looks there.
"""
