// Reads and prints options files.
#include "report/options/config.h"

#include <string.h>

#include <algorithm>
#include <cstdlib>

#include "report/base/printable.h"
#include "report/base/privileges.h"
#include "report/base/regular_file.h"
#include "report/base/safe_write.h"
#include "report/base/terminal.h"
#include "report/options/layer_settings.h"
#include "report/options/nearest.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr std::string_view kVariable = "GPUSAN_OPTIONS";

bool IsBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// Parses the value that starts at `begin` of a line. Returns an empty string, or an error message
// with its column in *begin.
std::string TakeValue(std::string_view line, size_t* begin, std::string* value) {
  value->clear();
  size_t i = *begin;
  const char quote = i < line.size() && (line[i] == '"' || line[i] == '\'') ? line[i] : '\0';
  if (quote == '\0') {
    while (i < line.size() && !(line[i] == '#' && (i == *begin || IsBlank(line[i - 1])))) ++i;
    std::string_view text = line.substr(*begin, i - *begin);
    while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
    value->assign(text);
    return "";
  }
  for (++i; i < line.size() && line[i] != quote; ++i) {
    if (quote == '"' && line[i] == '\\' && i + 1 < line.size()) ++i;
    *value += line[i];
  }
  if (i == line.size())
    return "the quote that begins here has no end; write " + std::string(1, quote) +
           " after the value";
  *begin = line.find_first_not_of(kBlanks, i + 1);
  if (*begin == std::string_view::npos || line[*begin] == '#') return "";
  return "only a comment may follow a quoted value; put all of it between the quotes";
}

class Parser {
 public:
  Parser(const std::string& path, std::string_view command, Configuration* configuration)
      : path_(path), command_(command), configuration_(*configuration) {}

  std::vector<std::string> Parse(std::string_view text) {
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // a byte order mark
    while (!text.empty()) {
      ++number_;
      const size_t newline = text.find('\n');
      Line(text.substr(0, newline));
      text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    }
    return std::move(complaints_);
  }

 private:
  void Complain(size_t column, const std::string& what) {
    complaints_.push_back(path_ + ":" + std::to_string(number_) + ":" + std::to_string(column + 1) +
                          ": " + what);
  }

  void Line(std::string_view line) {
    constexpr size_t kLongest = size_t{64} << 10;
    if (line.size() > kLongest) {
      return Complain(kLongest, "the line is longer than " + std::to_string(kLongest) +
                                    " characters; shorten it");
    }
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || line[begin] == '#') return;
    if (line[begin] == '[') return Section(line, begin);
    size_t end = line.find_first_of(" \t\r=#", begin);
    if (end == std::string_view::npos) end = line.size();
    const std::string_view name = line.substr(begin, end - begin);
    size_t at = line.find_first_not_of(kBlanks, end);
    const bool has_value = at != std::string_view::npos && line[at] == '=';
    std::string value = "1";
    if (has_value) {
      at = std::min(line.find_first_not_of(kBlanks, at + 1), line.size());
      size_t place = at;
      if (const std::string wrong = TakeValue(line, &place, &value); !wrong.empty())
        return Complain(place, wrong);
    } else if (at != std::string_view::npos && line[at] != '#') {
      return Complain(at, "expected '=' after " + Quoted(name) + "; write 'name = value'");
    }
    if (name.empty()) return Complain(begin, "expected an option before '='");
    if (!known_section_) return;
    Set(name, begin, value, has_value ? at : begin, has_value);
  }

  void Section(std::string_view line, size_t begin) {
    known_section_ = false;
    const size_t end = line.find(']', begin);
    if (end == std::string_view::npos) return Complain(begin, "this '[' has no ']'");
    const size_t behind = line.find_first_not_of(kBlanks, end + 1);
    if (behind != std::string_view::npos && line[behind] != '#')
      return Complain(behind, "only a comment may follow ']'");
    section_ = line.substr(begin + 1, end - begin - 1);
    Nearest nearest(section_);
    for (const std::string_view command : SplitWords(kEveryCommand)) {
      if (section_ == command) known_section_ = true;
      nearest.Offer(command);
    }
    if (known_section_) return;
    const std::string best(nearest.best());
    Complain(begin + 1, "unknown command " + Quoted(section_) + "; " +
                            (best.empty() ? "known are " + WordList(kEveryCommand)
                                          : "did you mean " + Quoted(best) + "?"));
  }

  void Set(std::string_view name, size_t name_column, const std::string& value, size_t value_column,
           bool has_value) {
    const OptionInfo* info = FindOption(name);
    if (info != nullptr && strcmp(info->name, "config") == 0)
      return Complain(name_column, "one options file cannot name another; put its lines here");
    if (info != nullptr && !has_value && info->type != OptionType::kBool) {
      return Complain(name_column, "option " + Quoted(info->name) + " has no value; write " +
                                       Quoted(std::string(info->name) + " = ..."));
    }
    if (info != nullptr && !section_.empty() && !Takes(*info, section_)) {
      return Complain(name_column, "'gpusan " + section_ + "' has no option " + Quoted(info->name) +
                                       "; these commands have it: " + info->commands);
    }
    int& before = set_[section_ + "." + (info != nullptr ? info->name : std::string(name))];
    if (before != 0) {
      return Complain(name_column, "option " + Quoted(name) + " is set in line " +
                                       std::to_string(before) +
                                       " already; remove one of the lines");
    }
    before = number_;
    // Validate settings for other commands as well; set them in a copy.
    const bool ours =
        info != nullptr && (section_.empty() ? TakenHere(*info) : section_ == command_);
    Options others = configuration_.options;
    const std::string wrong =
        SetOption(name, value, "", OptionScope::kCommand, ours ? &configuration_.options : &others);
    if (!wrong.empty()) return Complain(info == nullptr ? name_column : value_column, wrong);
    if (ours) configuration_.origins[info->name] = path_ + ":" + std::to_string(number_);
  }

  bool TakenHere(const OptionInfo& info) const {
    return command_.empty() ? info.scope == OptionScope::kProcess : Takes(info, command_);
  }

  const std::string path_;
  const std::string_view command_;
  Configuration& configuration_;
  std::vector<std::string> complaints_;
  std::map<std::string, int> set_;  // "section.name" to its line
  std::string section_;
  bool known_section_ = true;
  int number_ = 0;
};

