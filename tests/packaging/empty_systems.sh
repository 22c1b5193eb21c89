#!/bin/sh
# Installs a Debian package of gpusan in empty systems, and runs it there: empty_systems.sh PACKAGE.deb [SUITE...]
#   bullseye, bookworm and trixie (Debian 11, 12 and 13) without a list. EMPTY_SYSTEMS=FOLDER keeps the systems there.
#
# Each system comes from debootstrap. First it has no package for development: the command must watch clinfo over PoCL. Then it
# gets a compiler and the headers of OpenCL, and runs tests/demo.sh. Needs root, debootstrap and Debian's archive; ctest does not
# run it. Nothing stays mounted.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 1 ] || { echo "usage: empty_systems.sh PACKAGE.deb [SUITE...]" >&2; exit 2; }
package=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- bullseye bookworm trixie
folder=${EMPTY_SYSTEMS:-$(mktemp -d)}
[ -n "${EMPTY_SYSTEMS:-}" ] || trap 'rm -rf --one-file-system "$folder"' EXIT
cat >"$folder/steps.sh" <<'STEPS'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends /gpusan.deb ocl-icd-libopencl1 pocl-opencl-icd clinfo >/apt.log 2>&1 || { tail -n 20 /apt.log; exit 1; }
# PoCL may bring clang and headers of C++, but no header and no loader of gpusan's other APIs, and none of the command's libraries.
for name in opencl-headers libvulkan1 libvulkan-dev libdw1 libsqlite3-0; do
  ! dpkg -s "$name" >/dev/null 2>&1 || echo "gpusan was installed beside $name"
done
gpusan --version
gpusan run -- clinfo -l
apt-get install -y -qq --no-install-recommends gcc libc6-dev opencl-headers ocl-icd-opencl-dev >/apt.log 2>&1 || { tail -n 20 /apt.log; exit 1; }
cd /source
GPUSAN=gpusan tests/demo.sh
apt-get remove -y -qq gpusan >/dev/null
! ls -d /usr/lib/gpusan /usr/share/gpusan /usr/bin/gpusan 2>/dev/null
STEPS
failed=0
for suite; do
  system=$folder/$suite
  [ -d "$system" ] || debootstrap --variant=minbase "$suite" "$system" >"$folder/$suite.log" || { tail -n 5 "$folder/$suite.log"; exit 1; }
  mkdir -p "$system/source"
  echo force-unsafe-io >"$system/etc/dpkg/dpkg.cfg.d/fast"
  cp "$package" "$system/gpusan.deb"
  cp "$folder/steps.sh" "$system/steps.sh"
  tar -C "$root" -c tests/demo.sh tests/programs/common tests/programs/format-size-mismatch | tar -C "$system/source" -x
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  # PoCL crashes without /sys.
  # shellcheck disable=SC2016
  if unshare -m --propagation private sh -c 'mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
      mount --rbind /dev "$0/dev" && exec chroot "$0" sh /steps.sh' "$system" >"$folder/$suite.out" 2>&1 </dev/null; then
    echo "$suite: passed; $(grep -m 1 '^gpusan 0' "$folder/$suite.out"), glibc $(chroot "$system" sh -c "ldd --version | sed -n '1s/.* //p'")"
  else
    echo "$suite: FAILED"
    tail -n 30 "$folder/$suite.out"
    failed=1
  fi
done
exit $failed
