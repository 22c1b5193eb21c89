// The commands of `gpusan`.
#pragma once

#include <string>
#include <vector>

namespace gpusan {

// `gpusan run`: the program under test with the library in it, its findings as they happen, and the
// summary. `words` are those after "run". Returns the exit code: the program's own when it fails,
// 66 for findings, 70 for trouble of gpusan's own.
int RunCommand(const std::vector<std::string>& words);

// The other commands, each with the words after its name. They return the exit code.
int ReportCommand(const std::vector<std::string>& words);
int DiffCommand(const std::vector<std::string>& words);
int MergeCommand(const std::vector<std::string>& words);
int HistoryCommand(const std::vector<std::string>& words);

}  // namespace gpusan
