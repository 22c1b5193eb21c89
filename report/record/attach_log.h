// The log by which `gpusan run` recognises its processes. Each process appends lines to the log,
// and writes the name of the run into its process record.
#pragma once

namespace gpusan {

inline constexpr char kAttachLogVariable[] = "GPUSAN_ATTACH_LOG";

// The unique name of this `gpusan run`. Several runs may share a folder of records, as the ranks of
// a job do; each run follows its own processes.
inline constexpr char kRunVariable[] = "GPUSAN_RUN";

// The first words of the lines. Each is followed by a process number and, except for kFailed, by a
// path or a command.
inline constexpr char kLogAttached[] = "attached";  // the library was loaded into the executable
inline constexpr char kLogExec[] = "exec";          // the process is about to execute the file
inline constexpr char kLogFailed[] = "failed";      // the exec failed
inline constexpr char kLogSpawned[] = "spawned";    // the process was started with the file
inline constexpr char kLogShell[] = "shell";        // a shell was started without gpusan

// Appends "attached PID EXECUTABLE" to the file that GPUSAN_ATTACH_LOG names, if it is set. The
// library's constructor calls it. Takes a few microseconds; ignores errors. Does nothing in a
// process with raised privileges (privileges.h).
void AppendAttachLog();

// Appends a line to the log at `path`; `what` may be nullptr. Control characters become '?', and a
// long text is cut. Ignores errors, and keeps errno. Async-signal-safe: the child of a vfork may
// call it.
void AppendToLog(const char* path, const char* word, int pid, const char* what);

}  // namespace gpusan
