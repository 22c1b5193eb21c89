// SARIF 2.1.0 (OASIS). Section numbers refer to it.
#include <zlib.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/formats/checks_page.h"
#include "report/formats/file_uri.h"
#include "report/formats/formats.h"
#include "report/record/version.h"
#include "report/text/runtime_calls.h"
#include "tracker/base/text_util.h"
#include "tracker/model/rule_ids.h"

namespace gpusan {
namespace {

// GitHub's limits for one upload; it shows the 5,000 most severe results.
constexpr uint64_t kMostResults = 25000;
constexpr uint64_t kMostShown = 5000;
constexpr uint64_t kMostCompressed = 10u * 1000 * 1000;  // bytes
// For the text after the results [bytes].
constexpr uint64_t kReserve = 200u * 1000;

constexpr char kSchema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// Counts the size of the compressed text [bytes].
class CompressedSize {
 public:
  CompressedSize() { usable_ = deflateInit(&stream_, Z_DEFAULT_COMPRESSION) == Z_OK; }
  ~CompressedSize() {
    if (usable_) deflateEnd(&stream_);
  }
  CompressedSize(const CompressedSize&) = delete;
  CompressedSize& operator=(const CompressedSize&) = delete;

  void Add(std::string_view text) {
    // Without compression, count the bytes themselves.
    if (!usable_) {
      bytes_ += text.size();
      return;
    }
    unsigned char out[1 << 14];
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = out;
      stream_.avail_out = sizeof(out);
      deflate(&stream_, Z_NO_FLUSH);
      bytes_ += sizeof(out) - stream_.avail_out;
    } while (stream_.avail_out == 0);
  }

  uint64_t bytes() const { return bytes_; }

