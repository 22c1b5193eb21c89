// Reads the values of options. Flags override GPUSAN_OPTIONS, which overrides the options file,
// which overrides the settings of Vulkan layers (layer_settings.h), which override the defaults.
//
// An options file has one setting per line:
//   sample_interval = 1000    # a comment
//   strict                    switches a bool on
//   [diff]                    the rest applies to `gpusan diff` only
//   fail_on = new
// Names are those of options.def, with '_' or '-'. A value in single or double quotes may contain
// " #" and start or end with blanks; in double quotes '\' makes the next character literal.
// Relative paths start at the current folder, as those of flags do.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/options/options.h"
#include "tracker/model/apis.h"

namespace gpusan {

struct Configuration {
  Options options;
  // Origin of each value, by option name: "night.conf:3", "GPUSAN_OPTIONS", "flag --fail-on". An
  // option without an entry has its default.
  std::map<std::string, std::string> origins;
  // The settings file of Vulkan layers that was read (layer_settings.h), as in the origins; empty:
  // none.
  std::string settings_file;

  bool Given(const std::string& name) const { return origins.count(name) != 0; }
};

// Sets the options that the text of an options file contains for `command` ("run"; empty: a process
// without the command). Leaves out bad settings. Returns an error message for each, one line
// "path:line:column: what is wrong; the fix".
std::vector<std::string> ParseConfig(std::string_view text, const std::string& path,
                                     std::string_view command, Configuration* configuration);

// The same for a file. Returns one message "path: why" if the file cannot be read.
std::vector<std::string> LoadConfig(const std::string& path, std::string_view command,
                                    Configuration* configuration);

// Sets the options in the environment variable GPUSAN_OPTIONS; they override *configuration.
// Without `command` only process options are legal. Returns error messages as ParseOptions does.
std::vector<std::string> LoadEnvironment(std::string_view command, Configuration* configuration);

// The value of `config` in GPUSAN_OPTIONS; empty without one.
std::string ConfigInEnvironment();

// An options file that sets the same values for the command (empty: for a process), with the origin
// of each value as a comment.
std::string ConfigurationText(const Configuration& configuration, std::string_view command);

// The line, without a line feed, that says that calls of `api` were not watched because its attach
// option is off, and where it was switched off. Empty when it is not off.
std::string SwitchedOffText(const Configuration& configuration, const ApiInfo& api);

// Options with which gpusan watches no API and writes nothing, whatever the environment says.
Configuration PassingConfiguration();

// Reads the configuration of the process under test at its start: layer settings, options file and
// GPUSAN_OPTIONS. Writes error messages to stderr, and the output of help=1 and print_config=1.
// Returns PassingConfiguration() in a process with raised privileges (privileges.h). Never fails.
Configuration ReadProcessConfiguration();

}  // namespace gpusan
