"""English, as it is read on both sides of the Atlantic."""
