// Trace events, as Perfetto and chrome://tracing read them: a process a process, a counter a ledger
// of its samples, an instant a finding.
#include <algorithm>
#include <string>

#include "report/formats.h"
#include "report/version.h"

namespace gpusan {
namespace {

// Numbers of processes are ours: pids of several hosts and nights may be the same.
uint64_t NumberOf(uint32_t index) { return uint64_t{index} + 1; }

class Writer {
 public:
  Writer(Collector* collector, Output* output) : collector_(*collector), output_(*output) {}

  void Write() {
    const FindingTable& table = collector_.table();
    for (const TableProcess& process : table.processes()) {
      if (process.read.start_ns > 0 && (origin_ns_ == 0 || process.read.start_ns < origin_ns_))
        origin_ns_ = process.read.start_ns;
    }
    json_.BeginObject().Field("displayTimeUnit", "ms").Key("otherData").BeginObject();
    json_.Field("gpusan", kVersionText).Field("begin", IsoTime(origin_ns_)).EndObject();
    json_.Key("traceEvents").BeginArray();
    for (uint32_t index = 0; index < table.processes().size(); ++index) Process(index);
    for (const uint32_t index : table.Ranked()) Instant(table.groups()[index]);
    json_.EndArray().EndObject();
    output_.Write(json_.TakeLine());
  }

 private:
  // Microseconds since the first process began, with a fraction.
  std::string Time(int64_t time_ns) const {
    const int64_t since = std::max<int64_t>(0, time_ns - origin_ns_);
    const std::string fraction = std::to_string(since % 1000);
    return std::to_string(since / 1000) + "." + std::string(3 - fraction.size(), '0') + fraction;
  }

  JsonWriter& Event(const char* phase, std::string_view name, uint32_t process) {
    json_.BeginObject().Field("ph", phase).Field("name", name);
    return json_.Field("pid", NumberOf(process));
  }

  void Process(uint32_t index) {
    const TableProcess& process = collector_.table().processes()[index];
    const ReadProcess& read = process.read;
    Event("M", "process_name", index).Key("args").BeginObject();
    json_.Field("name", ProcessName(read) + (read.host.empty() ? "" : " on " + read.host));
    json_.EndObject().EndObject();
    for (const uint64_t offset : process.samples) {
      ReadSample sample;
      if (!collector_.Sample(process, offset, &sample)) continue;
      for (const auto& [name, figures] : sample.ledger) {
        Event("C", name + " memory", index).Key("ts").Raw(Time(sample.time_ns));
        json_.Key("args").BeginObject();
        for (const auto& [figure, value] : figures) {
          const bool is_bytes = figure.size() > 6 && figure.rfind("_bytes") == figure.size() - 6;
          if (is_bytes) json_.Field(figure, value);
        }
        json_.EndObject().EndObject();
      }
      output_.Write(json_.TakePart());
    }
    if (read.ended) {
      Event("i", read.reason, index).Field("s", "p").Field("tid", 0);
      json_.Key("ts").Raw(Time(read.last_ns)).EndObject();
    }
    output_.Write(json_.TakePart());
  }

  void Instant(const FindingGroup& group) {
    const uint32_t process = group.process != kNoIndex ? group.process : group.seen_in[0];
    ReadFinding finding;
    if (process == kNoIndex || group.suppression != 0 || !collector_.Example(group, &finding))
      return;
    Event("i", finding.text.rule, process).Field("s", "t").Field("tid", finding.thread);
    json_.Field("cat", SeverityName(group.severity)).Key("ts").Raw(Time(finding.first_ns));
    json_.Key("args").BeginObject().Field("call", finding.text.call);
    json_.Field("place", ShortLocation(finding.text.frames)).Field("what", finding.text.what);
    json_.Field("fix", finding.text.fix).Field("count", group.count);
    json_.Field("fingerprint", KeyText(group.key)).EndObject().EndObject();
    output_.Write(json_.TakePart());
  }

  Collector& collector_;
  Output& output_;
  JsonWriter json_;
  int64_t origin_ns_ = 0;
};

}  // namespace

std::string WriteTrace(Collector* collector, Output* output) {
  Writer(collector, output).Write();
  return "";
}

}  // namespace gpusan
