"""The pages of the draft: they parse, make one change or read, and render."""
