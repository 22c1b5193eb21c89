// The variable by which `gpusan run` says that it made runtimes write /tmp/perf-PID.map. The
// library deletes that file when the process ends.
#pragma once

namespace gpusan {

inline constexpr char kPerfMapsVariable[] = "GPUSAN_PERF_MAPS";

}  // namespace gpusan
