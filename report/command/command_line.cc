// The steps of every command with its command line, besides parsing (report/options/flags.h).
#include "report/command/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/base/terminal.h"
#include "report/findings/collector.h"
#include "tracker/base/text_util.h"

namespace gpusan {

int Complain(const std::string& line) {
  WriteToStderr("gpusan: " + Printable(line, /*lines=*/true) + "\n");
  return kExitTrouble;
}

int HelpColumns() {
  constexpr int kOfFiles = 100;
  constexpr int kMost = 120;
  const int columns = OutputWidth(STDOUT_FILENO);
  return columns == 0 ? kOfFiles : std::min(columns, kMost);
}

std::string WrappedLines(std::string_view text, int columns) {
  std::string wrapped;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    // Later lines stand below the text that follows a gap of two blanks or more.
    const size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const size_t gap = line.find("  ", begin);
    size_t text_begin = gap == std::string_view::npos ? begin : line.find_first_not_of(' ', gap);
    constexpr size_t kLeast = 20;  // columns for that text; with fewer it gets lines of its own
    if (gap != std::string_view::npos && text_begin + kLeast > static_cast<size_t>(columns)) {
      constexpr size_t kIndent = 10;
      wrapped += std::string(line.substr(0, gap)) + "\n" + std::string(kIndent, ' ') +
                 Wrapped(line.substr(text_begin), kIndent, kIndent, columns) + "\n";
      text.remove_prefix(std::min(end + 1, text.size()));
      continue;
    }
    wrapped += std::string(line.substr(0, text_begin)) +
               Wrapped(line.substr(text_begin), text_begin, text_begin, columns) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

bool DoneByFlags(const ParsedFlags& flags, const std::string& command, const std::string& usage,
                 int* exit_code) {
  *exit_code = 0;
  if (flags.help) {
    const int columns = HelpColumns();
    std::cout << WrappedLines(usage, columns) << "\nFlags:\n" << FlagHelp(command, columns);
  } else if (!flags.complaint.empty()) {
    *exit_code = Complain(flags.complaint);
  } else if (flags.options().print_config) {
    std::cout << ConfigurationText(flags.configuration, command);
  } else {
    return false;
  }
  std::cout.flush();
  if (!std::cout) *exit_code = Complain("cannot write to stdout");
  return true;
}

}  // namespace gpusan
