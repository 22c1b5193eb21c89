#!/bin/sh
# Installs the Debian packages of packages.txt that are missing. With sudo only when not root.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
missing=
for package in $(sed 's/#.*//' "$root/packages.txt"); do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
echo "gpusan: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
