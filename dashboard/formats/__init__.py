"""How dates are written where Django's own way could be misread; found by `FORMAT_MODULE_PATH`."""
