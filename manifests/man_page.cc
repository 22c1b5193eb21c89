// Prints the man page gpusan(1): the prose is here, options and checks come from their tables.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "report/options/options.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

constexpr std::string_view kHead = R"(.SH NAME
gpusan \- find errors in how a program uses the GPU
.SH SYNOPSIS
.B gpusan run
.RI [ flags ]
.RB [ \-\- ]
.I program
.RI [ arguments ]
.br
.B gpusan report
.RI [ flags ]
.IR FILE | FOLDER ...
.br
.B gpusan diff
.RI [ flags ]
.I OLD NEW
.br
.B gpusan merge
.RI [ flags ]
.B \-o
.I FILE
.IR FILE | FOLDER ...
.br
.B gpusan history add
.RI [ flags ]
.I DATABASE
.IR FILE | FOLDER ...
.br
.B gpusan history show
.RI [ flags ]
.I DATABASE
.br
.B gpusan \-\-list\-checks
|
.B \-\-version
|
.B \-V
|
.B \-\-help
.SH DESCRIPTION
.B gpusan
intercepts the calls of an unmodified program to a GPU API, keeps a shadow state of every allocation, queue and
event, and prints findings: what happened, why it is wrong, where it happened, and what to change.
.PP
.B gpusan run
starts the program with the library loaded, follows the program and its children, prints findings with functions, files
and lines as they happen, and prints a summary at the end. It forwards signals to the program.
.PP
.B gpusan report
shows the findings of record files, each once, most severe first. The files come from
.B gpusan run
or from programs that ran with the library alone.
.B \-\-format
selects the format.
.PP
.B gpusan diff
compares two runs by the fingerprints of their findings,
.B gpusan merge
merges many record files into one, with symbols, and
.B gpusan history
keeps the results of each night in an SQLite file and shows when each finding was first and last seen.
)";

constexpr std::string_view kFindings = R"(.SH OPTIONS FILE
.BI \-\-config= FILE
names an options file. Each line
.IR name " = " value
sets one option. A switch needs no value. Names are those of the flags, with _ or \-.
.B #
starts a comment, at the start of a line or after a blank, but not in a quoted value. The lines after
.BI [ command ]
apply only to that command. Flags override GPUSAN_OPTIONS, which overrides the file.
.B \-\-print\-config
prints each option with its value and the origin of the value, in the same format.
.SH FINDINGS
An
.I error
is something that the specification forbids, a race, or memory that is lost for good. A
.I warning
is defined behaviour that is almost surely not meant, or an error that is only possible. A
.I note
explains a legal act with a surprising result. The last line of each finding starts with
.B SUMMARY: gpusan:
and contains the severity, the check, the call and the location, each without blanks. The location is the innermost frame
outside of the libraries of the system and of frameworks. Below it is its line of source, if the file exists, is a
source file and did not change since the run. Without
.BR \-\-verbose ,
a sequence of library frames is one line, and a finding with the same check, call and location as an earlier finding is
shortened. Objects have short numbers, and
.I about
lists their handles. The summary ends with a table: severity, count, check and location.
.SH SUPPRESSIONS
A file of lines
.IR check : glob ,
for example
.BR race:*libfoo* .
.B *
matches every check.
.BI until= YYYY-MM-DD
may follow the glob: the last day on which the line applies. The glob must match the whole of one of these texts: the function of a
frame (with or without its parameters), the source file or loaded file of a frame (path or base name), or a label that the program
gave to a resource. The frames are those of the finding's call site and of its parties.
.B #
starts a comment with the reason. The summary states how often each line matched;
.B \-\-gen\-suppressions
writes such a file.
.SH RECORDS
Each process appends JSON Lines to its own file, with one write for each record: a
.I process
record first, then
.IR module ,
.I finding
and
.I warning
records, and an
.I end
record last. A file without an
.I end
is an incomplete run. It never counts as clean.
)";

