// Reads memory of this process through a pointer that may be invalid.
#pragma once

#include "hooks/common/base/safe_read.h"

namespace gpusan::cuda {

using gpusan::ReadOwnMemory;

}  // namespace gpusan::cuda
