#!/bin/sh
# Installs the Debian packages of packages.txt that are missing, with sudo only when not root, and nvdisasm into build/tools.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
missing=
for package in $(sed 's/#.*//' "$root/packages.txt"); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  echo "gpusan: installing$missing"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
# A test compares the decoder of machine code with nvdisasm, a package of PyPI. It is skipped where there is none.
if ! command -v nvdisasm >/dev/null && [ ! -d "$root/build/tools/nvidia" ]; then
  python3 -m pip install --quiet --no-deps --target "$root/build/tools" 'nvidia-cuda-nvdisasm>=13' >/dev/null 2>&1 ||
    echo "gpusan: no nvdisasm: pip could not install nvidia-cuda-nvdisasm, and the test that needs it is skipped"
fi
