// NVIDIA's tools that the CUDA driver loads into the program which they start.
#pragma once

#include <cstring>

namespace gpusan {

// Whether the executable is a tool that sets CUDA_INJECTION64_PATH and NVTX_INJECTION64_PATH for
// the program that it starts. Such a tool does not replace values that are there, and does not work
// then. Allocates nothing. `file` is a path or a name, or nullptr.
inline bool IsInjectingTool(const char* file) {
  if (file == nullptr) return false;
  const char* slash = std::strrchr(file, '/');
  const char* const name = slash != nullptr ? slash + 1 : file;
  for (const char* tool : {"compute-sanitizer", "cuda-memcheck", "nsys", "ncu", "nvprof"}) {
    if (std::strcmp(name, tool) == 0) return true;
  }
  return false;
}

}  // namespace gpusan
