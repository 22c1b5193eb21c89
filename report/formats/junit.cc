// JUnit XML, which CI servers show as tests. A check without findings is a passed test.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/base/printable.h"
#include "report/base/time_text.h"
#include "report/formats/formats.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

constexpr size_t kShown = 5;  // findings per case that are written in full

// Printable, since XML 1.0 §2.2 has no representation of most control characters.
std::string Xml(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text, /*lines=*/true)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

// Findings of one check in one suite.
struct Case {
  bool enabled = false;
  uint64_t failures = 0, others = 0, suppressed = 0;
  std::vector<uint32_t> shown;  // groups that fail it
};

struct Suite {
  std::map<uint16_t, Case> cases;  // by rule
  std::vector<std::string> incomplete;
  int64_t first_ns = 0, last_ns = 0;
  std::string host;
  uint64_t processes = 0;
};

// The checks that were off in that process, a bit per rule.
uint64_t DisabledIn(const ReadProcess& process) {
  const auto option = [&](const char* name) {
    const auto found = process.options.find(name);
    return found == process.options.end() ? std::string() : found->second;
  };
  Options options;
  options.enable = option("enable");
  options.disable = option("disable");
  return DisabledRules(options);
}

}  // namespace

std::string WriteJunit(Collector* collector, Output* output) {
  const FindingTable& table = collector->table();
  TextStyle style;
  style.base_folder = SourceRoot(collector->options());
  style.base_folder.pop_back();
  Severity least = Severity::kNote;
  const std::string& fail_on = collector->options().fail_on;
  const bool by_severity = SeverityFrom(fail_on, &least);
  const auto fails = [&](const FindingGroup& group) {
    if (group.suppression != 0 || fail_on == "never") return false;
    return by_severity ? group.severity >= least : !group.in_baseline;
  };
  std::map<std::pair<std::string, std::string>, Suite> suites;  // program and rank
  for (const TableProcess& process : table.processes()) {
    const ReadProcess& read = process.read;
    const std::string program(BaseName(read.exe));
    Suite& suite = suites[{program.empty() ? "unknown" : program, read.rank}];
    ++suite.processes;
    if (suite.host.empty()) suite.host = read.host;
    if (suite.first_ns == 0 || (read.start_ns != 0 && read.start_ns < suite.first_ns))
      suite.first_ns = read.start_ns;
    suite.last_ns = std::max(suite.last_ns, read.last_ns);
    const uint64_t disabled = DisabledIn(read);
    for (int i = 0; i < kRuleCount; ++i) {
      if ((disabled >> i & 1) == 0) suite.cases[static_cast<uint16_t>(i)].enabled = true;
    }
    if (read.seen && !read.ended) suite.incomplete.push_back(ProcessName(read));
    for (const auto& [index, count] : process.found) {
      const FindingGroup& group = table.groups()[index];
      Case& found = suite.cases[group.rule];
      if (fails(group)) {
        ++found.failures;
        if (found.shown.size() < kShown) found.shown.push_back(index);
      } else if (group.suppression != 0) {
        ++found.suppressed;
      } else {
        ++found.others;
      }
    }
  }
  uint64_t tests = 0, failures = 0, errors = 0;
  const auto is_skipped = [](const Case& one) {
    return one.failures == 0 && one.others == 0 && one.suppressed > 0;
  };
  for (const auto& [name, suite] : suites) {
    tests += suite.cases.size() + 1;
    errors += suite.incomplete.empty() ? 0 : 1;
    for (const auto& [rule, one] : suite.cases) {
      failures += one.failures > 0 ? 1 : 0;
    }
  }
  const auto numbers = [](uint64_t all, uint64_t bad, uint64_t broken) {
    return " tests=\"" + std::to_string(all) + "\" failures=\"" + std::to_string(bad) +
           "\" errors=\"" + std::to_string(broken) + "\"";
  };
  output->Write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gpusan\"" +
                numbers(tests, failures, errors) + ">\n");
  std::map<std::string, int> ranks;  // by program
  for (const auto& [name, suite] : suites) ++ranks[name.first];
  for (const auto& [name, suite] : suites) {
    uint64_t bad = 0, left_out = 0;
    for (const auto& [rule, one] : suite.cases) {
      bad += one.failures > 0 ? 1 : 0;
      left_out += is_skipped(one) ? 1 : 0;
    }
    // A program without ranks counts as rank 0.
    const bool has_rank = !name.second.empty() && (name.second != "0" || ranks[name.first] > 1);
    const std::string title = name.first + (has_rank ? " rank " + name.second : "");
    const std::string class_name = "gpusan." + Xml(title);
    const int64_t ms = std::max<int64_t>(0, (suite.last_ns - suite.first_ns) / 1000000);
    std::string seconds = std::to_string(ms % 1000);
    seconds = std::to_string(ms / 1000) + "." + std::string(3 - seconds.size(), '0') + seconds;
    output->Write("  <testsuite name=\"" + Xml(title) + "\"" +
                  numbers(suite.cases.size() + 1, bad, suite.incomplete.empty() ? 0 : 1) +
                  " skipped=\"" + std::to_string(left_out) + "\" hostname=\"" + Xml(suite.host) +
                  "\" timestamp=\"" + IsoTime(suite.first_ns).substr(0, 19) + "\" time=\"" +
                  seconds + "\">\n");
    const auto open = [&](std::string_view test) {
      output->Write("    <testcase classname=\"" + class_name + "\" name=\"" + Xml(test) +
                    "\" time=\"0\"");
    };
    open("complete");
    if (suite.incomplete.empty()) {
      output->Write("/>\n");
    } else {
      std::string lines;
      for (const std::string& line : suite.incomplete) lines += line + "\n";
      output->Write("><error type=\"incomplete\" message=\"" +
                    CountText(suite.incomplete.size(), "process", "processes") +
                    " without an end record\">" + Xml(lines) + "</error></testcase>\n");
    }
    for (const auto& [rule, one] : suite.cases) {
      open(table.RuleName(rule));
      if (one.failures == 0 && one.others == 0 && one.suppressed == 0) {
        output->Write("/>\n");
        continue;
      }
      output->Write(">");
      if (one.failures > 0) {
        std::string text;
        for (const uint32_t index : one.shown) {
          ReadFinding finding;
          if (!collector->Example(table.groups()[index], &finding)) continue;
          collector->AddExcerpts(&finding);
          text += FormatFinding(finding.text, style) + "\n";
        }
        if (one.failures > one.shown.size())
          text += "and " + std::to_string(one.failures - one.shown.size()) + " more\n";
        output->Write("<failure type=\"" + Xml(table.RuleName(rule)) + "\" message=\"" +
                      CountText(one.failures, "finding", "findings") + "\">" + Xml(text) +
                      "</failure>");
      } else if (is_skipped(one)) {
        output->Write("<skipped message=\"" + std::to_string(one.suppressed) + " suppressed\"/>");
      }
      if (one.others > 0) {
        output->Write("<system-out>" + CountText(one.others, "finding", "findings") +
                      " that --fail-on=" + Xml(fail_on) + " does not count</system-out>");
      }
      output->Write("</testcase>\n");
    }
    output->Write("  </testsuite>\n");
  }
  output->Write("</testsuites>\n");
  return "";
}

}  // namespace gpusan
