// Flags of the command: the options of options.def under their names with '-', and nothing else.
#pragma once

#include <string>
#include <vector>

#include "report/options.h"

namespace gpusan {

struct ParsedFlags {
  Options options;
  std::vector<std::string> given;      // names of the options that were set, with '_'
  std::vector<std::string> arguments;  // what is no flag
  bool help = false;
  std::string complaint;  // one line; empty when all is well
};

// --name=value, --name value (not for bool), --name and --no-name (bool), -o value for --output,
// --help, -h. With `stop_at_argument` everything from the first argument on is an argument (the
// program to run); "--" ends the flags in any case. `command` ("run") says which options are
// taken; what is not given stays as in `base`.
ParsedFlags ParseFlags(const std::vector<std::string>& words, const std::string& command,
                       bool stop_at_argument, const Options& base = {});

}  // namespace gpusan
