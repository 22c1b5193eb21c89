// `gpusan report`.
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <iostream>

#include "report/collector.h"
#include "report/flags.h"
#include "report/run.h"
#include "report/safe_write.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan report [flags] FILE|FOLDER...\n"
    "Prints the findings of record files (of a folder: *.jsonl) with functions, files and lines.\n"
    "Exit code: 66 when findings at or above --fail-on exist; 70 when a file is unreadable, "
    "malformed or incomplete.\n";

int Complain(const std::string& line) {
  WriteToStderr("gpusan: " + line + "\n");
  return kExitTrouble;
}

}  // namespace

int ReportCommand(const std::vector<std::string>& words) {
  const ParsedFlags flags =
      ParseFlags(words, "gpusan report", {"fail_on", "suppressions", "quiet"}, false);
  if (flags.help) {
    std::cout << kUsage << "\nFlags:\n";
    for (const char* name : {"fail_on", "suppressions", "quiet"})
      std::cout << OptionHelpLine(*FindOption(name), "--");
    return 0;
  }
  if (!flags.complaint.empty()) return Complain(flags.complaint);
  if (flags.arguments.empty())
    return Complain("no record file named; 'gpusan report --help' says how");
  Suppressions suppressions;
  if (!flags.options.suppressions.empty()) {
    const std::string complaint = suppressions.Load(flags.options.suppressions);
    if (!complaint.empty()) return Complain("suppressions: " + complaint);
  }
  Collector collector(flags.options, std::move(suppressions), STDOUT_FILENO);
  for (const std::string& argument : flags.arguments) {
    struct stat status;
    if (stat(argument.c_str(), &status) != 0) {
      collector.Trouble("cannot read " + argument + ": " + std::strerror(errno));
    } else if (!S_ISDIR(status.st_mode)) {
      collector.Poll(argument);
    } else {
      const size_t before = collector.files().size();
      if (collector.PollFolder(argument) && collector.files().size() == before) {
        collector.Trouble("no record files (*.jsonl) in " + argument);
      }
    }
  }
  collector.Finish();
  if (!flags.options.quiet) WriteToStderr(collector.Summary());
  return collector.ExitCode();
}

}  // namespace gpusan
