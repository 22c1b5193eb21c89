// Inspects programs and libraries on disk before a run: can gpusan attach to them?
#pragma once

#include <string>

namespace gpusan {

// The result of inspecting a program.
struct ProgramReport {
  std::string path;      // the file that execvp runs; empty: not found
  std::string warning;   // one line: why gpusan cannot attach; empty: it can
  bool harmful = false;  // naming the library in LD_PRELOAD would disturb the program
};

// Searches PATH as execvp does and inspects the file; for a script, its interpreter too.
ProgramReport InspectProgram(const std::string& program);

// Returns an empty string, or one line that says why this file cannot be preloaded.
std::string InspectLibrary(const std::string& path);

// The path of libgpusan.so: GPUSAN_LIBRARY, else relative to this executable (build tree,
// installation). If the file does not exist, the first path that was tried.
std::string FindLibrary();

}  // namespace gpusan
