#!/bin/sh
# hashcat: cracks known MD5, SHA1 and SHA2-256 hashes by dictionary and by mask, each after its self-test.
# packages: hashcat
# suite: long
# expect: warning kernel-access-flag clEnqueueNDRangeKernel
# timeout: 900
set -e
printf 'hello\npassword\nletmein\n' >words
crack() {  # mode, hash, attack, words or mask
  hashcat --force --opencl-device-types 1 --potfile-disable --quiet --outfile "found.$1.$3" --outfile-format 1,2 \
    --hash-type "$1" --attack-mode "$3" "$2" "$4" >log.txt 2>&1 || { cat log.txt >&2; exit 1; }
  cat "found.$1.$3"
}
crack 0 5f4dcc3b5aa765d61d8327deb882cf99 0 words
crack 0 81dc9bdb52d04dc20036dbd8313ed055 3 '?d?d?d?d'
crack 100 aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d 0 words
crack 1400 1c8bfe8f801d79745c4631d09fff36c82aa37fc4cce4fc946683d7b336b63032 0 words
