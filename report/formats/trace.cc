// Trace events for Perfetto and chrome://tracing: a process per process, a track per timeline of
// commands with arrows for orderings, a counter per ledger of the samples, an instant per finding.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/base/time_text.h"
#include "report/formats/formats.h"
#include "report/record/version.h"

namespace gpusan {
namespace {

// Processes are numbered here, because pids of several hosts and nights may be equal.
uint64_t NumberOf(uint32_t index) { return uint64_t{index} + 1; }

// Tracks that are not threads have numbers above all thread ids.
constexpr int64_t kHostTrack = int64_t{1} << 31;
int64_t TrackOf(uint32_t timeline) { return kHostTrack + 1 + timeline; }

constexpr char kSliceMeaning[] =
    "a slice starts when a command is enqueued and ends at the next command of its timeline or "
    "when "
    "the host knows that it is complete; the time on the device is not known; times are accurate "
    "to "
    "a microsecond, and to four "
    "milliseconds above a hundred thousand commands a second; x N: N commands "
    "within that time from one call site, or from several call sites in turn";

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
    json_.Field("gpusan", kVersionText).Field("begin", IsoTime(origin_ns_));
    json_.Field("slices", kSliceMeaning).Field("commands_not_kept", NotKept()).EndObject();
    json_.Key("traceEvents").BeginArray();
    for (uint32_t index = 0; index < table.processes().size(); ++index) Process(index);
    for (const uint32_t index : table.Ranked()) Instant(table.groups()[index]);
    json_.EndArray().EndObject();
    output_.Write(json_.TakeLine());
  }

 private:
  // A command whose end is not known yet.
  struct Open {
    CommandPoint point;
    int64_t time_ns = 0;
    std::string call;
    std::string place;
    uint64_t count = 1;
    int64_t until_ns = 0;  // of runs
    bool seen = false;

    CommandPoint last() const { return {point.timeline, point.tick + count - 1}; }
  };
  // Of commands, by the first of them.
  struct Begun {
    int64_t time_ns = 0;
    uint64_t count = 1;
  };

  // The commands of one process so far.
  struct Lanes {
    std::map<uint32_t, Open> open;                             // by timeline
    std::map<CommandPoint, std::vector<CommandPoint>> orders;  // of commands that follow later
    std::map<CommandPoint, Begun> begun;                       // commands and runs of them
    std::deque<CommandPoint> oldest;                           // of `begun`
    std::map<uint32_t, std::string> places;                    // of sites
    std::set<uint32_t> named;                                  // timelines
    bool host_named = false;
    int64_t last_ns = 0;
  };

  // Arrows from commands more than this many back are omitted.
  static constexpr size_t kRemembered = size_t{1} << 18;

  // nullptr: not known, or no longer kept.
  static const int64_t* TimeOf(const CommandPoint& point, const Lanes& lanes) {
    auto found = lanes.begun.upper_bound(point);
    if (found == lanes.begun.begin()) return nullptr;
    const auto& [first, begun] = *--found;
    const bool holds = first.timeline == point.timeline && point.tick - first.tick < begun.count;
    return holds ? &begun.time_ns : nullptr;
  }

  // Commands, orderings and waits that were replaced by later ones.
  uint64_t NotKept() const {
    uint64_t sum = 0;
    for (const TableProcess& process : collector_.table().processes()) {
      const auto found = process.read.dropped.find("timeline");
      if (found != process.read.dropped.end()) sum += found->second;
    }
    return sum;
  }

  // Microseconds since the first process began, with a fraction.
  static std::string Micros(int64_t ns) {
    const std::string fraction = std::to_string(ns % 1000);
    return std::to_string(ns / 1000) + "." + std::string(3 - fraction.size(), '0') + fraction;
  }
  std::string Time(int64_t time_ns) const {
    return Micros(std::max<int64_t>(0, time_ns - origin_ns_));
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
    Commands(index, process);
    if (read.ended) {
      Event("i", read.reason, index).Field("s", "p").Field("tid", 0);
      json_.Key("ts").Raw(Time(read.last_ns)).EndObject();
    }
    output_.Write(json_.TakePart());
  }

  void Commands(uint32_t index, const TableProcess& process) {
    Lanes lanes;
    for (const CommandsPlace& place : process.commands) {
      ReadCommands commands;
      if (!collector_.Commands(process, place.offset, &commands)) continue;
      for (const ReadCommands::Entry& entry : commands.entries) {
        lanes.last_ns = std::max({lanes.last_ns, entry.time_ns, entry.until_ns});
        switch (entry.kind) {
          case CommandEntryKind::kCommand:
            Command(index, process, commands, entry, &lanes);
            break;
          case CommandEntryKind::kOrder:
            Order(index, entry, &lanes);
            break;
          case CommandEntryKind::kWait:
            Wait(index, entry, &lanes);
            break;
          case CommandEntryKind::kFailed:
            if (Open& open = lanes.open[entry.point.timeline]; open.last() == entry.point) {
              if (open.count == 1)
                open.seen = false;
              else
                --open.count;
            }
            break;
        }
      }
      output_.Write(json_.TakePart());
    }
    for (auto& [timeline, open] : lanes.open) Close(index, lanes.last_ns, &open);
    output_.Write(json_.TakePart());
  }

  const std::string& PlaceOf(const TableProcess& process, uint32_t site, Lanes* lanes) {
    const auto [found, is_new] = lanes->places.try_emplace(site);
    if (is_new && site != 0 && process.read.sites != nullptr) {
      const auto known = process.read.sites->find(site);
      if (known != process.read.sites->end())
        found->second = ShortLocation(collector_.SymbolsOf(process, known->second));
    }
    return found->second;
  }

