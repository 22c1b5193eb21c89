#!/bin/sh
# Mandelbulber: a fractal with one kernel of all shaders, screen-space passes that sort and copy on the host, buffers on
# host memory of its own. The depth of field is random, also without gpusan: only its size is compared.
# packages: mandelbulber2
# suite: long
# expect: warning host-free-in-flight free
# timeout: 600
set -e
export QT_QPA_PLATFORM=offscreen HOME="$PWD"
render() {  # name, further parameters
  # Device type 3 is a CPU.
  timeout 250 mandelbulber2 -n -C -f png -r 64x48 -o "$1.png" \
    -O "opencl_enabled=1#opencl_platform=0#opencl_device_type=3#opencl_mode=3$2" \
    /usr/share/mandelbulber2/examples/IFS_001.fract </dev/null >log.txt 2>&1
}
render plain ""
echo "plain: $(md5sum <plain.png)"
render depth "#ambient_occlusion_enabled=1#DOF_enabled=1#glow_enabled=1"
file depth.png
