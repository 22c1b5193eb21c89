// `gpusan diff`: what changed between two runs.
#include <iostream>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/findings/collector.h"
#include "report/formats/output.h"
#include "report/options/flags.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan diff [flags] OLD NEW\n"
    "Compares the findings of two record files, folders or merged files by fingerprint. Prints new "
    "findings in full, then one line for each difference: NEW, MORE, FEWER or GONE, severity, "
    "check, call, location, count before and after.\n"
    "Exit code: 66 with --fail-on=new for any new finding, with --fail-on=SEVERITY for a new "
    "finding of that severity or above; 70 if a file is unreadable or malformed, or if NEW is "
    "incomplete; 0 otherwise.\n";

std::string Line(const char* word, Collector* side, const FindingGroup& group, uint64_t before,
                 uint64_t after) {
  ReadFinding finding;
  if (!side->Example(group, &finding)) return "";
  const std::string& call = finding.text.call;
  return std::string(word) + " " + SeverityName(group.severity) + " " +
         Printable(finding.text.rule) + " " + (call.empty() ? "-" : Printable(call)) + " " +
         ShortLocation(finding.text.frames) + " " + std::to_string(before) + " -> " +
         std::to_string(after) + "\n";
}

struct Difference {
  uint64_t added = 0, gone = 0, changed = 0, unchanged = 0;
  bool fails = false;
};

Difference WriteDifference(const Options& options, Collector* older, Collector* newer,
                           Output* output) {
  Difference difference;
  Severity least = Severity::kNote;
  const bool by_severity = SeverityFrom(options.fail_on, &least);
  FindingPrinter printer(options, options.output.empty() ? 1 : -1);
  const FindingTable& was = older->table();
  const FindingTable& is = newer->table();
  const std::vector<uint32_t> ranked = is.Ranked();
  for (const uint32_t index : ranked) {
    const FindingGroup& group = is.groups()[index];
    ReadFinding finding;
    if (was.FindGroup(group.key) != kNoIndex) continue;
    ++difference.added;
    difference.fails =
        difference.fails || options.fail_on == "new" || (by_severity && group.severity >= least);
    if (!newer->Example(group, &finding)) continue;
    newer->AddExcerpts(&finding);
    output->Write(printer.Next(finding.text));
  }
  if (difference.added > 0) output->Write("\n");
  for (const bool new_ones : {true, false}) {
    for (const uint32_t index : ranked) {
      const FindingGroup& group = is.groups()[index];
      const uint32_t before = was.FindGroup(group.key);
      if ((before == kNoIndex) != new_ones) continue;
      const uint64_t count = new_ones ? 0 : was.groups()[before].count;
      if (new_ones) {
        output->Write(Line("NEW", newer, group, 0, group.count));
      } else if (count == group.count) {
        ++difference.unchanged;
      } else {
        ++difference.changed;
        output->Write(
            Line(count < group.count ? "MORE" : "FEWER", newer, group, count, group.count));
      }
    }
  }
  for (const uint32_t index : was.Ranked()) {
    const FindingGroup& group = was.groups()[index];
    if (is.FindGroup(group.key) != kNoIndex) continue;
    ++difference.gone;
    output->Write(Line("GONE", older, group, group.count, 0));
  }
  return difference;
}

}  // namespace

int DiffCommand(const std::vector<std::string>& words) {
  ParsedFlags flags = ParseFlags(words, "diff", /*stop_at_argument=*/false);
  if (!flags.configuration.Given("fail_on")) flags.configuration.options.fail_on = "never";
  int done = 0;
  if (DoneByFlags(flags, "diff", kUsage, &done)) return done;
  if (flags.arguments.size() != 2)
    return Complain("expected two runs, OLD and NEW; see 'gpusan diff --help'");
  const Options& options = flags.options();
  Output output;
  if (const std::string complaint = output.Open(options.output, flags.arguments);
      !complaint.empty())
    return Complain("--output: " + complaint);
  Options never = options;
  never.fail_on = "never";
  Collector older(never, Suppressions(), -1);
  Collector newer(never, Suppressions(), -1);
  older.ReadAll({flags.arguments[0]});
  newer.ReadAll({flags.arguments[1]});
  // A side that cannot be read would make everything new or gone.
  for (const auto& [side, path] :
       {std::pair(&older, flags.arguments[0]), {&newer, flags.arguments[1]}}) {
    if (side->table().processes().empty() && side->table().groups().empty())
      return Complain("no record could be read in " + path + "; nothing was compared");
  }
  const Difference difference = WriteDifference(options, &older, &newer, &output);
  if (const std::string complaint = output.Commit(); !complaint.empty())
    newer.Trouble("cannot write " + complaint);
  if (!options.quiet) {
    std::string summary = "gpusan: " + std::to_string(difference.added) + " new, " +
                          std::to_string(difference.gone) + " gone, " +
                          std::to_string(difference.changed) + " changed in count, " +
                          std::to_string(difference.unchanged) + " unchanged\n";
    for (const std::string& line : older.incomplete())
      summary +=
          "gpusan: incomplete in OLD: " + Printable(line) + "; findings shown as new may be old\n";
    for (const std::string& line : newer.incomplete())
      summary += "gpusan: incomplete in NEW: " + Printable(line) +
                 "; findings shown as gone may still exist\n";
    WriteToStderr(summary);
  }
  if (difference.fails) return kExitFindings;
  const bool trouble = older.ExitCode() != 0 || newer.ExitCode() != 0;
  return trouble || !newer.incomplete().empty() ? kExitTrouble : 0;
}

}  // namespace gpusan
