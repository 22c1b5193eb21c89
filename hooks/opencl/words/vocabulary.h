// The words of OpenCL for findings: see tracker/calls/vocabulary.h.
#pragma once

#include "tracker/calls/vocabulary.h"

namespace gpusan::opencl {

// The vocabulary lives as long as the process. Thread-safe.
const Vocabulary& Words();

}  // namespace gpusan::opencl
