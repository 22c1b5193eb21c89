// What a command is told: its options from flags, GPUSAN_OPTIONS and the options file, and its
// arguments. Flags are the options of options.def under their names with '-', and nothing else.
#pragma once

#include <string>
#include <vector>

#include "report/options/config.h"

namespace gpusan {

struct ParsedFlags {
  Configuration configuration;
  std::vector<std::string> arguments;  // what is no flag
  bool help = false;
  std::string complaint;  // a line, or some; empty when all is well

  const Options& options() const { return configuration.options; }
};

// --name=value, --name value (not for bool), --name and --no-name (bool), -o value for --output,
// --help, -h. With `stop_at_argument` everything from the first argument on is an argument (the
// program to run); "--" ends the flags in any case. `command` ("run") says which options are
// taken. What no flag sets is as GPUSAN_OPTIONS has it, else as the file of --config, else its
// default. A bad file and bad flags are complaints; what is bad in GPUSAN_OPTIONS is said on stderr
// and ignored.
ParsedFlags ParseFlags(const std::vector<std::string>& words, const std::string& command,
                       bool stop_at_argument);

}  // namespace gpusan
