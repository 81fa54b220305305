"""`python3 -m contra` says what is installed, for those who look for what is wrong with it."""

from . import __version__
from ._library import library_path

print(f"contra {__version__}, {library_path}")
