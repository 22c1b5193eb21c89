// `gpusan run --gdb`: gdb starts the program, and stops where gpusan reports a finding.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gpusan {

// Writes the commands for gdb to the file `script`: the environment of the program, a breakpoint on
// __gpusan_on_report (layer/runtime/gpusan.h), and the start of the program. Returns an empty
// string, or an error message of one line.
std::string WriteDebuggerScript(
    const std::string& script, const std::vector<std::pair<std::string, std::string>>& environment);

// The command line of gdb for the program, which need not be in the current folder.
std::vector<std::string> DebuggerCommand(const std::string& script,
                                         const std::vector<std::string>& program);

}  // namespace gpusan
