"""The embedded default: everything on one machine, supervised, without Docker or installed services."""
