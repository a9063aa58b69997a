"""Trying tasks on what is live and on what would be, as the gate asks for it."""
