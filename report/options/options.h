// The options of gpusan with their types and defaults, generated from options.def.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/rule_ids.h"

namespace gpusan {

enum class OptionType : uint8_t { kBool, kInt64, kString, kList };

// kProcess: read in the process under test from GPUSAN_OPTIONS, and a flag of `gpusan run`.
// kCommand: a flag of the `gpusan` command only.
enum class OptionScope : uint8_t { kProcess, kCommand };

// Values for columns of options.def: no restriction; the names of all rows of formats.def, of
// apis.def and of commands.def, separated by blanks.
inline constexpr char kAnyValue[] = "";
#define GPUSAN_FORMAT(name, media_type, function, doc) #name " "
inline constexpr char kFormatNames[] =
#include "report/formats.def"
    ;
#undef GPUSAN_FORMAT
#define GPUSAN_API(symbol, name, human, prefix, handles, waits, attach, device, ...) #name " "
inline constexpr char kApiNames[] =
#include "tracker/apis.def"
    ;
#undef GPUSAN_API
#define GPUSAN_COMMAND(name, function, arguments, doc) #name " "
inline constexpr char kEveryCommand[] =
#include "report/commands.def"
    ;
#undef GPUSAN_COMMAND

struct OptionInfo {
  const char* name;  // with '_'; flags also accept '-'
  OptionType type;
  OptionScope scope;
  const char* doc;       // one line, no trailing period
  const char* commands;  // the commands that take the flag, separated by blanks
  // The legal values of a string, separated by blanks; empty: any value. Of a number: the value of
  // its flag without "=N"; empty: the flag needs one.
  const char* choices;
};

extern const OptionInfo kOptions[];
extern const int kOptionCount;

// The row of that name, also of an old spelling of it; nullptr without one. '-' and '_' are the
// same character in names.
const OptionInfo* FindOption(std::string_view name);

// Whether `command` ("run") has this flag.
bool Takes(const OptionInfo& info, std::string_view command);

// One member per row of options.def.
struct Options {
#define GPUSAN_OPTION_TYPE_bool bool
#define GPUSAN_OPTION_TYPE_int64 int64_t
#define GPUSAN_OPTION_TYPE_string std::string
#define GPUSAN_OPTION_TYPE_list std::string
#define GPUSAN_OPTION(type, name, default_value, scope, choices, doc) \
  GPUSAN_OPTION_TYPE_##type name = default_value;
#include "report/options/options.def"
#undef GPUSAN_OPTION
#undef GPUSAN_OPTION_TYPE_bool
#undef GPUSAN_OPTION_TYPE_int64
#undef GPUSAN_OPTION_TYPE_string
#undef GPUSAN_OPTION_TYPE_list
};

// Sets one option. An old spelling of the name sets the same option, and the first use of it in the
// process writes the new name to stderr. `origin` is where the value came from ("GPUSAN_OPTIONS",
// "flag --fail-on"), for the error message; empty if the caller names it. Returns an empty string,
// or an error message of one line without newline that names the option, the origin and the fix;
// then *options is unchanged. With `scope` kProcess, options of the command are errors. bool: 1 0
// true false yes no on off. int64: decimal, not negative, with an optional K, M or G (powers of
// 1024).
std::string SetOption(std::string_view name, std::string_view value, std::string_view origin,
                      OptionScope scope, Options* options);

// The value of the option <name>_attach of the API.
const std::string& AttachOf(const Options& options, Api api);

// Parses "key=value:key=value". A bool needs no "=value". A value in single or double quotes may
// contain ':'; outside single quotes '\' makes the next character literal. Ignores settings that
// are bad or not of that scope, and returns an error message for each, one line with the column.
// *given, which may be null, receives the names of the options that were set.
std::vector<std::string> ParseOptions(std::string_view text, std::string_view origin,
                                      Options* options, OptionScope scope = OptionScope::kProcess,
                                      std::vector<std::string>* given = nullptr);

// Parses a list of checks separated by commas ("race,leak"; blanks are ignored). Stores the known
// ones in *rules, which may be null. Returns an error message of one line without newline, with the
// nearest known name, if a check is unknown.
std::string ParseRuleList(std::string_view list, std::vector<RuleId>* rules);

// The checks that are off, a bit per RuleId: advice checks that `enable` does not name, and the
// checks that `disable` names. `disable` overrides `enable`. Ignores names that are not in `rules`.
uint64_t DisabledRules(const Options& options, std::span<const RuleInfo> rules = kRules);

// One "key=value", unquoted. The end of the text closes an open quote.
struct OptionSetting {
  std::string name;
  std::string value;
  bool has_value = false;
  size_t column = 0;  // of its name in the text, from 1
};
std::vector<OptionSetting> SplitOptions(std::string_view text);

// Quotes `value` so that SplitOptions returns it unchanged.
std::string QuoteOptionValue(std::string_view value);

// The value as text that SetOption accepts.
std::string OptionText(const Options& options, const OptionInfo& info);

// The table of the options of one scope, for help=1. `prefix` precedes each name ("--"). Texts are
// wrapped at `columns`; 0: never.
std::string OptionHelp(OptionScope scope, std::string_view prefix, int columns = 0);

// The table of the flags of a command, for --help; the options of the command only come first.
std::string FlagHelp(std::string_view command, int columns = 0);

}  // namespace gpusan
