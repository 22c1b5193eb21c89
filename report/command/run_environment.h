// The environment variables by which `gpusan run` starts gpusan in the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/command/record_folder.h"
#include "report/options/flags.h"

namespace gpusan {

struct RunPlace {
  std::string program;          // the program to run, as given
  std::string library;          // path of the library
  const RecordFolder* folder;   // not owned
  std::string summary_service;  // path of the socket; empty: no service
};

// The variables that start gpusan in the program. layer/process/child_environment.cc has the same
// but for those of the names that runtimes compile, which children with an environment of their own
// do not get. With `loads` unset, none of them names the library.
std::vector<std::pair<std::string, std::string>> EnvironmentOfRun(
    const Configuration& configuration, const RunPlace& place, bool loads);

// Returns a sentence about the injection of CUDA if another tool has it; otherwise an empty string.
std::string InjectionText(const Options& options, const std::string& program,
                          const std::string& library);

}  // namespace gpusan
