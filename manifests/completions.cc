// Prints the completions of a shell for the command: completions bash|zsh|fish. Commands, flags and
// values come from their tables.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "report/options/options.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

struct Command {
  std::string name;
  std::string doc;
};
const std::vector<Command> kCommands = {
#define GPUSAN_COMMAND(name, function, arguments, doc) {#name, doc},
#include "report/commands.def"
#undef GPUSAN_COMMAND
};

struct Flag {
  std::string name;  // "--format", and "--no-leaks" for switches that are on
  bool takes_value = false;
  bool is_number = false;
  bool is_check_list = false;        // names of checks, separated by commas
  std::vector<std::string> choices;  // all values that it may have; else any, which may name a file
  std::string doc;
};

// The begin of the text: what the flag is, without the details that follow.
std::string Short(std::string_view doc) {
  constexpr size_t kMost = 72;
  std::string text(doc.substr(0, doc.find(';')));
  if (text.size() > kMost) text.resize(text.rfind(' ', kMost));
  return text;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  while (!(text = Trimmed(text)).empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string Joined(const std::vector<std::string>& words, std::string_view separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
  return text;
}

std::vector<Flag> FlagsOf(std::string_view command) {
  const Options defaults;
  std::vector<Flag> flags;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionInfo& info = kOptions[i];
    // The flag --help prints the flags of the command; the option of that name is the process's.
    if (!Takes(info, command) || std::string_view(info.name) == "help") continue;
    Flag flag;
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '_', '-');
    flag.takes_value = info.type != OptionType::kBool;
    flag.is_number = info.type == OptionType::kInt64;
    flag.is_check_list = name == "disable" || name == "enable";
    flag.choices = WordsOf(info.choices);
    flag.doc = Short(info.doc);
    const bool on = !flag.takes_value && OptionText(defaults, info) == "1";
    flag.name = (on ? "--no-" : "--") + name;
    if (on) flag.doc = "do not " + flag.doc;
    flags.push_back(flag);
  }
  Flag help;
  help.name = "--help";
  help.doc = "print the flags";
  flags.push_back(help);
  return flags;
}

std::vector<std::string> Checks() {
  std::vector<std::string> ids;
  for (const RuleInfo& rule : kRules) ids.emplace_back(rule.id);
  return ids;
}

constexpr char kTopFlags[] = "--list-checks --version --help";

std::string CommandNames() {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  return Joined(names);
}

