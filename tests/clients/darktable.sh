#!/bin/sh
# darktable-cli: a picture through modules with OpenCL code; images of floats between them, its own cache of binaries.
# packages: darktable imagemagick clinfo
# suite: long
# expect: note deferred-release clReleaseMemObject
# timeout: 900
set -e
work=$PWD
convert -size 320x240 gradient:red-blue -fill green -draw 'circle 150,100 180,120' in.png
# Its name for a device is the device's name in lower case without anything but letters and digits. A CPU device is off
# until this line, which darktable otherwise writes itself, says 0 in the eighth place.
device=$(clinfo --raw --prop CL_DEVICE_NAME | sed -n 's/.*CL_DEVICE_NAME *//p' | tr 'A-Z' 'a-z' | tr -cd 'a-z0-9')
mkdir -p settings
printf '%s\n' "cldevice_v4_$device=0 1000 0 16 16 128 0 0 0.000000 0.000" opencl_mandatory_timeout=20000 \
  opencl_checksum=OFF >settings/darktablerc
entry() {  # number, module, version, parameters in hexadecimal
  cat <<X
    <rdf:li darktable:num="$1" darktable:operation="$2" darktable:enabled="1" darktable:modversion="$3"
     darktable:params="$4" darktable:multi_name="" darktable:multi_priority="0" darktable:blendop_version="7"
     darktable:blendop_params="gz12eJxjYGBgkGAAgRNODESDBnsIHll8ANNSGQM="/>
X
}
{
  cat <<X
<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 <rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="4"
  darktable:raw_params="0" darktable:auto_presets_applied="1" darktable:history_end="4" darktable:iop_order_version="2">
  <darktable:history><rdf:Seq>
X
  entry 0 sharpen 1 000000400000003f0000003f
  entry 1 soften 1 00004842000096420000a83e00004842
  entry 2 bloom 1 0000a0410000b4420000c841
  entry 3 highpass 1 0000484200004842
  cat <<X
  </rdf:Seq></darktable:history>
 </rdf:Description></rdf:RDF></x:xmpmeta>
X
} >in.xmp
# PoCL keeps the quotes of -I"..."; it looks in the current folder too.
cd /usr/share/darktable/kernels
darktable-cli "$work/in.png" "$work/in.xmp" "$work/out.png" --core --configdir "$work/settings" --library :memory: \
  -d opencl -d perf >"$work/log.txt" 2>&1 || { cat "$work/log.txt" >&2; exit 1; }
cd "$work"
grep -q 'OpenCL successfully initialized' log.txt || { cat log.txt >&2; exit 1; }
sed -n 's/.*processed `\([^'"'"']*\). on \([GC]PU\).*/\1 \2/p' log.txt
convert out.png -depth 8 rgb:- | md5sum
