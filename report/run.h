// `gpusan run`: the program under test with the library in it, its findings as they happen, and the
// summary.
#pragma once

#include <string>
#include <vector>

namespace gpusan {

// `words` are those after "run". Returns the exit code: the program's own when it fails, 66 for
// findings, 70 for trouble of gpusan's own.
int RunCommand(const std::vector<std::string>& words);

// `gpusan report`: the findings of record files, as text on stdout.
int ReportCommand(const std::vector<std::string>& words);

}  // namespace gpusan
