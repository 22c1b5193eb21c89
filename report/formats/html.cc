// The format html: report/formats/page.html with the data inserted.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/base/printable.h"
#include "report/findings/timeline_view.h"
#include "report/formats/formats.h"
#include "report/formats/page.h"
#include "report/record/version.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// A browser takes seconds for more; the other formats contain all findings.
constexpr size_t kMostFindings = 20000;
constexpr size_t kMostPoints = 500;  // per series
constexpr size_t kMostSites = 30;
constexpr size_t kMostTimelines = 1000;  // of the most severe findings; also lines of source
constexpr size_t kMostFlames = 60;       // moments per process
constexpr size_t kMostFlameSites = 100;  // per moment
constexpr size_t kMostCommands = 20000;  // of the timelines of all processes

constexpr std::array<const char*, 4> kFigures = {"live_bytes", "peak_bytes",
                                                 "pending_release_bytes", "pool_reserve_bytes"};

// JSON inside a script element must not contain "</script" or "<!--". Characters that reverse or
// hide what the page shows are written as escapes.
std::string Escaped(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : Printable(json, /*lines=*/true, "\\\\")) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

uint64_t LiveBytes(const ReadSample& sample) {
  uint64_t sum = 0;
  for (const ReadSample::Site& site : sample.sites) sum += site.live_bytes;
  return sum;
}

// The stacks of allocation sites, each once, as names from the outermost frame to the innermost.
class Stacks {
 public:
  size_t IndexOf(const std::vector<TextFrame>& frames) {
    std::vector<std::string> names;
    for (const TextFrame& frame : ShownFrames(frames)) {
      const std::string place =
          frame.line > 0 ? std::string(BaseName(frame.file)) + ":" + std::to_string(frame.line)
                         : std::string(BaseName(frame.module));
      names.insert(names.begin(), frame.function.empty()
                                      ? place + "+" + Hex(frame.offset)
                                      : ShortFunctionName(frame.function) + " " + place);
    }
    const auto [known, is_new] = known_.try_emplace(std::move(names), all_.size());
    if (is_new) all_.push_back(&known->first);
    return known->second;
  }

  void Append(JsonWriter* json) const {
    json->Key("stacks").BeginArray();
    for (const std::vector<std::string>* names : all_) {
      json->BeginArray();
      for (const std::string& name : *names) json->String(name);
      json->EndArray();
    }
    json->EndArray();
  }

 private:
  std::map<std::vector<std::string>, size_t> known_;
  std::vector<const std::vector<std::string>*> all_;
};

// The call sites of one sample: stack, bytes, allocations.
struct Flame {
  int64_t time_ms = 0;  // since the process began
  std::vector<std::array<uint64_t, 3>> sites;
};

Flame FlameOf(const ReadSample& sample, int64_t start_ns, Stacks* stacks) {
  Flame flame;
  flame.time_ms = (sample.time_ns - start_ns) / 1000000;
  for (const ReadSample::Site& site : sample.sites) {
    if (flame.sites.size() >= kMostFlameSites) break;
    flame.sites.push_back({stacks->IndexOf(site.text_frames), site.live_bytes, site.live_count});
  }
  return flame;
}

struct Series {
  std::vector<int64_t> times_ms;  // since the process began
  std::map<std::string, std::array<std::vector<uint64_t>, kFigures.size()>> figures;
  std::vector<Flame> flames;
};

// The call sites of the sample with the most memory, over all processes.
struct TopSite {
  std::string key;
  ReadSample::Site site;
};

// Each point is the maximum of several samples, so that there are at most kMostPoints.
Series SeriesOf(Collector* collector, const TableProcess& process, Stacks* stacks,
                std::vector<TopSite>* top) {
  Series series;
  const size_t step = process.samples.size() / kMostPoints + 1;
  const size_t flame_step = process.samples.size() / kMostFlames + 1;
  ReadSample fullest;
  for (size_t i = 0; i < process.samples.size(); ++i) {
    ReadSample sample;
    if (!collector->Sample(process, process.samples[i], &sample)) continue;
    if (i % step == 0 || series.times_ms.empty())
      series.times_ms.push_back((sample.time_ns - process.read.start_ns) / 1000000);
    for (const auto& [name, figures] : sample.ledger) {
      auto& lines = series.figures[name];
      for (size_t figure = 0; figure < kFigures.size(); ++figure) {
        const auto found = figures.find(kFigures[figure]);
        if (found == figures.end()) continue;
        lines[figure].resize(series.times_ms.size());
        lines[figure].back() = std::max(lines[figure].back(), found->second);
      }
    }
    if (i % flame_step == 0 && !sample.sites.empty())
      series.flames.push_back(FlameOf(sample, process.read.start_ns, stacks));
    if (LiveBytes(sample) >= LiveBytes(fullest)) fullest = std::move(sample);
  }
  for (ReadSample::Site& site : fullest.sites) {
    std::string key = site.api;
    for (const TextFrame& frame : site.text_frames)
      key += "\n" + FormatFrame(0, frame, {.verbose = true});
    const auto known =
        std::find_if(top->begin(), top->end(), [&](const TopSite& one) { return one.key == key; });
    if (known == top->end()) {
      top->push_back({std::move(key), std::move(site)});
    } else {
      known->site.live_bytes += site.live_bytes;
      known->site.live_count += site.live_count;
    }
  }
  return series;
}

