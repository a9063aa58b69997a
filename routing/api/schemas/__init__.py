"""What goes in and out, as types: they validate requests and describe the OpenAPI document."""
