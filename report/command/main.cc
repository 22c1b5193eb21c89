// The `gpusan` command: which of its commands is meant.
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "report/base/safe_write.h"
#include "report/command/run.h"
#include "report/findings/collector.h"
#include "report/options/nearest.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan run [flags] [--] program [arguments]   run a program under gpusan\n"
    "       gpusan report [flags] FILE|FOLDER...          show what record files hold\n"
    "       gpusan diff [flags] OLD NEW                   what changed between two runs\n"
    "       gpusan merge [flags] -o FILE FILE|FOLDER...   one record file out of many\n"
    "       gpusan history add|show [flags] DATABASE ...  keep nights, and look back\n"
    "       gpusan --list-checks                          what is looked for\n"
    "       gpusan --version\n"
    "       gpusan --help\n"
    "gpusan finds errors in how programs use the GPU: sizes, flags, lifetimes, races, leaks.\n"
    "'gpusan run --help' and the like list the flags of each command.\n";

void ListChecks() {
  const char* group = "";
  for (const RuleInfo& rule : kRules) {
    if (std::string(group) != rule.group)
      std::cout << (*group != '\0' ? "\n" : "") << rule.group << "\n";
    group = rule.group;
    std::cout << "  " << std::left << std::setw(25) << rule.id << " " << std::setw(8)
              << SeverityName(rule.severity) << rule.help << "\n";
  }
}

int Main(const std::vector<std::string>& words) {
  if (words.empty()) {
    WriteToStderr(kUsage);
    return kExitTrouble;
  }
  const std::string& command = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (command == "run") return RunCommand(rest);
  if (command == "report") return ReportCommand(rest);
  if (command == "diff") return DiffCommand(rest);
  if (command == "merge") return MergeCommand(rest);
  if (command == "history") return HistoryCommand(rest);
  if (command == "--list-checks") {
    ListChecks();
  } else if (command == "--version") {
    std::cout << "gpusan " GPUSAN_VERSION "\n";
  } else if (command == "--help" || command == "-h" || command == "help") {
    std::cout << kUsage;
  } else {
    Nearest nearest(command);
    for (const char* known :
         {"run", "report", "diff", "merge", "history", "--list-checks", "--version", "--help"})
      nearest.Offer(known);
    const std::string mend = nearest.best().empty()
                                 ? "'gpusan --help' says what there is"
                                 : "did you mean '" + std::string(nearest.best()) + "'?";
    WriteToStderr("gpusan: unknown command '" + command + "'; " + mend + "\n");
    return kExitTrouble;
  }
  std::cout.flush();
  return std::cout ? 0 : kExitTrouble;
}

}  // namespace
}  // namespace gpusan

int main(int argc, char** argv) {
  try {
    return gpusan::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    gpusan::WriteToStderr(std::string("gpusan: ") + error.what() + "\n");
    return gpusan::kExitTrouble;
  }
}
