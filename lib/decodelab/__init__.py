"""decodelab: decoding algorithms for language models, with their exact laws.

Import the modules by name, `from decodelab import city, dists, exact`; nothing heavy is loaded before it
is asked for.
"""

__version__ = "0.1.0"
