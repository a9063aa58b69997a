"""Catalogs learn from their reviewed cases: asked for, fitted, reported, put live."""
