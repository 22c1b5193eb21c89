// Where the values of options come from: their defaults, settings of Vulkan layers
// (layer_settings.h), an options file, GPUSAN_OPTIONS, flags; each has the word over those before
// it.
//
// An options file has a setting a line:
//   sample_interval = 1000    # a comment
//   strict                    a bool that is on
//   [diff]                    from here on for `gpusan diff` alone
//   fail_on = new
// Names are those of options.def, with '_' or '-'. A value in single or double quotes may hold " #"
// and blanks at its ends; in double quotes '\' takes the next character as it is. Paths are taken
// from the current folder, as those of flags are.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/options/options.h"

namespace gpusan {

struct Configuration {
  Options options;
  // By name: "night.conf:3", "GPUSAN_OPTIONS", "flag --fail-on". What is not in it has its default.
  std::map<std::string, std::string> origins;

  bool Given(const std::string& name) const { return origins.count(name) != 0; }
};

// Sets what the text of an options file says for `command` ("run"; empty: a process without the
// command). What is bad is left out; returned are the complaints, one line each,
// "path:line:column: what is wrong; the mend".
std::vector<std::string> ParseConfig(std::string_view text, const std::string& path,
                                     std::string_view command, Configuration* configuration);

// The same for a file; one complaint "path: why" when it cannot be read.
std::vector<std::string> LoadConfig(const std::string& path, std::string_view command,
                                    Configuration* configuration);

// GPUSAN_OPTIONS as it is in the environment, over what *configuration has. Without `command` only
// process options are legal. Complaints as of ParseOptions.
std::vector<std::string> LoadEnvironment(std::string_view command, Configuration* configuration);

// The file that GPUSAN_OPTIONS names as `config`; empty: none.
std::string ConfigInEnvironment();

// The options that the command (or, if empty, a process) takes, with their origins as comments: an
// options file that sets the same values.
std::string ConfigurationText(const Configuration& configuration, std::string_view command);

// The line, without a line feed, that says that calls of `api` were not watched because `option`
// ("opencl_attach") is off, and where it was switched off. Empty when it is not off.
std::string SwitchedOffText(const Configuration& configuration, std::string_view api,
                            const std::string& option);

// Options with which gpusan watches no API and writes nothing, whatever the environment says.
Configuration PassingConfiguration();

// PassingConfiguration() in a process with raised privileges (privileges.h). Otherwise what the
// process under test does at start: reads the settings of layers (layer_settings.h), the options
// file and GPUSAN_OPTIONS, writes complaints and, with help=1 and print_config=1, what they ask for
// to stderr. Never fails.
Configuration ReadProcessConfiguration();

}  // namespace gpusan