constexpr std::string_view kTail = R"(.SH EXIT STATUS
.TP
.I n
The program's own exit code, if it is not 0; 128 plus the number of the signal if a signal ended the program.
.TP
.B 66
Findings at or above
.B \-\-fail\-on
that are not suppressed.
.TP
.B 70
.B gpusan
could not do its work: bad flags, no library, a program that it could not attach to, a record file that is
unreadable or incomplete. With
.B \-\-fail\-on=never
an incomplete file does not count.
.TP
.B 124
.B \-\-timeout
ended the program, and the program did not return 0.
.TP
.B 0
None of these.
.SH ENVIRONMENT
.TP
.B GPUSAN_OPTIONS
.IR key = value : key = value .
Quote a value that contains a colon ('a:b'), or escape the colon (a\e:b). For an error in it,
.B gpusan
prints a message on stderr and ignores the option.
.B help=1
prints the list.
.B config=FILE
names an options file.
.TP
.B GPUSAN_LIBRARY
The library to load instead of the installed one.
.TP
.BR NO_COLOR ", " FORCE_COLOR ", " TERM
Output has colour on a terminal that is not dumb, and everywhere if
.B FORCE_COLOR
is set to a value other than 0. It has no colour if
.B NO_COLOR
is set. The option
.B \-\-color
overrides these variables.
.TP
.B COLUMNS
The width of texts on a terminal, instead of the width of the terminal.
.TP
.BR LD_PRELOAD ", " OPENCL_LAYERS
.B gpusan run
adds the library at the front of the first and at the end of the second. To watch a program without
.BR "gpusan run" ,
set these variables yourself.
.SH LIMITS
The library cannot attach to programs that are linked statically, that gain privileges when they start (setuid, setgid,
capabilities), or that are built for another architecture;
.B gpusan run
prints a warning before it starts them.
)";

// Text for roff: hyphens as typed, no line that begins with a request.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  if (!escaped.empty() && (escaped[0] == '.' || escaped[0] == '\'')) escaped.insert(0, "\\&");
  return escaped;
}

void PrintOptions(OptionScope scope) {
  const Options defaults;
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionInfo& info = kOptions[i];
    if (info.scope != scope) continue;
    std::string flag = "--" + std::string(info.name);
    for (char& c : flag) {
      if (c == '_') c = '-';
    }
    std::string choices(Trimmed(info.choices));
    std::replace(choices.begin(), choices.end(), ' ', '|');
    const std::string value = OptionText(defaults, info);
    if (info.type == OptionType::kBool) {
      const std::string no = "--no-" + flag.substr(2);
      if (value == "1") {
        std::printf(".TP\n.BR %s \", \" %s\n", Escaped(flag).c_str(), Escaped(no).c_str());
      } else {
        std::printf(".TP\n.B %s\n", Escaped(flag).c_str());
      }
    } else if (!choices.empty()) {
      std::printf(".TP\n.BR %s= %s\n", Escaped(flag).c_str(), Escaped(choices).c_str());
    } else {
      std::printf(".TP\n.BI %s= %s\n", Escaped(flag).c_str(),
                  info.type == OptionType::kInt64 ? "N" : "TEXT");
    }
    if (scope == OptionScope::kCommand) std::printf("(%s) ", WordList(info.commands).c_str());
    std::printf("%s.\n", Escaped(info.doc).c_str());
    std::printf("Default: %s.", value.empty() ? "none" : Escaped(value).c_str());
    std::printf(scope == OptionScope::kProcess ? " As GPUSAN_OPTIONS: %s.\n" : "\n", info.name);
  }
}

void PrintFormats() {
#define GPUSAN_FORMAT(name, media_type, function, doc) \
  std::printf(".TP\n.B %s\n%s (%s).\n", #name, Escaped(doc).c_str(), Escaped(media_type).c_str());
#include "report/formats.def"
#undef GPUSAN_FORMAT
}

void PrintChecks() {
  std::string_view group;
  for (const RuleInfo& rule : kRules) {
    if (group != rule.group) std::printf(".SS %s\n", rule.group);
    group = rule.group;
    std::printf(".TP\n.B %s\n%s (%s).\n", Escaped(rule.id).c_str(), Escaped(rule.help).c_str(),
                SeverityName(rule.severity));
  }
}

void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void PrintPage() {
  std::printf(".TH GPUSAN 1 \"\" \"gpusan %s\" \"User Commands\"\n", GPUSAN_VERSION);
  Print(kHead);
  Print(
      ".SH FLAGS\nA flag may use _ instead of \\-; a switch may also be written\n.BI \\-\\- "
      "name\nor\n.BI "
      "\\-\\-no\\- name\nalso.\n");
  Print(".SS Of the command\n");
  PrintOptions(OptionScope::kCommand);
  Print(".SS Of the process, also in GPUSAN_OPTIONS\n");
  PrintOptions(OptionScope::kProcess);
  Print(".SH FORMATS\nThe values of\n.B \\-\\-format\nof\n.BR \"gpusan report\" :\n");
  PrintFormats();
  Print(kFindings);
  Print(".SH CHECKS\n");
  PrintChecks();
  Print(kTail);
}

}  // namespace
}  // namespace gpusan

int main() {
  gpusan::PrintPage();
  return std::fflush(stdout) == 0 ? 0 : 1;
}
