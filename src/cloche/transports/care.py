"""The former name of `cloche.transports.resilience`."""

import warnings

from cloche.transports.resilience import *  # noqa: F403

warnings.warn("cloche.transports.care is now called cloche.transports.resilience", DeprecationWarning, stacklevel=2)
