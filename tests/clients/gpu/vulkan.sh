#!/bin/sh
# Collects the Vulkan clients, which are binaries of Debian's and VkFFT built here, for a machine with a GPU.
#   vulkan.sh FOLDER    FOLDER gets a command for each, which run.py --samples=FOLDER runs, and a folder `parts` with what they need
# The machine needs the driver and the Vulkan loader. vkcube draws on a virtual X server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/parts/lib" "$1/parts/bin" "$1/parts/xkb"
folder=$(cd "$1" && pwd)
c++ -std=c++17 -O1 -g -w "$here/../vkfft_vulkan.cc" -o "$folder/parts/bin/vkfft" \
  $(sed -n 's,^// build: ,,p' "$here/../vkfft_vulkan.cc")
for command in vulkaninfo vkcube Xvfb xkbcomp; do cp -L "$(command -v $command)" "$folder/parts/bin/"; done
# Not the C library, and not the loader: those are the machine's.
for binary in "$folder"/parts/bin/*; do ldd "$binary"; done |
  awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt|libresolv|libvulkan|libstdc\+\+|libgcc_s)\.so/ { print $3 }' | sort -u |
  while read -r library; do cp -L "$library" "$folder/parts/lib/"; done
cp -rL /usr/share/X11/xkb/. "$folder/parts/xkb/"

command_of() {
  printf '#!/bin/sh\nparts=$(cd "$(dirname "$0")" && pwd)/parts\nexport LD_LIBRARY_PATH=$parts/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n%s\n' \
    "$2" > "$folder/$1"
  chmod +x "$folder/$1"
}
command_of vkfft 'exec "$parts/bin/vkfft"'
# What differs from run to run: budgets.
command_of vulkaninfo '"$parts/bin/vulkaninfo" | sed -n "/^Device Properties/,\$p" | sed -E "/budget|usage +=/d"'
# The server looks for xkbcomp where it was told when it was built.
command_of vkcube '[ -e /usr/bin/xkbcomp ] || cp "$parts/bin/xkbcomp" /usr/bin/ || exit 77
for display in 61 62 63 64; do
  "$parts/bin/Xvfb" ":$display" -xkbdir "$parts/xkb" -screen 0 640x480x24 -nolisten tcp -extension GLX > /dev/null 2>&1 &
  server=$!
  sleep 2
  kill -0 "$server" 2> /dev/null || continue
  DISPLAY=:$display "$parts/bin/vkcube" --c 30 --suppress_popups
  code=$?
  kill "$server"
  exit $code
done
echo "no X server" >&2
exit 77'