  void NameTrack(uint32_t index, int64_t track, const std::string& name) {
    Event("M", "thread_name", index).Field("tid", track).Key("args").BeginObject();
    json_.Field("name", name).EndObject().EndObject();
    Event("M", "thread_sort_index", index).Field("tid", track).Key("args").BeginObject();
    json_.Field("sort_index", track).EndObject().EndObject();
  }

  void Close(uint32_t index, int64_t end_ns, Open* open) {
    if (!open->seen) return;
    open->seen = false;
    const bool run = open->count != 1;
    Event("X", run ? open->call + " x " + std::to_string(open->count) : open->call, index);
    json_.Field("cat", "command");
    json_.Field("tid", TrackOf(open->point.timeline)).Key("ts").Raw(Time(open->time_ns));
    json_.Key("dur").Raw(Micros(std::max<int64_t>(1, end_ns - open->time_ns)));
    json_.Key("args").BeginObject().Field("place", open->place);
    json_.Field("tick", open->point.tick);
    if (run) {
      json_.Field("count", open->count);
      json_.Key("last_within_us").Raw(Micros(open->until_ns - open->time_ns));
    }
    json_.EndObject().EndObject();
  }

  void Command(uint32_t index, const TableProcess& process, const ReadCommands& commands,
               const ReadCommands::Entry& entry, Lanes* lanes) {
    const uint32_t timeline = entry.point.timeline;
    Open& open = lanes->open[timeline];
    Close(index, entry.time_ns, &open);
    if (lanes->named.insert(timeline).second) {
      const ReadCommands::Queue& queue = commands.queues[entry.queue];
      const std::string& place = PlaceOf(process, queue.site, lanes);
      NameTrack(index, TrackOf(timeline),
                queue.api + (queue.in_order ? " queue " : " lane of queue ") + queue.handle +
                    (place.empty() ? "" : " of " + place));
    }
    open = {entry.point,
            entry.time_ns,
            CallsOf(commands, entry),
            PlaceOf(process, entry.site, lanes),
            entry.count,
            entry.until_ns,
            true};
    for (const auto& [call, site] : entry.others) {
      const std::string& place = PlaceOf(process, site, lanes);
      if (!place.empty()) open.place += (open.place.empty() ? "" : ", ") + place;
    }
    lanes->begun[entry.point] = {entry.time_ns, entry.count};
    lanes->oldest.push_back(entry.point);
    if (lanes->oldest.size() > kRemembered) {
      lanes->begun.erase(lanes->oldest.front());
      lanes->oldest.pop_front();
    }
    for (const CommandPoint& point : entry.behind)
      Arrow(index, point, TrackOf(timeline), entry.time_ns, *lanes);
    // Orderings of this command that preceded it, and of earlier commands that never followed.
    while (!lanes->orders.empty()) {
      const auto order = lanes->orders.lower_bound({timeline, 0});
      if (order == lanes->orders.end() || order->first > entry.last()) break;
      for (const CommandPoint& point : order->second)
        Arrow(index, point, TrackOf(timeline), entry.time_ns, *lanes);
      lanes->orders.erase(order);
    }
  }

  void Order(uint32_t index, const ReadCommands::Entry& entry, Lanes* lanes) {
    const int64_t* begun = TimeOf(entry.point, *lanes);
    for (const CommandPoint& point : entry.behind) {
      if (point.tick == 0) continue;
      if (begun != nullptr) {
        Arrow(index, point, TrackOf(entry.point.timeline), *begun, *lanes);
      } else if (lanes->orders.size() < kRemembered) {
        lanes->orders[entry.point].push_back(point);
      }
    }
  }

  void Wait(uint32_t index, const ReadCommands::Entry& entry, Lanes* lanes) {
    if (!std::exchange(lanes->host_named, true)) NameTrack(index, kHostTrack, "host waits");
    Event("X", "wait", index).Field("cat", "wait").Field("tid", kHostTrack);
    json_.Key("ts").Raw(Time(entry.time_ns)).Key("dur").Raw("1.000").EndObject();
    for (const CommandPoint& point : entry.behind) {
      if (point.tick == 0) continue;
      Arrow(index, point, kHostTrack, entry.time_ns, *lanes);
      Open& open = lanes->open[point.timeline];
      if (open.seen && open.last() <= point) Close(index, entry.time_ns, &open);
    }
  }

  // Draws an arrow from a command to the command ordered after it; nothing if the first is unknown.
  void Arrow(uint32_t index, const CommandPoint& from, int64_t track, int64_t time_ns,
             const Lanes& lanes) {
    const int64_t* begun = from.tick == 0 ? nullptr : TimeOf(from, lanes);
    if (begun == nullptr) return;
    ++arrows_;
    for (const char* phase : {"s", "f"}) {
      const bool start = *phase == 's';
      Event(phase, "order", index).Field("cat", "order").Field("id", arrows_);
      if (!start) json_.Field("bp", "e");
      json_.Field("tid", start ? TrackOf(from.timeline) : track);
      json_.Key("ts").Raw(Time(start ? *begun : time_ns)).EndObject();
    }
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
  uint64_t arrows_ = 0;
};

}  // namespace

std::string WriteTrace(Collector* collector, Output* output) {
  Writer(collector, output).Write();
  return "";
}

}  // namespace gpusan
