// Parses flags and arguments.
#include "report/options/flags.h"

#include <algorithm>
#include <cstddef>

#include "report/base/safe_write.h"
#include "report/options/nearest.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

std::string FlagName(const OptionInfo& info) {
  std::string name = "--" + std::string(info.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string UnknownFlag(const std::string& flag, const std::string& command) {
  std::vector<std::string> known = {"--help"};
  for (int i = 0; i < kOptionCount; ++i) {
    if (Takes(kOptions[i], command)) known.push_back(FlagName(kOptions[i]));
  }
  Nearest nearest(flag);
  for (const std::string& name : known) nearest.Offer(name);
  const std::string line = "unknown flag '" + flag + "' of 'gpusan " + command + "'; ";
  if (nearest.best().empty()) return line + "'gpusan " + command + " --help' lists the known ones";
  return line + "did you mean '" + std::string(nearest.best()) + "'?";
}

// Applies the flags, which override the values in *result.
void ApplyFlags(const std::vector<std::string>& words, const std::string& command,
                bool stop_at_argument, ParsedFlags* result) {
  ParsedFlags& parsed = *result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool is_flag = word.size() > 1 && word[0] == '-';  // "-" is stdin or stdout
    if (word == "--" || (!is_flag && stop_at_argument)) {
      parsed.arguments.insert(parsed.arguments.end(),
                              words.begin() + static_cast<std::ptrdiff_t>(i + (is_flag ? 1 : 0)),
                              words.end());
      return;
    }
    if (!is_flag) {
      parsed.arguments.push_back(word);
      continue;
    }
    if (word == "--help" || word == "-h") {
      parsed.help = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string flag = word == "-o"   ? "--output"
                             : word == "-v" ? "--verbose"
                                            : word.substr(0, equals);
    const bool is_long = flag.compare(0, 2, "--") == 0;
    std::string name = is_long ? flag.substr(2) : "";
    const OptionInfo* info = is_long ? FindOption(name) : nullptr;
    std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (info == nullptr && is_long && equals == std::string::npos &&
        flag.compare(0, 5, "--no-") == 0) {
      name = flag.substr(5);
      info = FindOption(name);
      if (info != nullptr && info->type != OptionType::kBool) info = nullptr;
      value = "0";
    } else if (info != nullptr && equals == std::string::npos) {
      if (info->type == OptionType::kBool) {
        value = "1";
      } else if (info->type == OptionType::kInt64 && info->choices[0] != '\0') {
        value = info->choices;
      } else if (i + 1 < words.size() && words[i + 1] != "--") {
        value = words[++i];
      } else {
        parsed.complaint = "flag '" + flag + "' has no value; write " + flag + "=...";
        return;
      }
    }
    if (info == nullptr || !Takes(*info, command)) {
      parsed.complaint = UnknownFlag(flag, command);
      return;
    }
    const std::string origin = "flag " + FlagName(*info);
    if (const auto known = parsed.configuration.origins.find(info->name);
        info->type == OptionType::kList && known != parsed.configuration.origins.end() &&
        known->second == origin)
      value = OptionText(parsed.options(), *info) + "," + value;
    parsed.complaint =
        SetOption(name, value, origin, OptionScope::kCommand, &parsed.configuration.options);
    if (!parsed.complaint.empty()) return;
    parsed.configuration.origins[info->name] = origin;
    // The last of these two flags applies.
    Options& options = parsed.configuration.options;
    if (info == FindOption("verbose") && options.verbose) options.brief = false;
    if (info == FindOption("brief") && options.brief) options.verbose = false;
  }
}

}  // namespace

ParsedFlags ParseFlags(const std::vector<std::string>& words, const std::string& command,
                       bool stop_at_argument) {
  ParsedFlags first;
  ApplyFlags(words, command, stop_at_argument, &first);
  if (!first.complaint.empty() || first.help) return first;
  std::string path = first.options().config;
  if (path.empty()) path = ConfigInEnvironment();
  ParsedFlags parsed;
  if (!path.empty()) {
    for (const std::string& line : LoadConfig(path, command, &parsed.configuration))
      parsed.complaint += (parsed.complaint.empty() ? "" : "\ngpusan: ") + line;
    if (!parsed.complaint.empty()) return parsed;
  }
  for (const std::string& line : LoadEnvironment(command, &parsed.configuration))
    WriteToStderr("gpusan: " + line + " (ignored)\n");
  ApplyFlags(words, command, stop_at_argument, &parsed);
  return parsed;
}

}  // namespace gpusan
