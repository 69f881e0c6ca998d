"""`python -m bots_sdk.cli`."""

from bots_sdk.cli import main

main()