// What bash runs: the tables before it are its functions _gpusan_flags and _gpusan_values.
constexpr char kBashFunction[] = R"bash(_gpusan() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} flag= at words before=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "$_gpusan_commands" -- "$current"))
    return
  fi
  # The shell splits --flag=value at the '='.
  if [[ $current == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]} current=
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ " $(_gpusan_flags "$command") " == *" ${COMP_WORDS[COMP_CWORD - 1]}= "* ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  if [[ $command == run ]]; then
    # The program and what follows it have completions of their own.
    for ((at = 2; at < COMP_CWORD; ++at)); do
      case ${COMP_WORDS[at]} in
        --) ((++at)); break ;;
        -*)
          if [[ ${COMP_WORDS[at + 1]} == = ]]; then
            ((at += 2))
          elif [[ ${COMP_WORDS[at]} == -o || " $(_gpusan_flags run) " == *" ${COMP_WORDS[at]}= "* ]]; then
            ((++at))
          fi
          ;;
        *) break ;;
      esac
    done
    if ((at < COMP_CWORD)); then
      if declare -F _command_offset >/dev/null; then
        _command_offset "$at"
      else
        COMPREPLY=($(compgen -f -- "$current"))
      fi
      return
    fi
  fi
  if [[ -n $flag ]]; then
    words=$(_gpusan_values "$command" "$flag")
    if [[ $flag == --disable || $flag == --enable ]]; then
      [[ $current == *,* ]] && before=${current%,*},
      COMPREPLY=($(compgen -P "$before" -W "$words" -- "${current##*,}"))
    elif [[ -n $words ]]; then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$current"))
    fi
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$(_gpusan_flags "$command")" -- "$current"))
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  elif [[ $command == run ]]; then
    COMPREPLY=($(compgen -c -- "$current") $(compgen -f -- "$current"))
  elif [[ $command == history && $COMP_CWORD -eq 2 ]]; then
    COMPREPLY=($(compgen -W 'add show' -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _gpusan gpusan
)bash";

void PrintBash() {
  std::printf("# Completions of gpusan for bash, made from its tables of commands and options.\n");
  std::printf("_gpusan_flags() {\n  case $1 in\n");
  for (const Command& command : kCommands) {
    std::vector<std::string> names;
    for (const Flag& flag : FlagsOf(command.name))
      names.push_back(flag.name + (flag.takes_value ? "=" : ""));
    std::printf("    %s) echo '%s' ;;\n", command.name.c_str(), Joined(names).c_str());
  }
  std::printf("  esac\n}\n_gpusan_values() {\n  case $1,$2 in\n");
  for (const Command& command : kCommands) {
    for (const Flag& flag : FlagsOf(command.name)) {
      if (!flag.choices.empty())
        std::printf("    %s,%s) echo '%s' ;;\n", command.name.c_str(), flag.name.c_str(),
                    Joined(flag.choices).c_str());
    }
  }
  std::printf("    *,--disable | *,--enable) echo '%s' ;;\n", Joined(Checks()).c_str());
  std::printf("  esac\n}\n");
  std::printf("_gpusan_commands='%s %s'\n", CommandNames().c_str(), kTopFlags);
  std::fputs(kBashFunction, stdout);
}

// Inside single quotes, with `special` characters behind backslashes.
std::string Quoted(std::string_view text, std::string_view special) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

void PrintZsh() {
  std::printf(
      "#compdef gpusan\n# Completions of gpusan for zsh, made from its tables of commands and "
      "options.\n");
  std::printf("_gpusan() {\n  local -a commands flags checks\n  commands=(\n");
  for (const Command& command : kCommands)
    std::printf("    '%s:%s'\n", command.name.c_str(), Quoted(command.doc, "").c_str());
  std::printf("  )\n  checks=(%s)\n", Joined(Checks()).c_str());
  std::printf(
      "  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n"
      "    compadd -- %s\n    return\n  fi\n  local command=$words[2]\n"
      "  shift words\n  (( CURRENT-- ))\n  case $command in\n",
      kTopFlags);
  for (const Command& command : kCommands) {
    std::printf("    %s)\n      flags=(\n", command.name.c_str());
    for (const Flag& flag : FlagsOf(command.name)) {
      std::string action;
      if (!flag.choices.empty()) {
        action = ":value:(" + Joined(flag.choices) + ")";
      } else if (flag.is_check_list) {
        action = ":checks:_sequence compadd -a checks";
      } else if (flag.is_number) {
        action = ":number: ";
      } else if (flag.takes_value) {
        action = ":value:_files";
      }
      std::printf("        '%s%s[%s]%s'\n", flag.name.c_str(), flag.takes_value ? "=" : "",
                  Quoted(flag.doc, "[]:\\").c_str(), action.c_str());
    }
    const char* arguments = command.name == "run"
                                ? "'(-):program: _command_names -e' '*::arguments: _normal'"
                            : command.name == "history" ? "'1:action:(add show)' '*:file:_files'"
                                                        : "'*:file:_files'";
    std::printf("      )\n      _arguments -S $flags %s\n      ;;\n", arguments);
  }
  std::printf("  esac\n}\n_gpusan \"$@\"\n");
}

void PrintFish() {
  std::printf("# Completions of gpusan for fish, made from its tables of commands and options.\n");
  std::printf("complete -c gpusan -f\n");
  for (const Command& command : kCommands)
    std::printf("complete -c gpusan -n __fish_use_subcommand -a %s -d '%s'\n", command.name.c_str(),
                Quoted(command.doc, "\\").c_str());
  for (const std::string& flag : WordsOf(kTopFlags))
    std::printf("complete -c gpusan -n __fish_use_subcommand -l %s\n", flag.substr(2).c_str());
  for (const Command& command : kCommands) {
    const std::string when =
        "complete -c gpusan -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const Flag& flag : FlagsOf(command.name)) {
      std::string values;
      if (!flag.choices.empty()) {
        values = " -x -a '" + Joined(flag.choices) + "'";
      } else if (flag.is_check_list) {
        values = " -x -a '" + Joined(Checks()) + "'";
      } else if (flag.is_number) {
        values = " -x";
      } else if (flag.takes_value) {
        values = " -r -F";
      }
      std::printf("%s -l %s%s -d '%s'\n", when.c_str(), flag.name.substr(2).c_str(), values.c_str(),
                  Quoted(flag.doc, "\\").c_str());
    }
    if (command.name == "run") {
      std::printf("%s -x -a '(__fish_complete_subcommand --fcs-skip=2)'\n", when.c_str());
    } else {
      std::printf("%s -F\n", when.c_str());
    }
    if (command.name == "history") std::printf("%s -a 'add show'\n", when.c_str());
  }
}

}  // namespace
}  // namespace gpusan

int main(int argc, char** argv) {
  const std::string_view shell = argc == 2 ? argv[1] : "";
  if (shell == "bash") {
    gpusan::PrintBash();
  } else if (shell == "zsh") {
    gpusan::PrintZsh();
  } else if (shell == "fish") {
    gpusan::PrintFish();
  } else {
    std::fputs("usage: completions bash|zsh|fish\n", stderr);
    return 2;
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
