// Which loaded files are OpenCL drivers. The ICD loader loads them at a program's first OpenCL
// call, so one that is there tells that OpenCL was used; the loader itself may only have been
// linked.
#pragma once

#include <string_view>

namespace gpusan {

// By the base name of a file's path.
constexpr bool IsOpenClDriver(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view driver :
       {"libpocl.so", "libnvidia-opencl.so", "libamdocl64.so", "libigdrcl.so", "libintelocl.so",
        "libMesaOpenCL.so", "libRusticlOpenCL.so"}) {
    if (name.substr(0, driver.size()) == driver) return true;
  }
  return false;
}

}  // namespace gpusan
