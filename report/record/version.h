// The version of gpusan that the command prints and writes.
#pragma once

namespace gpusan {

inline constexpr char kVersionText[] = GPUSAN_VERSION;

}  // namespace gpusan