std::string QuotedForFile(const std::string& value) {
  const bool plain = !value.empty() && value.find_first_of("#\"'\\\n") == std::string::npos &&
                     !IsBlank(value.front()) && !IsBlank(value.back());
  if (plain) return value;
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::vector<std::string> ParseConfig(std::string_view text, const std::string& path,
                                     std::string_view command, Configuration* configuration) {
  return Parser(path, command, configuration).Parse(text);
}

std::vector<std::string> LoadConfig(const std::string& path, std::string_view command,
                                    Configuration* configuration) {
  constexpr size_t kMost = size_t{1} << 20;
  std::string text, why;
  if (!ReadRegularFile(path, kMost, &text, &why)) return {path + ": " + why};
  return ParseConfig(text, path, command, configuration);
}

std::vector<std::string> LoadEnvironment(std::string_view command, Configuration* configuration) {
  const char* text = std::getenv(kVariable.data());
  if (text == nullptr) return {};
  Options options = configuration->options;
  std::vector<std::string> given;
  std::vector<std::string> complaints =
      ParseOptions(text, kVariable, &options,
                   command.empty() ? OptionScope::kProcess : OptionScope::kCommand, &given);
  for (const std::string& name : given) {
    const OptionInfo& info = *FindOption(name);
    if (!command.empty() && !Takes(info, command)) continue;
    SetOption(name, OptionText(options, info), kVariable, OptionScope::kCommand,
              &configuration->options);
    configuration->origins[name] = kVariable;
  }
  return complaints;
}

std::string ConfigInEnvironment() {
  const char* text = std::getenv(kVariable.data());
  std::string path;
  if (text == nullptr) return path;
  for (const OptionSetting& setting : SplitOptions(text)) {
    if (setting.name == "config") path = setting.value;
  }
  return path;
}

std::string ConfigurationText(const Configuration& configuration, std::string_view command) {
  constexpr size_t kOriginColumn = 40;
  std::string text;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionInfo& info = kOptions[i];
    const std::string name = info.name;
    if (!(command.empty() ? info.scope == OptionScope::kProcess : Takes(info, command))) continue;
    if (name == "help" || name == "config" || name == "print_config") continue;
    std::string line = name + " = " + QuotedForFile(OptionText(configuration.options, info));
    line.resize(line.size() < kOriginColumn ? kOriginColumn : line.size() + 1, ' ');
    const auto origin = configuration.origins.find(name);
    text +=
        line + "# " + (origin != configuration.origins.end() ? origin->second : "default") + "\n";
  }
  return text;
}

std::string SwitchedOffText(const Configuration& configuration, const ApiInfo& api) {
  if (AttachOf(configuration.options, api.api) != "off") return "";
  const std::string option = api.attach_option;
  const auto found = configuration.origins.find(option);
  const std::string origin = found != configuration.origins.end() ? found->second : "";
  constexpr std::string_view kFlag = "flag ";
  return std::string(api.human) + " was not watched: it was switched off by " +
         (origin.compare(0, kFlag.size(), kFlag) == 0
              ? origin.substr(kFlag.size()) + "=off"
              : option + "=off" + (origin.empty() ? "" : " in " + origin));
}

Configuration PassingConfiguration() {
  Configuration configuration;
  Options& options = configuration.options;
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  options.name##_attach = "off";
#include "tracker/apis.def"
#undef GPUSAN_API
  options.print = options.leaks = options.kernel_arg_info = false;
  return configuration;
}

Configuration ReadProcessConfiguration() {
  if (RunsWithRaisedPrivileges()) return PassingConfiguration();
  Configuration configuration;
  std::vector<std::string> complaints = LoadLayerSettings(&configuration);
  const auto add = [&](std::vector<std::string> more) {
    for (std::string& complaint : more) complaints.push_back(std::move(complaint));
  };
  if (const std::string path = ConfigInEnvironment(); !path.empty())
    add(LoadConfig(path, "", &configuration));
  add(LoadEnvironment("", &configuration));
  for (const std::string& complaint : complaints)
    WriteToStderr("gpusan: " + Printable(complaint) + "\n");
  if (configuration.options.help) {
    WriteToStderr(
        "gpusan: options, as GPUSAN_OPTIONS=key=value:key=value (quote a value that holds ':')\n" +
        OptionHelp(OptionScope::kProcess, "", OutputWidth(STDERR_FILENO)));
  }
  if (configuration.options.print_config) WriteToStderr(ConfigurationText(configuration, ""));
  return configuration;
}

}  // namespace gpusan
