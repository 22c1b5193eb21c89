#!/bin/sh
# Installs the packages of packages.txt that are missing, with sudo only when not root: install.sh [build|demo|test]
#   build   what building the product needs
#   demo    that, and what tests/demo.sh needs
#   test    everything (the default), and nvdisasm and duckdb into build/tools
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-test} in
  build) sections="build" ;;
  demo) sections="build demo" ;;
  test) sections="build demo test" ;;
  *) echo "install.sh: no list '$1'; build, demo or test" >&2; exit 2 ;;
esac
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
wanted=$(awk -v sections=" $sections " '{ sub(/#.*/, "") } /^\[/ { gsub(/[][ ]/, ""); use = index(sections, " " $0 " "); next }
  use { print $1 }' "$root/packages.txt")
missing=
for names in $wanted; do
  found=
  for package in $(echo "$names" | tr '|' ' '); do
    installed "$package" && found=1
  done
  [ -n "$found" ] || missing="$missing $names"
done
if [ -n "$missing" ]; then
  sudo=
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq
  packages=
  for names in $missing; do
    # The first name that the distribution has; without any, the first name, for apt's own message.
    chosen=${names%%|*}
    for package in $(echo "$names" | tr '|' ' '); do
      # Not `show`, which succeeds for names without a version, too.
      if [ -n "$(apt-cache madison "$package" 2>/dev/null)" ]; then
        chosen=$package
        break
      fi
    done
    packages="$packages $chosen"
  done
  echo "gpusan: installing$packages"
  # shellcheck disable=SC2086
  $sudo apt-get install -y -qq --no-install-recommends $packages >/dev/null
fi
[ "${1:-test}" = test ] || exit 0
# Tests that need a package of PyPI are skipped where pip cannot install it.
python_package() {  # folder in build/tools, requirement, what for
  [ -d "$root/build/tools/$1" ] ||
    python3 -m pip install --quiet --no-deps --target "$root/build/tools" "$2" >/dev/null 2>&1 ||
    echo "gpusan: pip could not install $2: $3 is not tested"
}
command -v nvdisasm >/dev/null || python_package nvidia 'nvidia-cuda-nvdisasm>=13' 'the decoder of machine code'
python_package duckdb 'duckdb>=1.1' 'manifests/fleet/findings.sql'
