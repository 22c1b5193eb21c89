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
constexpr size_t kMostTimelines = 1000;  // of the most severe findings

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

struct Series {
  std::vector<int64_t> times_ms;  // since the process began
  std::map<std::string, std::array<std::vector<uint64_t>, kFigures.size()>> figures;
};

uint64_t LiveBytes(const ReadSample& sample) {
  uint64_t sum = 0;
  for (const ReadSample::Site& site : sample.sites) sum += site.live_bytes;
  return sum;
}

// The call sites of the sample with the most memory, over all processes.
struct TopSite {
  std::string key;
  ReadSample::Site site;
};

// Each point is the maximum of several samples, so that there are at most kMostPoints.
Series SeriesOf(Collector* collector, const TableProcess& process, std::vector<TopSite>* top) {
  Series series;
  const size_t step = process.samples.size() / kMostPoints + 1;
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
    if (LiveBytes(sample) >= LiveBytes(fullest)) fullest = std::move(sample);
  }
  for (ReadSample::Site& site : fullest.sites) {
    std::string key = site.api;
    for (const TextFrame& frame : site.text_frames) key += "\n" + FormatFrame(0, frame, {});
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

void AppendProcess(Collector* collector, const TableProcess& process, std::vector<TopSite>* top,
                   JsonWriter* json) {
  const ReadProcess& read = process.read;
  const std::string program(BaseName(read.exe));
  json->BeginObject().Field("program", program.empty() ? "unknown" : program);
  json->Field("host", read.host).Field("rank", read.rank).Field("pid", read.pid);
  json->Field("ended", read.ended).Field("reason", read.reason);
  AppendFigures("calls", read.calls, json);
  AppendLedger(read.ledger, json);
  Series series = SeriesOf(collector, process, top);
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
  json->EndObject().EndObject();
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
  json.BeginObject().Field("gpusan", kVersionText).Key("processes").BeginArray();
  for (const TableProcess& process : table.processes()) {
    AppendProcess(collector, process, &top, &json);
    output->Write(Escaped(json.TakePart()));
  }
  std::sort(top.begin(), top.end(), [](const TopSite& a, const TopSite& b) {
    return a.site.live_bytes > b.site.live_bytes;
  });
  if (top.size() > kMostSites) top.resize(kMostSites);
  json.EndArray().Key("sites").BeginArray();
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
  JsonWriter timelines;
  timelines.BeginArray();
  for (size_t i = 0; i < count; ++i) {
    ReadFinding finding;
    if (!collector->Example(table.groups()[ranked[i]], &finding)) continue;
    AppendGroup(collector, table.groups()[ranked[i]], finding, &json);
    output->Write(Escaped(json.TakePart()));
    if (i < kMostTimelines) view.Append(table.groups()[ranked[i]], finding, &timelines);
  }
  timelines.EndArray();
  const uint64_t left_out = ranked.size() - count;
  json.EndArray().Key("timelines").Raw(timelines.TakePart());
  json.Field("left_out", left_out).EndObject();
  output->Write(Escaped(json.TakePart()));
  output->Write(page.substr(mark + kMark.size()));
  if (left_out == 0) return "";
  return "left " + CountText(left_out, "finding", "findings") +
         " out of the page, the least severe";
}

}  // namespace gpusan
