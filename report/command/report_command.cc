// `gpusan report`.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/findings/collector.h"
#include "report/findings/progress.h"
#include "report/findings/suppression_files.h"
#include "report/formats/formats.h"
#include "report/formats/output.h"
#include "report/options/flags.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan report [flags] FILE|FOLDER...\n"
    "Shows the findings of record files (of a folder: *.jsonl), each once, most severe first.\n"
    "Exit code: 70 if a file is unreadable or malformed. With --fail-on also: 66 if there are "
    "findings that it selects, and 70 if a file is incomplete.\n";

}  // namespace

int ReportCommand(const std::vector<std::string>& words) {
  const ParsedFlags flags = ParseFlags(words, "report", /*stop_at_argument=*/false);
  int done = 0;
  if (DoneByFlags(flags, "report", kUsage + ("\nFormats:\n" + FormatHelp()), &done)) return done;
  const Options& options = flags.options();
  if (flags.arguments.empty()) return Complain("no record file named; see 'gpusan report --help'");
  Suppressions suppressions;
  if (const std::string complaint = LoadSuppressions(options, &suppressions); !complaint.empty())
    return Complain("suppressions: " + complaint);
  Output output;
  if (const std::string complaint = output.Open(options.output, flags.arguments);
      !complaint.empty())
    return Complain("--output: " + complaint);
  Collector collector(options, std::move(suppressions), -1);
  if (!options.baseline.empty() && !collector.LoadBaseline(options.baseline))
    return Complain("--baseline: " + options.baseline + " is not a complete record");
  collector.ReadAll(flags.arguments);
  std::string note;
  // No progress bar between the lines of a report on the same terminal.
  const bool shown = !options.quiet && (!options.output.empty() || isatty(STDOUT_FILENO) == 0);
  auto progress = std::make_unique<Progress>("writing", collector.table().groups().size(), shown);
  collector.SetOnExample([&] { progress->Advance(1); });
  if (options.gen_suppressions) {
    output.Write(collector.GeneratedSuppressions());
  } else {
    note = FindFormat(options.format)->write(&collector, &output);
  }
  collector.SetOnExample(nullptr);
  progress.reset();
  if (const std::string complaint = output.Commit(); !complaint.empty())
    collector.Trouble("cannot write " + complaint);
  if (!options.quiet) {
    if (!note.empty()) WriteToStderr("gpusan: " + Printable(note) + "\n");
    WriteToStderr(collector.Summary());
  }
  return collector.ExitCode(/*count_findings=*/flags.configuration.Given("fail_on"));
}

}  // namespace gpusan
