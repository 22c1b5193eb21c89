// How the command knows its processes: one line a process in a file of the command's, and a name of
// the run in each process record.
#pragma once

namespace gpusan {

inline constexpr char kAttachLogVariable[] = "GPUSAN_ATTACH_LOG";

// The name of this `gpusan run`, different from all others. Several may share a folder of records,
// as those of the ranks of a job do; each follows its own.
inline constexpr char kRunVariable[] = "GPUSAN_RUN";

// For the library's constructor: appends "pid executable" to the file named by GPUSAN_ATTACH_LOG,
// if it is set. A few microseconds; fails silently. Does nothing in a process with raised
// privileges (privileges.h).
void AppendAttachLog();

}  // namespace gpusan
