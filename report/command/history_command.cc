// `gpusan history`: adds nights to a database and shows how their findings developed.
#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "report/base/printable.h"
#include "report/base/safe_write.h"
#include "report/base/time_text.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/command/history.h"
#include "report/findings/collector.h"
#include "report/formats/output.h"
#include "report/options/flags.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan history add [flags] DATABASE FILE|FOLDER...   add the results of a night\n"
    "       gpusan history show [flags] DATABASE                 show when each finding was seen\n"
    "A night replaces an earlier night of the same name. 'show' prints one line for each finding: "
    "its state (new, back, stays, gone), severity, check, call, location, the first and the last "
    "night with the finding, the number of nights, and the counts of the last 30 nights.\n";

constexpr int kNightsShown = 30;

// One bar per figure; the greatest figure has the highest bar.
std::string Trend(const std::vector<uint64_t>& figures) {
  static constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const uint64_t most = figures.empty() ? 0 : *std::max_element(figures.begin(), figures.end());
  std::string text;
  for (const uint64_t figure : figures) {
    const double share = most == 0 ? 0 : static_cast<double>(figure) / static_cast<double>(most);
    text += figure == 0 ? "·" : kBars[static_cast<int>(share * 7)];
  }
  return text;
}

const char* State(const KeptFinding& finding, const std::string& latest) {
  if (finding.last_night != latest) return "gone";
  if (finding.first_night == latest) return "new";
  const size_t nights = finding.counts.size();
  return nights > 1 && finding.counts[nights - 2] == 0 ? "back" : "stays";
}

int AddNight(const Options& given, const std::vector<std::string>& arguments) {
  Options options = given;
  options.fail_on = "never";
  Collector collector(options, Suppressions(), -1);
  collector.ReadAll({arguments.begin() + 1, arguments.end()});
  const FindingTable& table = collector.table();
  Night night;
  for (const TableProcess& process : table.processes()) {
    const ReadProcess& read = process.read;
    if (!read.seen) continue;
    ++night.processes;
    night.incomplete += read.ended ? 0 : 1;
    if (night.began_ns == 0 || (read.start_ns != 0 && read.start_ns < night.began_ns))
      night.began_ns = read.start_ns;
    night.ended_ns = std::max(night.ended_ns, read.last_ns);
    for (const auto& [ledger, figures] : read.ledger) {
      const auto peak = figures.find("peak_bytes");
      if (peak == figures.end()) continue;
      uint64_t& highest = night.peaks[ledger];
      highest = std::max(highest, peak->second);
    }
    const auto own = read.overhead.find("own_ns"), wall = read.overhead.find("wall_ns");
    if (own != read.overhead.end() && wall != read.overhead.end()) {
      night.own_ns += own->second;
      night.wall_ns += wall->second;
    }
  }
  if (night.processes == 0) return Complain("no process in these files; nothing was added");
  night.name = options.night.empty() ? IsoTime(night.began_ns).substr(0, 10) : options.night;
  History history(arguments[0], /*create=*/true);
  history.Begin(night);
  for (const uint32_t index : table.Ranked()) {
    const FindingGroup& group = table.groups()[index];
    ReadFinding finding;
    if (!collector.Example(group, &finding)) continue;
    history.Add({KeyText(group.key), SeverityName(group.severity), finding.text.rule,
                 finding.text.call, ShortLocation(finding.text.frames), finding.text.what,
                 group.count});
  }
  history.Commit();
  if (!options.quiet) {
    WriteToStderr("gpusan: kept " + CountText(table.groups().size(), "finding", "findings") +
                  " as " + Printable(night.name) + "\n" + collector.Summary());
  }
  return collector.ExitCode();
}

int Show(const Options& options, const std::string& path) {
  History history(path, /*create=*/false);
  const std::vector<Night> nights = history.Nights(kNightsShown);
  const std::string latest = nights.empty() ? "" : nights.back().name;
  Output output;
  if (const std::string complaint = output.Open(options.output, {path}); !complaint.empty())
    return Complain("--output: " + complaint);
  for (const KeptFinding& finding : history.Findings(nights)) {
    std::ostringstream line;
    line << std::left << std::setw(6) << State(finding, latest) << std::setw(8)
         << finding.last.severity << finding.last.rule << " "
         << (finding.last.call.empty() ? "-" : finding.last.call) << " " << finding.last.place
         << " first " << finding.first_night << " last " << finding.last_night << " nights "
         << finding.nights << " count " << finding.last.count << " " << Trend(finding.counts);
    output.Write(Printable(line.str()) + "\n");
  }
  std::map<std::string, std::vector<uint64_t>> peaks;
  for (size_t i = 0; i < nights.size(); ++i) {
    for (const auto& [ledger, bytes] : nights[i].peaks) {
      peaks[ledger].resize(nights.size());
      peaks[ledger][i] = bytes;
    }
  }
  for (const auto& [ledger, bytes] : peaks) {
    output.Write("peak  " + Printable(ledger) + " " + FormatBytes(bytes.back()) + " " +
                 Trend(bytes) + "\n");
  }
  // In tenths of a per mille, so that small shares have bars too.
  std::vector<uint64_t> shares;
  bool any_share = false;
  for (const Night& night : nights) {
    shares.push_back(night.wall_ns == 0 ? 0 : night.own_ns * 10000 / night.wall_ns);
    any_share |= night.wall_ns != 0;
  }
  if (any_share) {
    char share[64] = "not known";
    if (const Night& last = nights.back(); last.wall_ns != 0) {
      std::snprintf(share, sizeof(share), "%.2f %%",
                    100.0 * static_cast<double>(last.own_ns) / static_cast<double>(last.wall_ns));
    }
    output.Write("overhead  " + std::string(share) + " of the time in gpusan's calls " +
                 Trend(shares) + "\n");
  }
  const std::string complaint = output.Commit();
  if (!complaint.empty()) return Complain("cannot write " + complaint);
  if (!options.quiet && !nights.empty()) {
    const Night& night = nights.back();
    WriteToStderr("gpusan: " + CountText(nights.size(), "night", "nights") + " from " +
                  Printable(nights.front().name) + " to " + Printable(night.name) +
                  "; the last had " + CountText(night.processes, "process", "processes") + ", " +
                  std::to_string(night.incomplete) + " incomplete\n");
  }
  return 0;
}

}  // namespace

int HistoryCommand(const std::vector<std::string>& words) {
  const ParsedFlags flags = ParseFlags(words, "history", /*stop_at_argument=*/false);
  int done = 0;
  if (DoneByFlags(flags, "history", kUsage, &done)) return done;
  const std::vector<std::string>& arguments = flags.arguments;
  const std::string verb = arguments.empty() ? "" : arguments.front();
  try {
    if (verb == "add" && arguments.size() >= 3)
      return AddNight(flags.options(), {arguments.begin() + 1, arguments.end()});
    if (verb == "show" && arguments.size() == 2) return Show(flags.options(), arguments[1]);
  } catch (const std::runtime_error& error) {
    return Complain(std::string("history: ") + error.what());
  }
  return Complain("expected 'history add DATABASE FILE|FOLDER...' or 'history show DATABASE'");
}

}  // namespace gpusan
