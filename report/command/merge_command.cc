// `gpusan merge`: merges record files into one file with one entry per finding.
#include <iostream>

#include "report/base/safe_write.h"
#include "report/base/time_text.h"
#include "report/command/command_line.h"
#include "report/command/commands.h"
#include "report/findings/collector.h"
#include "report/formats/formats.h"
#include "report/formats/output.h"
#include "report/options/flags.h"
#include "report/record/version.h"

namespace gpusan {
namespace {

constexpr char kUsage[] =
    "usage: gpusan merge [flags] -o FILE FILE|FOLDER...\n"
    "Writes the findings, samples and processes of record files, or of merged files, into one "
    "record file with symbols. Reports of the file need no binaries and are the same on every "
    "machine.\n"
    "Exit code: 70 if a file is unreadable or malformed. A process without an end record stays "
    "incomplete.\n";

std::string FindingLine(const FindingGroup& group, const ReadFinding& finding, uint64_t sequence) {
  JsonWriter json;
  json.BeginObject().Field("type", "finding").Field("seq", sequence);
  AppendFindingMembers(finding, /*symbols=*/true, &json);
  json.Field("fingerprint", KeyText(group.key)).Field("thread", finding.thread);
  json.Field("time_ns", group.first_ns).Field("count", group.count);
  json.Field("last_ns", group.last_ns).EndObject();
  return json.TakeLine();
}

std::string ProcessLine(const FindingTable& table, const TableProcess& process) {
  const ReadProcess& read = process.read;
  JsonWriter json;
  json.BeginObject().Field("type", "process").Field("version", 1).Field("gpusan", read.gpusan);
  json.Field("pid", read.pid).Field("ppid", read.ppid).Field("exe", read.exe);
  json.Key("argv").BeginArray();
  for (const std::string& argument : read.arguments) json.String(argument);
  json.EndArray().Field("host", read.host).Field("rank", read.rank);
  json.Field("start_ns", read.start_ns).Key("options").BeginObject();
  for (const auto& [name, value] : read.options) json.Field(name, value);
  json.EndObject().Key("doors").BeginArray();
  for (const std::string& path : read.attach_paths) json.String(path);
  json.EndArray();
  if (!read.settings.empty()) json.Field("settings", read.settings);
  json.Field("record_bytes", read.record_bytes).Key("findings").BeginObject();
  for (const auto& [group, count] : process.found)
    json.Field(KeyText(table.groups()[group].key), count);
  json.EndObject().EndObject();
  return json.TakeLine();
}

std::string SiteLine(uint32_t id, const std::vector<TextFrame>& frames) {
  JsonWriter json;
  json.BeginObject().Field("type", "site").Field("id", uint64_t{id});
  AppendSymbolFrames(frames, ReadFinding(), &json);
  json.EndObject();
  return json.TakeLine();
}

std::string SampleLine(const ReadSample& sample) {
  JsonWriter json;
  json.BeginObject().Field("type", "sample").Field("time_ns", sample.time_ns);
  AppendLedger(sample.ledger, &json);
  if (!sample.calls.empty()) AppendFigures("calls", sample.calls, &json);
  if (!sample.sites.empty()) {
    json.Key("sites").BeginArray();
    for (const ReadSample::Site& site : sample.sites) {
      json.BeginObject().Field("api", site.api);
      if (site.id != 0) {
        json.Field("id", uint64_t{site.id});
      } else {
        AppendSymbolFrames(site.text_frames, ReadFinding(), &json);
      }
      json.Field("live_bytes", site.live_bytes).Field("live_count", site.live_count).EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
  return json.TakeLine();
}

std::string EndLines(const ReadProcess& process) {
  std::string lines;
  for (const std::string& text : process.warnings) {
    JsonWriter json;
    json.BeginObject().Field("type", "warning").Field("text", text);
    json.Field("time_ns", process.last_ns).EndObject();
    lines += json.TakeLine();
  }
  if (!process.ended) return lines;
  JsonWriter json;
  json.BeginObject().Field("type", "end").Field("reason", process.reason);
  json.Field("time_ns", process.last_ns).Key("findings").BeginObject().EndObject();
  AppendFigures("dropped", process.dropped, &json);
  AppendFigures("calls", process.calls, &json);
  AppendLedger(process.ledger, &json);
  if (!process.overhead.empty()) AppendFigures("overhead", process.overhead, &json);
  json.EndObject();
  return lines + json.TakeLine();
}

void WriteMerged(Collector* collector, Output* output) {
  const FindingTable& table = collector->table();
  uint64_t processes = 0;
  for (const TableProcess& process : table.processes()) processes += process.read.seen ? 1 : 0;
  JsonWriter json;
  json.BeginObject().Field("type", "merge").Field("version", 1).Field("gpusan", kVersionText);
  json.Field("files", uint64_t{collector->files()}).Field("processes", processes);
  json.Field("time_ns", NowNs()).EndObject();
  output->Write(json.TakeLine());
  uint64_t sequence = 0;
  for (const uint32_t index : table.Ranked()) {
    const FindingGroup& group = table.groups()[index];
    ReadFinding finding;
    if (collector->Example(group, &finding)) output->Write(FindingLine(group, finding, ++sequence));
  }
  for (const TableProcess& process : table.processes()) {
    if (!process.read.seen) continue;
    output->Write(ProcessLine(table, process));
    if (process.read.sites != nullptr) {
      for (const auto& [id, site] : *process.read.sites)
        output->Write(SiteLine(id, collector->SymbolsOf(process, site)));
    }
    for (const uint64_t offset : process.samples) {
      ReadSample sample;
      if (collector->Sample(process, offset, &sample)) output->Write(SampleLine(sample));
    }
    for (const CommandsPlace& commands : process.commands)
      output->Write(std::string(collector->RecordLine(process, commands.offset)) + "\n");
    output->Write(EndLines(process.read));
  }
}

}  // namespace

int MergeCommand(const std::vector<std::string>& words) {
  const ParsedFlags flags = ParseFlags(words, "merge", /*stop_at_argument=*/false);
  int done = 0;
  if (DoneByFlags(flags, "merge", kUsage, &done)) return done;
  if (flags.arguments.empty()) return Complain("no record file named; see 'gpusan merge --help'");
  Output output;
  if (const std::string complaint = output.Open(flags.options().output); !complaint.empty())
    return Complain("--output: " + complaint);
  Options options = flags.options();
  options.fail_on = "never";  // reports of the merged file decide
  Collector collector(options, Suppressions(), -1);
  collector.ReadAll(flags.arguments);
  WriteMerged(&collector, &output);
  if (const std::string complaint = output.Commit(); !complaint.empty())
    collector.Trouble("cannot write " + complaint);
  if (!options.quiet) WriteToStderr(collector.Summary());
  return collector.ExitCode();
}

}  // namespace gpusan
