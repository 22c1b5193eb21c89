#!/bin/sh
# Collects the Vulkan clients, which are a binary of Debian's and VkFFT built here, for a machine with a GPU.
#   vulkan.sh FOLDER    FOLDER gets a command for each, which run.py --samples=FOLDER runs, and a folder `parts` with what they need
# The machine needs the driver and the Vulkan loader.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/parts/lib" "$1/parts/bin"
folder=$(cd "$1" && pwd)
c++ -std=c++17 -O1 -g -w "$here/../vkfft_vulkan.cc" -o "$folder/parts/bin/vkfft" \
  $(sed -n 's,^// build: ,,p' "$here/../vkfft_vulkan.cc")
cp -L "$(command -v vulkaninfo)" "$folder/parts/bin/"
# Not the C library, and not the loader: those are the machine's.
for binary in "$folder"/parts/bin/*; do ldd "$binary"; done |
  awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libdl|libpthread|librt|libresolv|libvulkan|libstdc\+\+|libgcc_s)\.so/ { print $3 }' | sort -u |
  while read -r library; do cp -L "$library" "$folder/parts/lib/"; done

command_of() {
  printf '#!/bin/sh\nparts=$(cd "$(dirname "$0")" && pwd)/parts\nexport LD_LIBRARY_PATH=$parts/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n%s\n' \
    "$2" > "$folder/$1"
  chmod +x "$folder/$1"
}
command_of vkfft 'exec "$parts/bin/vkfft"'
# What differs from run to run: budgets.
command_of vulkaninfo '"$parts/bin/vulkaninfo" | sed -n "/^Device Properties/,\$p" | sed -E "/budget|usage +=/d"'
