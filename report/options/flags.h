// Parses the command line of a command: flags, which are the options of options.def with '-' in
// their names, and arguments.
#pragma once

#include <string>
#include <vector>

#include "report/options/config.h"

namespace gpusan {

struct ParsedFlags {
  Configuration configuration;
  std::vector<std::string> arguments;  // the words that are not flags
  bool help = false;
  std::string complaint;  // error message of one or more lines; empty without errors

  const Options& options() const { return configuration.options; }
};

// --name=value, --name value (not for bool), --name and --no-name (bool), -o value for --output,
// -v for --verbose, --help, -h. With `stop_at_argument` everything from the first argument on is an
// argument (the program to run); "--" always ends the flags. `command` ("run") selects the legal
// options. A repeated flag of a list adds to the list. Flags override GPUSAN_OPTIONS, which
// overrides the file of --config. Errors in flags and in the file are returned in `complaint`;
// errors in GPUSAN_OPTIONS are written to stderr and ignored.
ParsedFlags ParseFlags(const std::vector<std::string>& words, const std::string& command,
                       bool stop_at_argument);

}  // namespace gpusan
