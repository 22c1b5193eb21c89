// NVIDIA's tools, which start a program and let the CUDA driver load a library of the tool into it.
#pragma once

#include <string_view>

#include "tracker/base/text_util.h"

namespace gpusan {

// Whether the executable is a tool that sets CUDA_INJECTION64_PATH and NVTX_INJECTION64_PATH for
// the program that it starts. Such a tool does not replace existing values, and does not work if
// there are any. Allocates nothing. `file` is a path or a name, or nullptr.
inline bool IsInjectingTool(const char* file) {
  if (file == nullptr) return false;
  const std::string_view name = BaseName(file);
  for (const char* tool : {"compute-sanitizer", "cuda-memcheck", "nsys", "ncu", "nvprof"}) {
    if (name == tool) return true;
  }
  return false;
}

// Whether the executable is the process of cuda-gdb that queries the driver about the program.
inline bool IsDebugAgent(std::string_view file) { return BaseName(file) == "NvDebugAgent"; }

}  // namespace gpusan
