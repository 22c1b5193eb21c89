#!/bin/sh
# clinfo: every query of platforms and devices, with a context and a queue of its own for the limits.
# packages: clinfo
# suite: quick
# attach: layer
set -e
clinfo
clinfo --raw
