// OpenMetrics text, for a node exporter's folder of text files. With --output the file is replaced
// as a whole, so that no reader sees an incomplete file.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "report/formats/formats.h"
#include "report/record/version.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

std::string Label(std::string_view name, std::string_view value) {
  std::string text(name);
  text += "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? "\\n" : std::string(1, c);
  }
  return text + "\"";
}

void Family(std::string_view name, std::string_view help, Output* output) {
  const std::string text(name);
  output->Write("# TYPE " + text + " gauge\n# HELP " + text + " " + std::string(help) + "\n");
}

void Sample(std::string_view name, const std::string& labels, uint64_t value, Output* output) {
  output->Write(std::string(name) + (labels.empty() ? "" : "{" + labels + "}") + " " +
                std::to_string(value) + "\n");
}

// By program, host, rank, ledger and figure.
using LedgerRows =
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, uint64_t>;

struct Totals {
  uint64_t complete = 0, all = 0;  // processes
  int64_t last_ns = 0;             // time of the newest record
  std::map<std::string, uint64_t> calls, dropped;
  LedgerRows ledger;          // sums over processes; for peaks the maximum
  LedgerRows running_ledger;  // running processes as of their last samples
};

Totals TotalsOf(const Collector& collector) {
  Totals totals;
  for (const TableProcess& process : collector.table().processes()) {
    const ReadProcess& read = process.read;
    if (!read.seen) continue;
    ++totals.all;
    totals.complete += read.ended ? 1 : 0;
    totals.last_ns = std::max(totals.last_ns, read.last_ns);
    for (const auto& [api, count] : read.calls) totals.calls[api] += count;
    for (const auto& [what, count] : read.dropped) totals.dropped[what] += count;
    const std::string program(BaseName(read.exe));
    for (const auto& [name, figures] : read.ledger) {
      for (const auto& [figure, value] : figures) {
        uint64_t& sum = totals.ledger[{program, read.host, read.rank, name, figure}];
        sum = figure.starts_with("peak") ? std::max(sum, value) : sum + value;
      }
    }
  }
  for (const auto& [read, running] : collector.running()) {
    totals.last_ns = std::max(totals.last_ns, running.time_ns);
    for (const auto& [api, count] : running.calls_by_api) totals.calls[api] += count;
    const std::string program(BaseName(read->exe));
    for (const auto& [name, figures] : running.ledger) {
      for (const auto& [figure, value] : figures)
        totals.running_ledger[{program, read->host, read->rank, name, figure}] += value;
    }
  }
  return totals;
}

// Every check has a row, so that a series exists before its first finding.
void WriteFindings(const FindingTable& table, Output* output) {
  struct Counts {
    uint64_t findings = 0, occurrences = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Counts> rows;
  for (const RuleInfo& rule : kRules) rows[{SeverityName(rule.severity), rule.id, "new"}];
  for (const FindingGroup& group : table.groups()) {
    const char* state = group.suppression != 0 ? "suppressed" : group.in_baseline ? "known" : "new";
    Counts& counts = rows[{SeverityName(group.severity), table.RuleName(group.rule), state}];
    ++counts.findings;
    counts.occurrences += group.count;
  }
  const auto write = [&](std::string_view name, std::string_view help, uint64_t Counts::*count) {
    Family(name, help, output);
    for (const auto& [key, counts] : rows) {
      const auto& [severity, check, state] = key;
      Sample(
          name,
          Label("check", check) + "," + Label("severity", severity) + "," + Label("state", state),
          counts.*count, output);
    }
  };
  write("gpusan_findings", "Distinct findings. State known: in the baseline.", &Counts::findings);
  write("gpusan_finding_occurrences", "Occurrences of findings.", &Counts::occurrences);
}

void WriteProcesses(const Totals& totals, uint64_t running, Output* output) {
  Family("gpusan_processes",
         "Processes that used a GPU API. Incomplete: without an end record. Running: those that "
         "take samples.",
         output);
  Sample("gpusan_processes", Label("state", "complete"), totals.complete, output);
  Sample("gpusan_processes", Label("state", "incomplete"), totals.all - totals.complete, output);
  Sample("gpusan_processes", Label("state", "running"), running, output);
}

// One sample for each key of `counts`, with the key as the value of `label`.
void WriteCounts(std::string_view name, std::string_view help, std::string_view label,
                 const std::map<std::string, uint64_t>& counts, Output* output) {
  Family(name, help, output);
  for (const auto& [key, count] : counts) Sample(name, Label(label, key), count, output);
}

void WriteLedger(std::string_view name, std::string_view help, const LedgerRows& rows,
                 Output* output) {
  Family(name, help, output);
  for (const auto& [key, value] : rows) {
    const auto& [program, host, rank, ledger, figure] = key;
    Sample(name,
           Label("program", program) + "," + Label("host", host) + "," + Label("rank", rank) + "," +
               Label("ledger", ledger) + "," + Label("figure", figure),
           value, output);
  }
}

}  // namespace

std::string WriteMetrics(Collector* collector, Output* output) {
  const Totals totals = TotalsOf(*collector);
  WriteFindings(collector->table(), output);
  WriteProcesses(totals, collector->running().size(), output);
  WriteCounts("gpusan_calls", "Intercepted calls.", "api", totals.calls, output);
  WriteCounts("gpusan_dropped", "Items that gpusan dropped to keep its memory bounded.", "what",
              totals.dropped, output);
  WriteLedger("gpusan_ledger",
              "GPU memory at the end of the processes; peaks are the highest of one.",
              totals.ledger, output);
  WriteLedger("gpusan_running_ledger", "GPU memory of running processes as of their last samples.",
              totals.running_ledger, output);
  Family("gpusan_last_record_timestamp_seconds", "When the newest record was written.", output);
  Sample("gpusan_last_record_timestamp_seconds", "",
         static_cast<uint64_t>(totals.last_ns / 1000000000), output);
  output->Write("# EOF\n");
  return "";
}

}  // namespace gpusan
