// Which loaded files show that a process uses a GPU API. All functions are thread-safe.
//
// The ICD loader loads an OpenCL driver at a program's first OpenCL call, so a loaded driver shows
// that OpenCL was used; the loader itself may be linked without use. Programs also load the CUDA
// driver only to test whether it exists: programs that use it map a device file as well.
#pragma once

#include <string_view>

#include "tracker/base/text_util.h"

namespace gpusan {

// Decided by the base name of the path.
constexpr bool IsOpenClDriver(std::string_view path) {
  const std::string_view name = BaseName(path);
  for (const std::string_view driver :
       {"libpocl.so", "libnvidia-opencl.so", "libamdocl64.so", "libigdrcl.so", "libintelocl.so",
        "libMesaOpenCL.so", "libRusticlOpenCL.so"}) {
    if (name.starts_with(driver)) return true;
  }
  return false;
}
constexpr bool IsCudaDriver(std::string_view path) {
  return BaseName(path).starts_with("libcuda.so");
}
// Files whose frames are between the program's call and gpusan when gpusan is called from below:
// drivers, CUPTI, the Vulkan loader and layers above gpusan.
constexpr bool IsBelowCalls(std::string_view path) {
  const std::string_view name = BaseName(path);
  for (const std::string_view begin : {"libcuda.so", "libcupti.so", "libvulkan.so", "libVkLayer"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}
// Whether a path in /proc/PID/maps is a device file.
constexpr bool IsNvidiaDevice(std::string_view path) { return path.starts_with("/dev/nvidia"); }

}  // namespace gpusan
