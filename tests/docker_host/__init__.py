"""A Docker daemon and a Debian base image made on this machine, for tests of the Docker backend.

Nothing is pulled: the base image is built with debootstrap from the machine's own package source
and tagged with the public name that the Dockerfiles use.
"""
