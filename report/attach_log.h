// How the command knows that the library came into a process: one line a process in a file of the
// command's.
#pragma once

namespace gpusan {

inline constexpr char kAttachLogVariable[] = "GPUSAN_ATTACH_LOG";

// For the library's constructor: appends "pid executable" to the file named by GPUSAN_ATTACH_LOG,
// if it is set. A few microseconds; fails silently.
void AppendAttachLog();

}  // namespace gpusan
