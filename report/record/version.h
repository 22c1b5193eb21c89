// The version of this gpusan, as the command prints and writes it.
#pragma once

namespace gpusan {

inline constexpr char kVersionText[] = GPUSAN_VERSION;

}  // namespace gpusan
