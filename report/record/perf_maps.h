// The variable that `gpusan run` sets when it makes runtimes write /tmp/perf-PID.map. The
// library deletes that file when the process ends.
#pragma once

namespace gpusan {

inline constexpr char kPerfMapsVariable[] = "GPUSAN_PERF_MAPS";

}  // namespace gpusan
