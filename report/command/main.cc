// The `gpusan` command: finds the command in commands.def and runs it.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "report/base/safe_write.h"
#include "report/base/terminal.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/command/commit.h"
#include "report/findings/collector.h"
#include "report/options/nearest.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>& words);
  const char* arguments;
  const char* doc;
};
constexpr Command kCommands[] = {
#define GPUSAN_COMMAND(name, function, arguments, doc) {#name, function, arguments, doc},
#include "report/commands.def"
#undef GPUSAN_COMMAND
};

std::string Usage() {
  constexpr size_t kDocColumn = 53;
  std::string text;
  const auto line = [&](std::string left, const char* doc) {
    left.insert(0, text.empty() ? "usage: gpusan " : "       gpusan ");
    if (*doc != '\0') left.resize(std::max(left.size() + 2, kDocColumn), ' ');
    text += left + doc + "\n";
  };
  for (const Command& command : kCommands)
    line(std::string(command.name) + " " + command.arguments, command.doc);
  line("--list-checks", "list the checks");
  line("--version, -V", "print the version");
  line("--help, -h", "print this text");
  text +=
      "gpusan finds errors in how programs use the GPU through OpenCL, CUDA and Vulkan: sizes, "
      "flags, lifetimes, races, leaks. Begin with: gpusan run ./program\n"
      "'gpusan COMMAND --help' describes a command and lists its flags.\n";
  return WrappedLines(text, HelpColumns());
}

// A check a line in files and pipes; wrapped on terminals.
void ListChecks() {
  const int columns = OutputWidth(STDOUT_FILENO);
  size_t id_width = 0;
  for (const RuleInfo& rule : kRules)
    id_width = std::max(id_width, std::string_view(rule.id).size());
  const char* group = "";
  for (const RuleInfo& rule : kRules) {
    if (std::string(group) != rule.group)
      std::cout << (*group != '\0' ? "\n" : "") << rule.group << "\n";
    group = rule.group;
    std::string line = "  " + std::string(rule.id);
    line.resize(id_width + 4, ' ');
    line += SeverityName(rule.severity);
    line.resize(id_width + 13, ' ');
    std::cout << line << Wrapped(rule.help, line.size(), line.size(), columns) << "\n";
  }
}

// Without it, the next file that the command opens gets the number of a standard file that the
// caller closed, and messages go into that file. A program that the command starts still sees the
// file closed.
void OpenStandardFiles() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // Readable only, so that what is written there fails as it does in a closed file.
    if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) return;
  }
}

int Main(const std::vector<std::string>& words) {
  if (words.empty()) {
    WriteToStderr(Usage());
    return kExitTrouble;
  }
  const std::string& command = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  for (const Command& known : kCommands) {
    if (command == known.name) return known.run(rest);
  }
  if (command == "--list-checks") {
    ListChecks();
  } else if (command == "--version" || command == "-V") {
    std::cout << "gpusan " GPUSAN_VERSION;
    if (*kCommit != '\0') std::cout << " (commit " << kCommit << ")";
    std::cout << "\n";
  } else if (command == "--help" || command == "-h" || command == "help") {
    std::cout << Usage();
  } else {
    Nearest nearest(command);
    for (const Command& known : kCommands) nearest.Offer(known.name);
    for (const char* known : {"--list-checks", "--version", "--help"}) nearest.Offer(known);
    const std::string mend = nearest.best().empty()
                                 ? "'gpusan --help' lists the commands"
                                 : "did you mean '" + std::string(nearest.best()) + "'?";
    return Complain("unknown command '" + command + "'; " + mend);
  }
  std::cout.flush();
  return std::cout ? 0 : kExitTrouble;
}

}  // namespace
}  // namespace gpusan

int main(int argc, char** argv) {
  gpusan::OpenStandardFiles();
  try {
    return gpusan::Main(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const std::exception& error) {
    return gpusan::Complain(error.what());
  }
}