// Appends "timeline": the commands of the whole run by queue, and the waits of the host, in
// microseconds since the process began; at most *left commands, which are subtracted.
void AppendRunTimeline(Collector* collector, const TableProcess& process, size_t* left,
                       JsonWriter* json) {
  std::map<std::string, size_t> queues, calls, places;
  std::vector<const std::string*> names[3];
  const auto index = [](const std::string& name, std::map<std::string, size_t>* all,
                        std::vector<const std::string*>* order) {
    const auto [known, is_new] = all->try_emplace(name, all->size());
    if (is_new) order->push_back(&known->first);
    return known->second;
  };
  std::map<uint32_t, std::string> place_of;
  const auto place = [&](uint32_t site) -> const std::string& {
    const auto [known, is_new] = place_of.try_emplace(site);
    if (!is_new || site == 0 || process.read.sites == nullptr) return known->second;
    const auto found = process.read.sites->find(site);
    if (found != process.read.sites->end())
      known->second = ShortLocation(collector->SymbolsOf(process, found->second));
    return known->second;
  };
  std::vector<int64_t> waits;
  bool cut = false;
  json->Key("timeline").BeginObject().Key("commands").BeginArray();
  for (const CommandsPlace& record : process.commands) {
    ReadCommands commands;
    if (cut || !collector->Commands(process, record.offset, &commands)) break;
    for (const ReadCommands::Entry& entry : commands.entries) {
      const int64_t us = (entry.time_ns - process.read.start_ns) / 1000;
      if (entry.kind == CommandEntryKind::kWait) waits.push_back(us);
      if (entry.kind != CommandEntryKind::kCommand) continue;
      if (*left == 0) {
        cut = true;
        break;
      }
      --*left;
      const ReadCommands::Queue& queue = commands.queues[entry.queue];
      const int64_t span = entry.until_ns > entry.time_ns ? entry.until_ns - entry.time_ns : 0;
      const size_t number = index(queue.api + " queue " + queue.handle, &queues, &names[0]);
      json->BeginArray().Uint(number);
      json->Int(us).Int(span / 1000);
      json->Uint(index(CallsOf(commands, entry), &calls, &names[1]));
      json->Uint(index(place(entry.site), &places, &names[2])).Uint(entry.count).EndArray();
    }
  }
  json->EndArray();
  constexpr const char* kNames[] = {"queues", "calls", "places"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    json->Key(kNames[i]).BeginArray();
    for (const std::string* name : names[i]) json->String(*name);
    json->EndArray();
  }
  if (waits.size() > kMostCommands) waits.resize(kMostCommands);
  json->Key("waits").BeginArray();
  for (const int64_t us : waits) json->Int(us);
  json->EndArray().Field("cut", cut).EndObject();
}

void AppendExcerpt(const SourceExcerpt& excerpt, JsonWriter* json) {
  if (excerpt.frame < 0) {
    json->Raw("null");
    return;
  }
  json->BeginObject().Field("frame", excerpt.frame).Field("first", excerpt.first_line);
  json->Field("marked", uint64_t{excerpt.marked}).Field("caret", excerpt.caret);
  json->Key("lines").BeginArray();
  for (const std::string& line : excerpt.lines) json->String(line);
  json->EndArray().EndObject();
}

// What the page shows of a finding beside its members: the lines of source of its call site and of
// its parties, where the place is, the numbers of its handles, and a suppression for it.
void AppendMore(const ReadFinding& finding, const std::string& root, bool sources,
                JsonWriter* json) {
  const TextFinding& text = finding.text;
  const TextFrame* frame = ProgramFrame(text.frames);
  json->BeginObject().Field("place", LongLocation(text.frames, root.substr(0, root.size() - 1)));
  json->Field("source", frame != nullptr && frame->line > 0
                            ? RelativeTo(root, frame->file)
                            : std::string(frame != nullptr ? BaseName(frame->module) : ""));
  json->Field("suppression", SuppressionFor(text)).Key("handles").BeginArray();
  for (const NumberedHandle& one : text.handles)
    json->String(one.kind + " " + one.number + " is " + one.address);
  json->EndArray();
  if (sources) {
    json->Key("excerpts").BeginArray();
    AppendExcerpt(text.excerpt, json);
    for (const TextParty& party : text.parties) AppendExcerpt(party.excerpt, json);
    json->EndArray();
  }
  json->EndObject();
}

