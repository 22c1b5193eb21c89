// Looks at programs and libraries on disk before they are run: can gpusan get into them at all?
#pragma once

#include <string>

namespace gpusan {

// What the kernel will make of a program.
struct ProgramReport {
  std::string path;     // as execvp will find it; empty: not found
  std::string warning;  // why gpusan cannot attach, one line; empty: nothing speaks against it
};

// Searches PATH as execvp does and inspects what is there; of a script its interpreter. `library`
// is what would be preloaded.
ProgramReport InspectProgram(const std::string& program, const std::string& library);

// Empty, or why that file cannot be preloaded, one line.
std::string InspectLibrary(const std::string& path);

// libgpusan.so: GPUSAN_LIBRARY, else beside this executable (build tree, installation). Where none
// exists, the first place that was looked at.
std::string FindLibrary();

}  // namespace gpusan
