// JUnit XML, which CI servers show as tests. A check without findings is a passed test.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
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

// Nothing of the check counts, because all of its findings are suppressed.
bool IsSkipped(const Case& one) {
  return one.failures == 0 && one.others == 0 && one.suppressed > 0;
}

uint64_t FailedCases(const Suite& suite) {
  return static_cast<uint64_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(),
                    [](const auto& one) { return one.second.failures > 0; }));
}

// The numbers of cases, in all and those that failed or could not end, as attributes.
std::string Numbers(uint64_t all, uint64_t bad, uint64_t broken) {
  return " tests=\"" + std::to_string(all) + "\" failures=\"" + std::to_string(bad) +
         "\" errors=\"" + std::to_string(broken) + "\"";
}

// "12.045"
std::string Seconds(int64_t begin_ns, int64_t end_ns) {
  const int64_t ms = std::max<int64_t>(0, (end_ns - begin_ns) / 1000000);
  const std::string rest = std::to_string(ms % 1000);
  return std::to_string(ms / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
}

class JunitWriter {
 public:
  JunitWriter(Collector* collector, Output* output)
      : collector_(*collector),
        output_(*output),
        table_(collector->table()),
        fail_on_(collector->options().fail_on) {
    style_.base_folder = SourceRoot(collector->options());
    style_.base_folder.pop_back();
    by_severity_ = SeverityFrom(fail_on_, &least_);
  }

  void Write();

 private:
  using Name = std::pair<std::string, std::string>;  // program and rank

  bool Fails(const FindingGroup& group) const {
    if (group.suppression != 0 || fail_on_ == "never") return false;
    return by_severity_ ? group.severity >= least_ : !group.in_baseline;
  }
  void Add(const TableProcess& process);
  void WriteSuite(const std::string& title, const Suite& suite);
  // Whether all processes of the suite ended properly.
  void WriteCompleteness(const std::string& class_name, const Suite& suite);
  void WriteCase(const std::string& class_name, uint16_t rule, const Case& one);
  void OpenCase(const std::string& class_name, std::string_view test) {
    output_.Write("    <testcase classname=\"" + class_name + "\" name=\"" + Xml(test) +
                  "\" time=\"0\"");
  }
  std::string TextOf(const Case& one);

  Collector& collector_;
  Output& output_;
  const FindingTable& table_;
  const std::string& fail_on_;
  TextStyle style_;
  Severity least_ = Severity::kNote;
  bool by_severity_ = false;
  std::map<Name, Suite> suites_;
};

void JunitWriter::Add(const TableProcess& process) {
  const ReadProcess& read = process.read;
  const std::string program(BaseName(read.exe));
  Suite& suite = suites_[{program.empty() ? "unknown" : program, read.rank}];
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
    const FindingGroup& group = table_.groups()[index];
    Case& found = suite.cases[group.rule];
    if (Fails(group)) {
      ++found.failures;
      if (found.shown.size() < kShown) found.shown.push_back(index);
    } else if (group.suppression != 0) {
      ++found.suppressed;
    } else {
      ++found.others;
    }
  }
}

void JunitWriter::WriteCompleteness(const std::string& class_name, const Suite& suite) {
  OpenCase(class_name, "complete");
  if (suite.incomplete.empty()) {
    output_.Write("/>\n");
    return;
  }
  std::string lines;
  for (const std::string& line : suite.incomplete) lines += line + "\n";
  output_.Write("><error type=\"incomplete\" message=\"" +
                CountText(suite.incomplete.size(), "process", "processes") +
                " without an end record\">" + Xml(lines) + "</error></testcase>\n");
}

std::string JunitWriter::TextOf(const Case& one) {
  std::string text;
  for (const uint32_t index : one.shown) {
    ReadFinding finding;
    if (!collector_.Example(table_.groups()[index], &finding)) continue;
    collector_.AddExcerpts(&finding);
    text += FormatFinding(finding.text, style_) + "\n";
  }
  if (one.failures > one.shown.size())
    text += "and " + std::to_string(one.failures - one.shown.size()) + " more\n";
  return text;
}

void JunitWriter::WriteCase(const std::string& class_name, uint16_t rule, const Case& one) {
  OpenCase(class_name, table_.RuleName(rule));
  if (one.failures == 0 && one.others == 0 && one.suppressed == 0) {
    output_.Write("/>\n");
    return;
  }
  output_.Write(">");
  if (one.failures > 0) {
    output_.Write("<failure type=\"" + Xml(table_.RuleName(rule)) + "\" message=\"" +
                  CountText(one.failures, "finding", "findings") + "\">" + Xml(TextOf(one)) +
                  "</failure>");
  } else if (IsSkipped(one)) {
    output_.Write("<skipped message=\"" + std::to_string(one.suppressed) + " suppressed\"/>");
  }
  if (one.others > 0) {
    output_.Write("<system-out>" + CountText(one.others, "finding", "findings") +
                  " that --fail-on=" + Xml(fail_on_) + " does not count</system-out>");
  }
  output_.Write("</testcase>\n");
}

void JunitWriter::WriteSuite(const std::string& title, const Suite& suite) {
  const auto skipped = std::count_if(suite.cases.begin(), suite.cases.end(),
                                     [](const auto& one) { return IsSkipped(one.second); });
  output_.Write("  <testsuite name=\"" + Xml(title) + "\"" +
                Numbers(suite.cases.size() + 1, FailedCases(suite), !suite.incomplete.empty()) +
                " skipped=\"" + std::to_string(skipped) + "\" hostname=\"" + Xml(suite.host) +
                "\" timestamp=\"" + IsoTime(suite.first_ns).substr(0, 19) + "\" time=\"" +
                Seconds(suite.first_ns, suite.last_ns) + "\">\n");
  const std::string class_name = "gpusan." + Xml(title);
  WriteCompleteness(class_name, suite);
  for (const auto& [rule, one] : suite.cases) WriteCase(class_name, rule, one);
  output_.Write("  </testsuite>\n");
}

void JunitWriter::Write() {
  for (const TableProcess& process : table_.processes()) Add(process);
  uint64_t tests = 0, failures = 0, errors = 0;
  std::map<std::string, int> ranks;  // by program
  for (const auto& [name, suite] : suites_) {
    tests += suite.cases.size() + 1;
    failures += FailedCases(suite);
    errors += suite.incomplete.empty() ? 0 : 1;
    ++ranks[name.first];
  }
  output_.Write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gpusan\"" +
                Numbers(tests, failures, errors) + ">\n");
  for (const auto& [name, suite] : suites_) {
    const auto& [program, rank] = name;
    // A program without ranks counts as rank 0.
    const bool has_rank = !rank.empty() && (rank != "0" || ranks[program] > 1);
    WriteSuite(program + (has_rank ? " rank " + rank : ""), suite);
  }
  output_.Write("</testsuites>\n");
}

}  // namespace

std::string WriteJunit(Collector* collector, Output* output) {
  JunitWriter(collector, output).Write();
  return "";
}

}  // namespace gpusan
