// Finds an installed clang and runs it on OpenCL programs.
#pragma once

#include <cstdint>
#include <string>

#include "report/record/summary_service.h"

namespace gpusan {

struct Compiler {
  std::string path;     // empty: none is installed
  std::string version;  // one line
};

// Looks for clang, clang-21, ..., clang-14 in the folders of `search_path` (as of PATH).
Compiler FindCompiler(const std::string& search_path);

struct CompiledProgram {
  enum class Result : uint8_t {
    kSummaries,
    kRejected,  // the compiler failed, or the program depends on what is not known of the driver
    kTimedOut,
  };
  Result result = Result::kRejected;
  std::string summaries;  // a text of EncodeSummaries
  // Whether the summaries follow from the message alone, without files that the program includes.
  bool self_contained = false;
};

// Compiles a program and reads its kernels. `folder` is a private folder for the program's headers.
// Waits at most `limit_s` seconds for the compiler.
CompiledProgram CompileProgram(const Compiler& compiler, const OpenClProgram& program,
                               const std::string& folder, int limit_s);

}  // namespace gpusan
