// Parses and prints options; the rows are in options.def.
#include "report/options/options.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "report/base/safe_write.h"
#include "report/options/nearest.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

enum class Parsed { kOk, kBad };

Parsed ParseValue(std::string_view text, bool* value) {
  for (const char* word : {"1", "true", "yes", "on"}) {
    if (text == word) return *value = true, Parsed::kOk;
  }
  for (const char* word : {"0", "false", "no", "off"}) {
    if (text == word) return *value = false, Parsed::kOk;
  }
  return Parsed::kBad;
}

Parsed ParseValue(std::string_view text, int64_t* value) {
  int64_t unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        unit = int64_t{1} << 10;
        break;
      case 'm':
      case 'M':
        unit = int64_t{1} << 20;
        break;
      case 'g':
      case 'G':
        unit = int64_t{1} << 30;
        break;
    }
    if (unit != 1) text.remove_suffix(1);
  }
  if (text.empty()) return Parsed::kBad;
  int64_t number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return Parsed::kBad;
    if (__builtin_mul_overflow(number, 10, &number)) return Parsed::kBad;
    if (__builtin_add_overflow(number, c - '0', &number)) return Parsed::kBad;
  }
  if (__builtin_mul_overflow(number, unit, &number)) return Parsed::kBad;
  *value = number;
  return Parsed::kOk;
}

Parsed ParseValue(std::string_view text, std::string* value) {
  value->assign(text);
  return Parsed::kOk;
}

const char* Expected(OptionType type) {
  switch (type) {
    case OptionType::kBool:
      return "1 or 0";
    case OptionType::kInt64:
      return "a number that is not negative, such as 1024 or 1K";
    case OptionType::kString:
    case OptionType::kList:
      break;
  }
  return "text";
}

bool SameName(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if ((a[i] == '-' ? '_' : a[i]) != (b[i] == '-' ? '_' : b[i])) return false;
  }
  return true;
}

std::string ValueText(bool value) { return value ? "1" : "0"; }
std::string ValueText(int64_t value) { return std::to_string(value); }
std::string ValueText(const std::string& value) { return value; }

std::string In(std::string_view origin) {
  return origin.empty() ? "" : " in " + std::string(origin);
}

constexpr OptionType kType_bool = OptionType::kBool;
constexpr OptionType kType_int64 = OptionType::kInt64;
constexpr OptionType kType_string = OptionType::kString;
constexpr OptionType kType_list = OptionType::kList;

struct RenamedOption {
  std::string_view old_name;
  std::string_view name;
};
constexpr RenamedOption kRenamed[] = {
#define GPUSAN_OPTION(type, name, default_value, scope, choices, doc)
#define GPUSAN_RENAMED_OPTION(old_name, name) {#old_name, #name},
#include "report/options/options.def"
#undef GPUSAN_OPTION
};

const RenamedOption* FindRenamed(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kRenamed), std::end(kRenamed),
                   [&](const RenamedOption& row) { return SameName(row.old_name, name); });
  return found != std::end(kRenamed) ? found : nullptr;
}

// Writes the new name to stderr when `name` is an old spelling; once per spelling and process.
void WarnIfRenamed(std::string_view name) {
  static std::atomic<bool> warned[std::size(kRenamed)];
  const RenamedOption* renamed = FindRenamed(name);
  if (renamed == nullptr || warned[renamed - kRenamed].exchange(true)) return;
  std::string new_name(renamed->name);
  if (name.find('-') != std::string_view::npos)
    std::replace(new_name.begin(), new_name.end(), '_', '-');
  WriteToStderr("gpusan: option " + Quoted(name) + " is now called " + Quoted(new_name) +
                "; the old name still works\n");
}

// Returns an empty string, or an error message if this text is not legal for this option.
std::string BadText(const OptionInfo& info, std::string_view value) {
  if (std::strcmp(info.name, "disable") == 0 || std::strcmp(info.name, "enable") == 0)
    return ParseRuleList(value, nullptr);
  const std::vector<std::string_view> choices = SplitWords(info.choices);
  const auto known = [&](std::string_view word) {
    return std::find(choices.begin(), choices.end(), word) != choices.end();
  };
  const std::vector<std::string_view> words = SplitWords(value, ",");
  if (choices.empty() ||
      (info.type == OptionType::kList ? std::all_of(words.begin(), words.end(), known)
                                      : known(value)))
    return "";
  return info.type == OptionType::kList ? "its elements must be of " + WordList(info.choices)
                                        : "it must be one of " + WordList(info.choices);
}

}  // namespace

