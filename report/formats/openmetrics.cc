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

}  // namespace

std::string WriteMetrics(Collector* collector, Output* output) {
  const FindingTable& table = collector->table();
  // By severity, check and state: call sites and occurrences. Every check has a row, so that a
  // series exists before its first finding.
  std::map<std::tuple<std::string, std::string, std::string>, std::pair<uint64_t, uint64_t>> rows;
  for (const RuleInfo& rule : kRules) rows[{SeverityName(rule.severity), rule.id, "new"}];
  for (const FindingGroup& group : table.groups()) {
    const char* state = group.suppression != 0 ? "suppressed" : group.in_baseline ? "known" : "new";
    auto& [places, times] = rows[{SeverityName(group.severity), table.RuleName(group.rule), state}];
    ++places;
    times += group.count;
  }
  const auto findings = [&](std::string_view name, std::string_view help, bool places) {
    Family(name, help, output);
    for (const auto& [key, row] : rows) {
      Sample(name,
             Label("check", std::get<1>(key)) + "," + Label("severity", std::get<0>(key)) + "," +
                 Label("state", std::get<2>(key)),
             places ? row.first : row.second, output);
    }
  };
  findings("gpusan_findings", "Distinct findings. State known: in the baseline.", true);
  findings("gpusan_finding_occurrences", "Occurrences of findings.", false);

  uint64_t complete = 0, all = 0;
  int64_t last_ns = 0;
  std::map<std::string, uint64_t> calls, dropped;
  // By program, host, rank, ledger and figure: sums over processes; for peaks the maximum.
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>, uint64_t>
      ledger;
  for (const TableProcess& process : table.processes()) {
    const ReadProcess& read = process.read;
    if (!read.seen) continue;
    ++all;
    complete += read.ended ? 1 : 0;
    last_ns = std::max(last_ns, read.last_ns);
    for (const auto& [api, count] : read.calls) calls[api] += count;
    for (const auto& [what, count] : read.dropped) dropped[what] += count;
    const std::string program(BaseName(read.exe));
    for (const auto& [name, figures] : read.ledger) {
      for (const auto& [figure, value] : figures) {
        uint64_t& sum = ledger[{program, read.host, read.rank, name, figure}];
        sum = figure.compare(0, 4, "peak") == 0 ? std::max(sum, value) : sum + value;
      }
    }
  }
  // By program, host, rank, ledger and figure: running processes as of their last samples.
  decltype(ledger) held;
  for (const auto& [read, running] : collector->running()) {
    last_ns = std::max(last_ns, running.time_ns);
    for (const auto& [api, count] : running.calls_by_api) calls[api] += count;
    const std::string program(BaseName(read->exe));
    for (const auto& [name, figures] : running.ledger) {
      for (const auto& [figure, value] : figures)
        held[{program, read->host, read->rank, name, figure}] += value;
    }
  }
  Family("gpusan_processes",
         "Processes that used a GPU API. Incomplete: without an end record. Running: those that "
         "take samples.",
         output);
  Sample("gpusan_processes", Label("state", "complete"), complete, output);
  Sample("gpusan_processes", Label("state", "incomplete"), all - complete, output);
  Sample("gpusan_processes", Label("state", "running"), collector->running().size(), output);
  Family("gpusan_calls", "Intercepted calls.", output);
  for (const auto& [api, count] : calls) Sample("gpusan_calls", Label("api", api), count, output);
  Family("gpusan_dropped", "Items that gpusan dropped to keep its memory bounded.", output);
  for (const auto& [what, count] : dropped)
    Sample("gpusan_dropped", Label("what", what), count, output);
  Family("gpusan_ledger", "GPU memory at the end of the processes; peaks are the highest of one.",
         output);
  const auto rows_of = [&](const char* family, const decltype(ledger)& table_of) {
    for (const auto& [key, value] : table_of) {
      const auto& [program, host, rank, name, figure] = key;
      Sample(family,
             Label("program", program) + "," + Label("host", host) + "," + Label("rank", rank) +
                 "," + Label("ledger", name) + "," + Label("figure", figure),
             value, output);
    }
  };
  rows_of("gpusan_ledger", ledger);
  Family("gpusan_running_ledger", "GPU memory of running processes as of their last samples.",
         output);
  rows_of("gpusan_running_ledger", held);
  Family("gpusan_last_record_timestamp_seconds", "When the newest record was written.", output);
  Sample("gpusan_last_record_timestamp_seconds", "", static_cast<uint64_t>(last_ns / 1000000000),
         output);
  output->Write("# EOF\n");
  return "";
}

}  // namespace gpusan
