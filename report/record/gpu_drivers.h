// Which loaded files tell that a process uses a GPU API.
//
// The ICD loader loads an OpenCL driver at a program's first OpenCL call, so one that is there
// tells that OpenCL was used; the loader itself may only have been linked. CUDA's driver is also
// loaded by programs that only look whether it is there: those that use it map a device as well.
#pragma once

#include <string_view>

#include "report/base/text_util.h"

namespace gpusan {

// By the base name of a file's path.
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
// What stands between the program's call and gpusan where it is told of the call from below:
// drivers, CUPTI, Vulkan's loader and the layers above.
constexpr bool IsBelowCalls(std::string_view path) {
  const std::string_view name = BaseName(path);
  for (const std::string_view begin : {"libcuda.so", "libcupti.so", "libvulkan.so", "libVkLayer"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}
// A mapping of the device, as it stands in /proc/PID/maps.
constexpr bool IsNvidiaDevice(std::string_view path) { return path.starts_with("/dev/nvidia"); }

}  // namespace gpusan
