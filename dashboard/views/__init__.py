"""The pages that need routing, one module a page; those of the draft alone are in catalog.views."""