 private:
  z_stream stream_ = {};
  bool usable_ = false;
  uint64_t bytes_ = 0;
};

// §3.27.10 has the same names.
const char* Level(Severity severity) { return SeverityName(severity); }

// §3.11.6: brackets that are no link have a backslash.
std::string InLink(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// `text` outside of links: escaped if it could be taken for one.
std::string NoLink(std::string_view text) {
  return text.find("](") == std::string_view::npos ? std::string(text) : InLink(text);
}

// Whether the text is an address, which differs between runs.
bool IsAddress(std::string_view text) {
  constexpr size_t kLeastDigits = 9;
  return text.starts_with("0x") && text.size() >= kLeastDigits + 2 &&
         text.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

// Returns a fact without the addresses of this run: "argument 1 of kernel" for "argument 1 of
// kernel 0x7f0012345678". Returns "" if a single word is left, as for "stream 0x7f0012345678".
std::string WithoutAddresses(std::string_view fact) {
  std::string kept;
  int words = 0;
  bool any = false;
  while (!fact.empty()) {
    const size_t end = std::min(fact.find(' '), fact.size());
    const std::string_view word = fact.substr(0, end);
    fact.remove_prefix(std::min(end + 1, fact.size()));
    if (IsAddress(word)) {
      any = true;
      continue;
    }
    if (words++ != 0) kept += ' ';
    kept += word;
  }
  return any && words < 2 ? "" : kept;
}

// Returns a line about an incomplete process without the process id, which differs between runs.
std::string WithoutPid(const std::string& line) {
  const size_t begin = line.rfind(" (pid ");
  const size_t end = line.find(')', std::min(begin, line.size()));
  if (end == std::string::npos) return line;
  return line.substr(0, begin) + line.substr(end + 1);
}

class Writer {
 public:
  Writer(Collector* collector, Output* output)
      : collector_(*collector), output_(*output), root_(SourceRoot(collector->options())) {}

  std::string Write() {
    json_.BeginObject().Field("$schema", kSchema).Field("version", "2.1.0");
    json_.Key("runs").BeginArray().BeginObject();
    Tool();
    json_.Field("columnKind", "utf16CodeUnits").Key("originalUriBaseIds").BeginObject();
    json_.Key("SRCROOT").BeginObject().Field("uri", FileUri(root_));
    json_.EndObject().EndObject();
    json_.Key("results").BeginArray();
    Flush();
    Results(collector_);
    if (collector_.baseline() != nullptr) AbsentResults(*collector_.baseline());
    json_.EndArray();
    const std::string note = Note();
    Invocations(note);
    json_.EndObject().EndArray().EndObject();
    output_.Write(json_.TakeLine());
    return note;
  }

 private:
  // Writes what has been added since the last call.
  void Flush() {
    const std::string part = json_.TakePart();
    size_.Add(part);
    output_.Write(part);
  }

  bool Full() const {
    return written_ >= kMostResults || size_.bytes() + kReserve >= kMostCompressed;
  }

  std::string Note() const {
    if (left_out_ > 0) {
      return "left out " + CountText(left_out_, "result", "results") + " of " +
             std::to_string(left_out_ + written_) +
             ", the least severe: GitHub takes 25,000 results and 10 MB compressed in one upload";
    }
    if (written_ > kMostShown) {
      return "GitHub will show 5,000 of " + std::to_string(written_) + " results, the most severe";
    }
    return "";
  }

  void Message(const char* key, std::string_view text) {
    json_.Key(key).BeginObject().Field("text", text).EndObject();
  }

  void Tool() {
    json_.Key("tool").BeginObject().Key("driver").BeginObject();
    json_.Field("name", "gpusan").Field("version", kVersionText);
    json_.Field("semanticVersion", kVersionText).Key("rules").BeginArray();
    for (const RuleInfo& rule : kRules) {
      json_.BeginObject().Field("id", rule.id);
      Message("shortDescription", rule.help);
      Message("fullDescription", std::string(rule.help) + " (" + rule.group + ")");
      json_.Field("helpUri", SectionUri(rule.id)).Key("help").BeginObject();
      json_.Field("text",
                  std::string(rule.id) + ": " + rule.help +
                      ". The result names the rule of the specification that is broken, and "
                      "the fix.");
      if (const std::string_view section = SectionOf(rule.id); !section.empty())
        json_.Field("markdown", section);
      json_.EndObject();
      json_.Key("defaultConfiguration").BeginObject().Field("level", Level(rule.severity));
      json_.EndObject().Key("properties").BeginObject().Key("tags").BeginArray();
      json_.String("gpu").String(rule.group).EndArray().EndObject().EndObject();
    }
    json_.EndArray().EndObject().EndObject();
  }

  // A physical location (§3.29) and the function as a logical one (§3.33). A frame without source
  // gets the location of its module: GitHub requires a file for every result.
  void Location(const TextFrame* frame, const std::string& otherwise, std::string_view message,
                int id) {
    json_.BeginObject();
    if (id >= 0) json_.Field("id", id);
    const bool source = frame != nullptr && !frame->file.empty() && frame->line > 0;
    std::string path = source ? frame->file : frame != nullptr ? frame->module : "";
    if (path.empty()) path = otherwise;
    if (!path.empty()) {
      json_.Key("physicalLocation").BeginObject().Key("artifactLocation").BeginObject();
      const std::string relative = RelativeTo(root_, path);
      if (relative.front() == '/') {
        json_.Field("uri", FileUri(relative));
      } else if (relative != path) {
        json_.Field("uri", UriPath(relative)).Field("uriBaseId", "SRCROOT");
      } else {
        json_.Field("uri", UriPath(relative));
      }
      json_.EndObject();
      if (source) {
        json_.Key("region").BeginObject().Field("startLine", frame->line);
        if (frame->column > 0) json_.Field("startColumn", frame->column);
        json_.EndObject();
      }
      json_.EndObject();
    }
    if (frame != nullptr && !frame->function.empty()) {
      json_.Key("logicalLocations").BeginArray().BeginObject();
      json_.Field("fullyQualifiedName", frame->function).Field("kind", "function");
      json_.EndObject().EndArray();
    }
    if (!message.empty()) Message("message", message);
    json_.EndObject();
  }

  void Stack(std::string_view message, const std::vector<TextFrame>& frames) {
    if (frames.empty()) return;
    json_.BeginObject();
    Message("message", message);
    json_.Key("frames").BeginArray();
    for (const TextFrame& frame : frames) {
      json_.BeginObject().Key("location");
      Location(&frame, "", "", -1);
      if (!frame.module.empty()) json_.Field("module", frame.module);
      json_.EndObject();
    }
    json_.EndArray().EndObject();
  }

  // Equal for stacks with equal text.
  static std::string StackKey(const TextParty& party) {
    std::string key = party.role;
    for (const TextFrame& frame : party.frames) {
      for (const std::string& text : {frame.function, frame.file, frame.module}) {
        key += '\n';
        key += text;
      }
      key += '\n' + std::to_string(frame.line) + ':' + std::to_string(frame.column);
    }
    return key;
  }

  void Suppressed(const FindingGroup& group) {
    json_.Key("suppressions").BeginArray();
    if (group.suppression != 0) {
      const Suppression& line = collector_.suppressions().lines()[group.suppression - 1u];
      json_.BeginObject().Field("kind", "external").Field("status", "accepted");
      json_.Field("justification",
                  line.reason.empty() ? line.check + ":" + line.glob : line.reason);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void Result(const FindingGroup& group, const ReadFinding& finding, const char* baseline_state,
              const std::string& program) {
    const TextFinding& text = finding.text;
    json_.BeginObject().Field("ruleId", text.rule);
    if (group.rule < kRuleCount) json_.Field("ruleIndex", uint64_t{group.rule});
    json_.Field("kind", "fail").Field("level", Level(text.severity));
    std::string message = text.call.empty() ? text.rule : text.call;
    if (HasFailed(text) && !text.code_name.empty())
      message += ", which returned " + CodeNameFor(text.call, text.code_name);
    message += ": " + NoLink(text.what);
    if (!text.why.empty()) message += "\nwhy: " + NoLink(text.why);
    // Links to the related locations, which viewers show beside the message.
    int related = 0;
    for (const TextParty& party : text.parties) {
      const std::string& what = party.text.empty() ? party.role : party.text;
      const bool has_place = ProgramFrame(party.frames) != nullptr;
      message +=
          "\n" + NoLink(party.role) + ": " +
          (has_place ? "[" + InLink(what) + "](" + std::to_string(++related) + ")" : NoLink(what));
    }
    if (!text.fix.empty()) message += "\nfix: " + NoLink(text.fix);
    Message("message", message);
    json_.Key("locations").BeginArray();
    Location(ProgramFrame(text.frames), program, "", -1);
    json_.EndArray().Key("relatedLocations").BeginArray();
    int id = 0;
    for (const TextParty& party : text.parties) {
      const std::string what = party.role + (party.text.empty() ? "" : ": " + party.text);
      const TextFrame* frame = ProgramFrame(party.frames);
      if (frame != nullptr) Location(frame, program, what, ++id);
    }
    json_.EndArray().Key("stacks").BeginArray();
    Stack(text.call.empty() ? "where" : text.call, text.frames);
    // §3.27.19: each location once, also for several parties with one location.
    std::set<std::string> written;
    for (const TextParty& party : text.parties) {
      if (written.insert(StackKey(party)).second) Stack(party.role, party.frames);
    }
    json_.EndArray();
    // GitHub matches by the first fingerprint, other tools by the second.
    json_.Key("partialFingerprints").BeginObject();
    json_.Field("primaryLocationLineHash", KeyText(group.key).substr(3) + ":1");
    json_.Field("gpusan/v1", KeyText(group.key)).EndObject();
    if (baseline_state != nullptr) json_.Field("baselineState", baseline_state);
    Suppressed(group);
    if (group.count > 0) json_.Field("occurrenceCount", group.count);
    json_.Key("properties").BeginObject().Field("api", finding.api);
    json_.Field("processes", uint64_t{group.processes}).Key("facts").BeginObject();
    for (const auto& [key, value] : text.facts) {
      const std::string kept = WithoutAddresses(value);
      if (!kept.empty() || value.empty()) json_.Field(key, kept);
    }
    json_.EndObject().EndObject().EndObject();
    Flush();
    ++written_;
  }

  std::string ProgramOf(const Collector& collector, const FindingGroup& group) {
    const uint32_t process = group.process != kNoIndex ? group.process : group.seen_in[0];
    return process == kNoIndex ? "" : collector.table().processes()[process].read.exe;
  }

  // Most severe first, then by check and fingerprint: the order in which processes wrote their
  // findings differs between equal runs.
  static std::vector<uint32_t> Ordered(const FindingTable& table) {
    std::vector<uint32_t> order = table.Ranked();
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const FindingGroup& left = table.groups()[a];
      const FindingGroup& right = table.groups()[b];
      if (left.severity != right.severity) return left.severity > right.severity;
      return left.rule != right.rule ? left.rule < right.rule : left.key < right.key;
    });
    return order;
  }

  void Results(Collector& collector) {
    for (const uint32_t index : Ordered(collector.table())) {
      const FindingGroup& group = collector.table().groups()[index];
      ReadFinding finding;
      if (Full()) {
        ++left_out_;
      } else if (collector.Example(group, &finding)) {
        const char* state = group.in_baseline ? "unchanged" : "new";
        Result(group, finding, collector.baseline() != nullptr ? state : nullptr,
               ProgramOf(collector, group));
      }
    }
  }

  // §3.27.24: findings of the baseline that are not in this run are "absent".
  void AbsentResults(Collector& baseline) {
    for (const uint32_t index : Ordered(baseline.table())) {
      FindingGroup group = baseline.table().groups()[index];
      ReadFinding finding;
      if (collector_.table().FindGroup(group.key) != kNoIndex) continue;
      if (Full()) {
        ++left_out_;
      } else if (baseline.Example(group, &finding)) {
        group.count = 0;
        Result(group, finding, "absent", ProgramOf(baseline, group));
      }
    }
  }

  void Invocations(const std::string& note) {
    constexpr int kMost = 100;
    int count = 0;
    bool successful = collector_.incomplete().empty();
    json_.Key("invocations").BeginArray().BeginObject();
    json_.Field("executionSuccessful", successful);
    json_.Key("toolExecutionNotifications").BeginArray();
    const auto notify = [&](const char* level, const std::string& text) {
      json_.BeginObject().Field("level", level);
      Message("message", text);
      json_.EndObject();
    };
    if (!note.empty()) notify("warning", note);
    std::vector<std::string> lines;
    for (const std::string& line : collector_.incomplete()) lines.push_back(WithoutPid(line));
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) {
      if (++count > kMost) break;
      notify("error", "incomplete: " + line);
    }
    json_.EndArray().EndObject().EndArray();
  }

  Collector& collector_;
  Output& output_;
  const std::string root_;
  JsonWriter json_;
  CompressedSize size_;
  uint64_t written_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace

std::string WriteSarif(Collector* collector, Output* output) {
  return Writer(collector, output).Write();
}

}  // namespace gpusan
