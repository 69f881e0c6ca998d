"""What an author uploads: an archive (zip or tar.gz) of a bot's files with a ``durak.toml``."""

from sandbox.bundles.bundle import Bundle
from sandbox.bundles.errors import BundleError
from sandbox.bundles.limits import DEFAULT_LIMITS, BundleLimits
from sandbox.bundles.manifest import MANIFEST, Manifest, read_manifest

__all__ = ["DEFAULT_LIMITS", "MANIFEST", "Bundle", "BundleError", "BundleLimits", "Manifest", "read_manifest"]
