// How `gpusan run` recognises its processes: each process appends a line to a file of the command,
// and its process record contains the name of the run.
#pragma once

namespace gpusan {

inline constexpr char kAttachLogVariable[] = "GPUSAN_ATTACH_LOG";

// The unique name of this `gpusan run`. Several runs may share a folder of records, as the ranks of
// a job do; each run follows its own processes.
inline constexpr char kRunVariable[] = "GPUSAN_RUN";

// Appends "pid executable" to the file that GPUSAN_ATTACH_LOG names, if it is set. The library's
// constructor calls it. Takes a few microseconds; ignores errors. Does nothing in a
// process with raised privileges (privileges.h).
void AppendAttachLog();

}  // namespace gpusan
