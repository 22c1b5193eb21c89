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

// A flag of the command line: `--name=value`, `--name value`, `--name` or `--no-name`.
struct Flag {
  std::string spelled;  // without the value, in its long form
  std::string name;     // of the option
  const OptionInfo* info = nullptr;
  std::string value;
  bool lacks_value = false;
};

// Reads the flag at words[*i]. Moves *i on if the next word is the value. `info` is nullptr if no
// option has the name.
Flag ReadFlag(const std::vector<std::string>& words, size_t* i) {
  const std::string& word = words[*i];
  const size_t equals = word.find('=');
  Flag flag;
  flag.spelled = word == "-o" ? "--output" : word == "-v" ? "--verbose" : word.substr(0, equals);
  if (!flag.spelled.starts_with("--")) return flag;
  flag.name = flag.spelled.substr(2);
  flag.info = FindOption(flag.name);
  if (equals != std::string::npos) {
    flag.value = word.substr(equals + 1);
  } else if (flag.info == nullptr) {
    if (!flag.spelled.starts_with("--no-")) return flag;
    flag.name = flag.spelled.substr(5);
    const OptionInfo* negated = FindOption(flag.name);
    if (negated != nullptr && negated->type == OptionType::kBool) flag.info = negated;
    flag.value = "0";
  } else if (flag.info->type == OptionType::kBool) {
    flag.value = "1";
  } else if (flag.info->type == OptionType::kInt64 && flag.info->choices[0] != '\0') {
    flag.value = flag.info->choices;
  } else if (*i + 1 < words.size() && words[*i + 1] != "--") {
    flag.value = words[++*i];
  } else {
    flag.lacks_value = true;
  }
  return flag;
}

// Applies the flag, which overrides the value in *parsed. Returns a complaint, or an empty string.
std::string ApplyFlag(Flag flag, const std::string& command, ParsedFlags* parsed) {
  if (flag.lacks_value)
    return "flag '" + flag.spelled + "' has no value; write " + flag.spelled + "=...";
  if (flag.info == nullptr || !Takes(*flag.info, command))
    return UnknownFlag(flag.spelled, command);
  const OptionInfo& info = *flag.info;
  Options& options = parsed->configuration.options;
  std::string& origin = parsed->configuration.origins[info.name];
  const std::string own = "flag " + FlagName(info);
  // A list may be given in several flags.
  if (info.type == OptionType::kList && origin == own)
    flag.value = OptionText(options, info) + "," + flag.value;
  std::string complaint = SetOption(flag.name, flag.value, own, OptionScope::kCommand, &options);
  if (!complaint.empty()) return complaint;
  origin = own;
  // The last of these two flags applies.
  if (&info == FindOption("verbose") && options.verbose) options.brief = false;
  if (&info == FindOption("brief") && options.brief) options.verbose = false;
  return "";
}

// Applies the flags, which override the values in *result.
void ApplyFlags(const std::vector<std::string>& words, const std::string& command,
                bool stop_at_argument, ParsedFlags* result) {
  for (size_t i = 0; i < words.size() && result->complaint.empty(); ++i) {
    const std::string& word = words[i];
    const bool is_flag = word.size() > 1 && word[0] == '-';  // "-" is stdin or stdout
    if (word == "--" || (!is_flag && stop_at_argument)) {
      result->arguments.insert(result->arguments.end(),
                               words.begin() + static_cast<std::ptrdiff_t>(i + (is_flag ? 1 : 0)),
                               words.end());
      return;
    }
    if (!is_flag) {
      result->arguments.push_back(word);
    } else if (word == "--help" || word == "-h") {
      result->help = true;
    } else {
      result->complaint = ApplyFlag(ReadFlag(words, &i), command, result);
    }
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
