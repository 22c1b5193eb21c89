// Hides arguments of command lines that are secrets.
#include "report/text/redaction.h"

#include <fnmatch.h>

#include <algorithm>

#include "tracker/base/text_util.h"

namespace gpusan {

std::vector<std::string> Redacted(std::vector<std::string> arguments, std::string_view patterns) {
  constexpr char kRedacted[] = "[redacted]";
  const std::vector<std::string_view> globs = SplitWords(patterns, ",");
  if (globs.empty()) return arguments;
  const auto matches = [&](const std::string& argument) {
    return std::any_of(globs.begin(), globs.end(), [&](std::string_view glob) {
      return fnmatch(std::string(glob).c_str(), argument.c_str(), 0) == 0;
    });
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string& argument = arguments[i];
    if (!matches(argument)) continue;
    if (const size_t equals = argument.find('='); equals != std::string::npos) {
      argument = argument.substr(0, equals + 1) + kRedacted;
    } else if (argument.starts_with("-") && i + 1 < arguments.size()) {
      arguments[++i] = kRedacted;
    } else {
      argument = kRedacted;
    }
  }
  return arguments;
}

}  // namespace gpusan
