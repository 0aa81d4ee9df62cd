"""What stands in, in the browser, for modules that MicroPython does not have. Written for MicroPython alone."""
