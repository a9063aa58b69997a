"""The forms of the dashboard's pages, one module a page."""