void AppendProcess(Collector* collector, const TableProcess& process, Stacks* stacks,
                   std::vector<TopSite>* top, size_t* commands_left, JsonWriter* json) {
  const ReadProcess& read = process.read;
  const std::string program(BaseName(read.exe));
  json->BeginObject().Field("program", program.empty() ? "unknown" : program);
  json->Field("host", read.host).Field("rank", read.rank).Field("pid", read.pid);
  json->Field("ended", read.ended).Field("reason", read.reason).Field("gpusan", read.gpusan);
  json->Field("start_ms", read.start_ns / 1000000).Field("end_ms", read.last_ns / 1000000);
  json->Key("arguments").BeginArray();
  for (const std::string& argument : read.arguments) json->String(argument);
  json->EndArray();
  AppendFigures("calls", read.calls, json);
  AppendLedger(read.ledger, json);
  Series series = SeriesOf(collector, process, stacks, top);
  json->Key("times").BeginArray();
  for (const int64_t time : series.times_ms) json->Int(time);
  json->EndArray().Key("series").BeginObject();
  for (auto& [name, lines] : series.figures) {
    json->Key(name).BeginObject();
    for (size_t figure = 0; figure < kFigures.size(); ++figure) {
      if (lines[figure].empty()) continue;
      lines[figure].resize(series.times_ms.size());
      json->Key(kFigures[figure]).BeginArray();
      for (const uint64_t value : lines[figure]) json->Uint(value);
      json->EndArray();
    }
    json->EndObject();
  }
  json->EndObject().Key("flames").BeginArray();
  for (const Flame& flame : series.flames) {
    json->BeginObject().Field("ms", flame.time_ms).Key("sites").BeginArray();
    for (const auto& site : flame.sites) {
      json->BeginArray();
      for (const uint64_t number : site) json->Uint(number);
      json->EndArray();
    }
    json->EndArray().EndObject();
  }
  json->EndArray();
  AppendRunTimeline(collector, process, commands_left, json);
  json->EndObject();
}

}  // namespace

std::string WriteHtml(Collector* collector, Output* output) {
  const FindingTable& table = collector->table();
  const std::string_view page = kPage;
  constexpr std::string_view kMark = "@DATA@";
  const size_t mark = page.find(kMark);
  output->Write(page.substr(0, mark));
  JsonWriter json;
  std::vector<TopSite> top;
  Stacks stacks;
  size_t commands_left = kMostCommands;
  const std::string root = SourceRoot(collector->options());
  json.BeginObject().Field("gpusan", kVersionText).Key("processes").BeginArray();
  for (const TableProcess& process : table.processes()) {
    AppendProcess(collector, process, &stacks, &top, &commands_left, &json);
    output->Write(Escaped(json.TakePart()));
  }
  std::sort(top.begin(), top.end(), [](const TopSite& a, const TopSite& b) {
    return a.site.live_bytes > b.site.live_bytes;
  });
  if (top.size() > kMostSites) top.resize(kMostSites);
  json.EndArray();
  stacks.Append(&json);
  json.Key("sites").BeginArray();
  for (const TopSite& one : top) {
    json.BeginObject().Field("api", one.site.api).Field("live_bytes", one.site.live_bytes);
    json.Field("live_count", one.site.live_count);
    AppendSymbolFrames(one.site.text_frames, ReadFinding(), &json);
    json.EndObject();
  }
  json.EndArray().Key("findings").BeginArray();
  const std::vector<uint32_t> ranked = table.Ranked();
  const size_t count = std::min(ranked.size(), kMostFindings);
  TimelineView view(collector);
  JsonWriter timelines, more;
  timelines.BeginArray();
  more.BeginArray();
  for (size_t i = 0; i < count; ++i) {
    ReadFinding finding;
    if (!collector->Example(table.groups()[ranked[i]], &finding)) continue;
    AppendGroup(collector, table.groups()[ranked[i]], finding, &json);
    output->Write(Escaped(json.TakePart()));
    if (i < kMostTimelines) {
      view.Append(table.groups()[ranked[i]], finding, &timelines);
      collector->AddExcerpts(&finding);
    }
    AppendMore(finding, root, i < kMostTimelines, &more);
  }
  timelines.EndArray();
  more.EndArray();
  const uint64_t left_out = ranked.size() - count;
  json.EndArray().Key("timelines").Raw(timelines.TakePart());
  json.Key("more").Raw(more.TakePart());
  json.Field("left_out", left_out).EndObject();
  output->Write(Escaped(json.TakePart()));
  output->Write(page.substr(mark + kMark.size()));
  if (left_out == 0) return "";
  return "left " + CountText(left_out, "finding", "findings") +
         " out of the page, the least severe";
}

}  // namespace gpusan
