"""The page without a server: the Python that a browser runs as it is, and the folder that any web host can serve."""
