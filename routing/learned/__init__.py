"""What catalogs learn from their reviewed cases: asked for, fitted, kept, carried, put live."""
