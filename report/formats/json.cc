// The format json, for scripts.
#include "report/formats/formats.h"
#include "report/record/version.h"

namespace gpusan {
namespace {

void AppendProcess(const ReadProcess& process, JsonWriter* json) {
  json->BeginObject().Field("file", process.file).Field("pid", process.pid);
  json->Field("exe", process.exe).Field("host", process.host).Field("rank", process.rank);
  json->Field("start_ns", process.start_ns).Field("last_ns", process.last_ns);
  json->Field("ended", process.ended).Field("reason", process.reason);
  AppendFigures("calls", process.calls, json);
  AppendFigures("dropped", process.dropped, json);
  AppendLedger(process.ledger, json);
  json->EndObject();
}

void AppendState(const FindingGroup& group, Collector* collector, JsonWriter* json) {
  json->Field("count", group.count).Field("processes", uint64_t{group.processes});
  json->Field("first_ns", group.first_ns).Field("last_ns", group.last_ns);
  json->Key("seen_in").BeginArray();
  for (const uint32_t index : group.seen_in) {
    if (index != kNoIndex) json->Uint(index);
  }
  json->EndArray();
  if (collector->baseline() != nullptr) json->Field("new", !group.in_baseline);
  json->Field("suppressed", group.suppression != 0);
  if (group.suppression != 0) {
    const Suppression& line = collector->suppressions().lines()[group.suppression - 1u];
    json->Key("suppression").BeginObject().Field("file", line.file).Field("line", line.line);
    json->Field("reason", line.reason).EndObject();
  }
}

}  // namespace

void AppendGroup(Collector* collector, const FindingGroup& group, const ReadFinding& finding,
                 JsonWriter* json) {
  json->BeginObject().Field("fingerprint", KeyText(group.key));
  json->Field("location", ShortLocation(finding.text.frames));
  AppendState(group, collector, json);
  AppendFindingMembers(finding, /*symbols=*/true, json);
  json->EndObject();
}

std::string WriteJson(Collector* collector, Output* output) {
  const FindingTable& table = collector->table();
  JsonWriter json;
  json.BeginObject().Field("version", 1).Field("gpusan", kVersionText);
  json.Key("processes").BeginArray();
  for (const TableProcess& process : table.processes()) {
    AppendProcess(process.read, &json);
    output->Write(json.TakePart());
  }
  json.EndArray().Key("incomplete").BeginArray();
  for (const std::string& line : collector->incomplete()) json.String(line);
  json.EndArray().Key("findings").BeginArray();
  for (const uint32_t index : table.Ranked()) {
    const FindingGroup& group = table.groups()[index];
    ReadFinding finding;
    if (!collector->Example(group, &finding)) continue;
    AppendGroup(collector, group, finding, &json);
    output->Write(json.TakePart());
  }
  json.EndArray().EndObject();
  output->Write(json.TakeLine());
  return "";
}

}  // namespace gpusan