const OptionInfo kOptions[] = {
#define GPUSAN_OPTION(type, name, default_value, scope, choices, doc) \
  {#name, kType_##type, OptionScope::scope, doc, "run", choices},
#define GPUSAN_COMMAND_OPTION(type, name, default_value, commands, choices, doc) \
  {#name, kType_##type, OptionScope::kCommand, doc, commands, choices},
#define GPUSAN_SHARED_OPTION(type, name, default_value, commands, choices, doc) \
  {#name, kType_##type, OptionScope::kProcess, doc, commands, choices},
#include "report/options/options.def"
#undef GPUSAN_OPTION
};
const int kOptionCount = static_cast<int>(sizeof(kOptions) / sizeof(kOptions[0]));

const OptionInfo* FindOption(std::string_view name) {
  if (const RenamedOption* renamed = FindRenamed(name); renamed != nullptr) name = renamed->name;
  for (const OptionInfo& info : kOptions) {
    if (SameName(info.name, name)) return &info;
  }
  return nullptr;
}

bool Takes(const OptionInfo& info, std::string_view command) {
  const std::vector<std::string_view> commands = SplitWords(info.commands);
  return std::find(commands.begin(), commands.end(), command) != commands.end();
}

std::string SetOption(std::string_view name, std::string_view value, std::string_view origin,
                      OptionScope scope, Options* options) {
  const OptionInfo* info = FindOption(name);
  if (info == nullptr) {
    Nearest nearest(name);
    for (const OptionInfo& known : kOptions) {
      if (scope == OptionScope::kCommand || known.scope == OptionScope::kProcess)
        nearest.Offer(known.name);
    }
    std::string line = "unknown option " + Quoted(name) + In(origin);
    if (nearest.best().empty())
      return line + (scope == OptionScope::kProcess ? "; help=1 lists the known ones"
                                                    : "; 'gpusan run --help' lists the known ones");
    return line + "; did you mean " + Quoted(nearest.best()) + "?";
  }
  if (scope == OptionScope::kProcess && info->scope == OptionScope::kCommand) {
    return "option " + Quoted(info->name) + In(origin) +
           " belongs to the gpusan command: use 'gpusan run --" + info->name + "=...'";
  }
  WarnIfRenamed(name);
  const std::string bad_text = info->type == OptionType::kString || info->type == OptionType::kList
                                   ? BadText(*info, value)
                                   : "";
  if (!bad_text.empty()) {
    return "bad value " + Quoted(value) + " for option " + Quoted(info->name) + In(origin) + ": " +
           bad_text;
  }
  Parsed parsed = Parsed::kBad;
#define GPUSAN_OPTION(type, member, default_value, scope, choices, doc) \
  if (std::strcmp(info->name, #member) == 0) parsed = ParseValue(value, &options->member);
#include "report/options/options.def"
#undef GPUSAN_OPTION
  if (parsed == Parsed::kOk) return "";
  return "bad value " + Quoted(value) + " for option " + Quoted(info->name) + In(origin) +
         "; it must be " + Expected(info->type) + "; the value stays " +
         OptionText(*options, *info);
}

uint64_t DisabledRules(const Options& options, std::span<const RuleInfo> rules) {
  const auto bits = [&](auto&& chosen) {
    uint64_t set = 0;
    for (size_t i = 0; i < rules.size(); ++i) set |= uint64_t{chosen(rules[i])} << i;
    return set;
  };
  const auto named = [&](const std::string& list) {
    uint64_t set = 0;
    for (const std::string_view name : SplitWords(list, ","))
      set |= bits([&](const RuleInfo& rule) { return name == rule.id; });
    return set;
  };
  return (bits(OffByDefault) & ~named(options.enable)) | named(options.disable);
}

std::string ParseRuleList(std::string_view list, std::vector<RuleId>* rules) {
  std::string complaint;
  for (const std::string_view name : SplitWords(list, ",")) {
    Nearest nearest(name);
    bool known = false;
    for (int i = 0; i < kRuleCount && !known; ++i) {
      known = name == kRules[i].id;
      if (known && rules != nullptr) rules->push_back(static_cast<RuleId>(i));
      nearest.Offer(kRules[i].id);
    }
    if (known) continue;
    complaint = "unknown check " + Quoted(name) + "; ";
    complaint += nearest.best().empty() ? "gpusan --list-checks names them"
                                        : "did you mean " + Quoted(nearest.best()) + "?";
  }
  return complaint;
}

std::vector<OptionSetting> SplitOptions(std::string_view text) {
  std::vector<OptionSetting> settings;
  OptionSetting setting;
  char quote = 0;
  auto finish = [&] {
    if (!setting.name.empty() || setting.has_value) settings.push_back(setting);
    setting = OptionSetting();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (setting.name.empty() && !setting.has_value) setting.column = i + 1;
    std::string& target = setting.has_value ? setting.value : setting.name;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      target += text[++i];
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        target += c;
      }
    } else if (setting.has_value && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == ':') {
      finish();
    } else if (c == '=' && !setting.has_value) {
      setting.has_value = true;
    } else {
      target += c;
    }
  }
  finish();
  return settings;
}

std::vector<std::string> ParseOptions(std::string_view text, std::string_view origin,
                                      Options* options, OptionScope scope,
                                      std::vector<std::string>* given) {
  std::vector<std::string> complaints;
  for (const OptionSetting& setting : SplitOptions(text)) {
    const OptionInfo* info = FindOption(setting.name);
    const std::string place = std::string(origin) + ", column " + std::to_string(setting.column);
    std::string complaint;
    if (!setting.has_value && info != nullptr && info->type != OptionType::kBool) {
      complaint = "option " + Quoted(info->name) + In(place) + " has no value; write " +
                  info->name + "=...";
    } else {
      complaint =
          SetOption(setting.name, setting.has_value ? setting.value : "1", place, scope, options);
    }
    if (!complaint.empty()) {
      complaints.push_back(std::move(complaint));
    } else if (given != nullptr) {
      given->push_back(info->name);
    }
  }
  return complaints;
}

std::string QuoteOptionValue(std::string_view value) {
  std::string quoted;
  for (char c : value) {
    if (c == ':' || c == '\\' || c == '"' || c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string OptionText(const Options& options, const OptionInfo& info) {
#define GPUSAN_OPTION(type, member, default_value, scope, choices, doc) \
  if (std::strcmp(info.name, #member) == 0) return ValueText(options.member);
#include "report/options/options.def"
#undef GPUSAN_OPTION
  return "";
}

namespace {

// "--fail-on=note|warning|error|new|never", "--[no-]leaks", "--quiet", "--repeat=N",
// "--output=TEXT".
std::string OptionSyntax(const OptionInfo& info, std::string_view prefix) {
  std::string name = info.name;
  const bool is_flag = prefix == "--";
  if (is_flag) std::replace(name.begin(), name.end(), '_', '-');
  std::string syntax = "  " + std::string(prefix);
  const bool on = OptionText(Options{}, info) == "1";
  switch (info.type) {
    case OptionType::kBool:
      if (!on) return syntax + name;
      return is_flag ? syntax + "[no-]" + name : syntax + name + "=0|1";
    case OptionType::kInt64:
      if (is_flag && !Trimmed(info.choices).empty()) return syntax + name + "[=N]";
      return syntax + name + "=N";
    case OptionType::kString:
    case OptionType::kList:
      break;
  }
  std::string choices(Trimmed(info.choices));
  std::replace(choices.begin(), choices.end(), ' ', '|');
  return syntax + name + "=" + (choices.empty() ? "TEXT" : choices);
}

std::string HelpLine(const OptionInfo& info, std::string_view prefix, int columns) {
  constexpr size_t kDocColumn = 30;
  std::string line = OptionSyntax(info, prefix);
  if (line.size() + 2 > kDocColumn) line += "\n" + std::string(kDocColumn, ' ');
  line.resize(std::max(line.size(), kDocColumn), ' ');
  std::string value = OptionText(Options{}, info);
  if (info.type == OptionType::kBool) value = value == "1" ? "on" : "off";
  const std::string doc =
      std::string(info.doc) + " (default: " + (value.empty() ? "none" : value) + ")";
  return line + Wrapped(doc, kDocColumn, kDocColumn, columns) + "\n";
}

}  // namespace

std::string OptionHelp(OptionScope scope, std::string_view prefix, int columns) {
  std::string table;
  for (const OptionInfo& info : kOptions) {
    if (info.scope == scope) table += HelpLine(info, prefix, columns);
  }
  return table;
}

std::string FlagHelp(std::string_view command, int columns) {
  std::string table;
  for (const OptionScope scope : {OptionScope::kCommand, OptionScope::kProcess}) {
    for (const OptionInfo& info : kOptions) {
      if (info.scope == scope && Takes(info, command)) table += HelpLine(info, "--", columns);
    }
  }
  return table;
}

const std::string& AttachOf(const Options& options, Api api) {
  switch (api) {
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) \
  case Api::k##symbol:                                                               \
    return options.name##_attach;
#include "tracker/apis.def"
#undef GPUSAN_API
    default:
      break;
  }
  static const std::string& none = *new std::string;
  return none;
}

}  // namespace gpusan
