// The lines at the end of a run: counts, a table of findings, suppressions and what was not kept.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "report/base/printable.h"
#include "report/findings/collector.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

struct GroupCounts {
  uint64_t suppressed = 0;
  uint64_t in_baseline = 0;      // of those that are not suppressed
  uint64_t by_severity[3] = {};  // of those that are not suppressed
};

GroupCounts CountGroups(const FindingTable& table) {
  GroupCounts counts;
  for (const FindingGroup& group : table.groups()) {
    if (group.suppression != 0) {
      ++counts.suppressed;
      continue;
    }
    counts.in_baseline += group.in_baseline ? 1 : 0;
    ++counts.by_severity[static_cast<int>(group.severity)];
  }
  return counts;
}

// For example "2 errors, 1 note". Empty if there are no findings.
std::string SeverityCounts(const GroupCounts& groups, const TextStyle& style) {
  std::string text;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    const uint64_t count = groups.by_severity[static_cast<int>(severity)];
    if (count == 0) continue;
    const std::string name = SeverityName(severity);
    text += (text.empty() ? "" : ", ") +
            ColorSeverity(severity, CountText(count, name, name + "s"), style);
  }
  return text;
}

// Suppressions of the user, and default ones with hits. A line for each.
std::string SuppressionLines(const Suppressions& suppressions) {
  std::string out;
  for (const Suppression& line : suppressions.lines()) {
    if (line.is_default && line.hits == 0) continue;
    out += "gpusan:   suppression " + line.file + ":" + std::to_string(line.line) + " " +
           line.check + ":" + Printable(line.glob) + " " + CountText(line.hits, "hit", "hits") +
           (line.expired ? ", ended after " + line.until : "") + "\n";
  }
  return out;
}

// Requested items that were dropped. Dropped shadow state is in the end records only.
std::string DroppedLines(const FindingTable& table) {
  constexpr std::pair<const char*, const char*> kItems[] = {
      {"samples", "samples"}, {"timeline", "commands of the timeline"}};
  std::string out;
  for (const auto& [what, name] : kItems) {
    uint64_t sum = 0;
    for (const TableProcess& process : table.processes()) {
      const auto found = process.read.dropped.find(what);
      if (found != process.read.dropped.end()) sum += found->second;
    }
    if (sum != 0) {
      out += "gpusan: " + std::to_string(sum) + " " + name +
             " were not kept: older ones are replaced by newer ones\n";
    }
  }
  return out;
}

// Modules of the program without line information, at most five.
std::string ModuleLines(const std::set<std::string>& modules) {
  constexpr size_t kMostModules = 5;
  std::string out;
  size_t shown = 0;
  for (const std::string& module : modules) {
    if (++shown > kMostModules) break;
    out += "gpusan: " + Printable(module) +
           " has no line information: build it with -g, or install its debug symbols, to see files "
           "and lines\n";
  }
  return out;
}

// Severity, check and place. Groups with equal keys are one line.
using SummaryKey = std::tuple<Severity, std::string, std::string>;

// The most severe and the most frequent findings first. `all`: all lines, not only the first ones.
std::string SummaryLines(const std::map<SummaryKey, uint64_t>& counts, bool all,
                         const TextStyle& style) {
  constexpr size_t kMostLines = 40;
  struct Line {
    Severity severity;
    std::string check;
    std::string place;
    uint64_t count = 0;
  };
  std::vector<Line> lines;
  lines.reserve(counts.size());
  for (const auto& [key, count] : counts)
    lines.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.count > b.count;
  });
  size_t count_width = 0, check_width = 0;
  for (const Line& line : lines) {
    count_width = std::max(count_width, std::to_string(line.count).size());
    check_width = std::max(check_width, line.check.size());
  }
  std::string out;
  const size_t shown = all ? lines.size() : std::min(lines.size(), kMostLines);
  for (size_t i = 0; i < shown; ++i) {
    const Line& line = lines[i];
    std::string severity = SeverityName(line.severity);
    const std::string after(8 - severity.size(), ' ');
    std::string count = std::to_string(line.count);
    count.insert(0, count_width - count.size(), ' ');
    std::string check = Printable(line.check);
    if (check.size() < check_width) check.resize(check_width, ' ');
    out += "gpusan:   " + ColorSeverity(line.severity, severity, style) + after + count + "x  " +
           check + "  " + line.place + "\n";
  }
  if (lines.size() > shown) {
    out += "gpusan:   and " + std::to_string(lines.size() - shown) +
           " more places; --verbose shows them\n";
  }
  return out;
}

// A line for each settings file of Vulkan layers: it may switch checks off.
std::string SettingsLines(const FindingTable& table) {
  std::set<std::string> settings;
  for (const TableProcess& process : table.processes()) settings.insert(process.read.settings);
  std::string lines;
  for (const std::string& one : settings) {
    if (!one.empty()) lines += "gpusan: options were set by " + Printable(one) + "\n";
  }
  return lines;
}

}  // namespace

// Reads at most kMostRead examples: a million of them would take minutes.
std::string Collector::SummaryTable() {
  constexpr size_t kMostRead = 2000;
  std::map<SummaryKey, uint64_t> counts;
  uint64_t more = 0;  // findings
  size_t read = 0;
  for (const uint32_t index : table_.Ranked()) {
    const FindingGroup& group = table_.groups()[index];
    if (group.suppression != 0) continue;
    ReadFinding finding;
    if (++read > kMostRead || !Example(group, &finding)) {
      ++more;
      continue;
    }
    std::string place = LongLocation(finding.text.frames, printer_.style().base_folder);
    if (place.empty()) place = "place not known";
    counts[{group.severity, table_.RuleName(group.rule), std::move(place)}] += group.count;
  }
  std::string out = SummaryLines(counts, options_.verbose, StyleFor(STDERR_FILENO, options_.color));
  if (more > 0)
    out += "gpusan:   and " + CountText(more, "more finding", "more findings") + " elsewhere\n";
  return out;
}

std::string Collector::Summary() {
  const TextStyle style = StyleFor(STDERR_FILENO, options_.color);
  uint64_t processes = 0;
  for (const TableProcess& process : table_.processes()) processes += process.read.seen ? 1 : 0;
  const GroupCounts groups = CountGroups(table_);
  std::string counts = SeverityCounts(groups, style);
  if (counts.empty()) {
    counts = processes != 0   ? "no findings"
             : not_attached_  ? "nothing was checked"
             : troubles_ > 0  ? "no record could be read"
             : !lost_.empty() ? "nothing was checked"
                              : "no call of a GPU API was seen";
  }
  std::string out = "gpusan: " + counts;
  if (processes > 0) out += " in " + CountText(processes, "process", "processes");
  if (groups.suppressed > 0) out += "; " + std::to_string(groups.suppressed) + " suppressed";
  if (baseline_ != nullptr)
    out += "; " + std::to_string(groups.in_baseline) + " of them in the baseline";
  out += "\n";
  if (const std::string left_out = printer_.LeftOutText(); !left_out.empty())
    out += "gpusan: " + left_out + "\n";
  out += SummaryTable();
  out += SuppressionLines(suppressions_) + DroppedLines(table_) + ModuleLines(without_lines_) +
         SettingsLines(table_);
  for (const std::string& line : lost_) {
    out += "gpusan: " + ColorSeverity(Severity::kWarning, Printable(line), style) + "\n";
  }
  for (const std::string& line : incomplete_) {
    out += "gpusan: " + ColorSeverity(Severity::kWarning, "incomplete", style) + ": " +
           Printable(line) + ", so this run does not count as clean\n";
  }
  return out;
}

}  // namespace gpusan
