// The commands of `gpusan`, declared from report/commands.def.
#pragma once

#include <string>
#include <vector>

namespace gpusan {

// Each runs one command with the words after its name and returns the exit code of the process.
// RunCommand runs the program under test with the library in it: the program's own exit code when
// the program fails, 66 for findings, 70 when gpusan could not do its work.
#define GPUSAN_COMMAND(name, function, arguments, doc) \
  int function(const std::vector<std::string>& words);
#include "report/commands.def"
#undef GPUSAN_COMMAND

}  // namespace gpusan
