// The forms of `gpusan report`: what was collected, written for people or machines.
//
// Each streams: findings are read again from their files one by one, most severe first. Each
// returns an empty string, or a line that the user must know (what was left out).
#pragma once

#include <functional>
#include <string>

#include "report/findings/collector.h"
#include "report/formats/output.h"
#include "report/record/json_writer.h"

namespace gpusan {

// Grouped by fingerprint, as FormatFinding has it, without those that are suppressed.
std::string WriteText(Collector* collector, Output* output);

// One JSON document, manifests/report.schema.json.
std::string WriteJson(Collector* collector, Output* output);

// SARIF 2.1.0 within what GitHub takes: 25,000 results and 10 MB when compressed.
std::string WriteSarif(Collector* collector, Output* output);

// JUnit XML: a suite a program and rank, a case a check that was on.
std::string WriteJunit(Collector* collector, Output* output);

// OpenMetrics text.
std::string WriteMetrics(Collector* collector, Output* output);

// One HTML file that needs no other.
std::string WriteHtml(Collector* collector, Output* output);

// Trace events in JSON, as Perfetto and chrome://tracing read them.
std::string WriteTrace(Collector* collector, Output* output);

// The form of that name; empty: there is none.
std::function<std::string(Collector*, Output*)> FormatNamed(const std::string& name);

// Members of `finding` in the order of the record: rule to facts. With `symbols`, frames as in
// merged records beside each site.
void AppendFindingMembers(const ReadFinding& finding, bool symbols, JsonWriter* json);

// An object with what is known of a group and its example: fingerprint, counts, state, members.
void AppendGroup(Collector* collector, const FindingGroup& group, const ReadFinding& finding,
                 JsonWriter* json);

// "frames":[...] as in merged records.
void AppendSymbolFrames(const std::vector<TextFrame>& frames, const ReadFinding& finding,
                        JsonWriter* json);

// The folder that files are shown relative to: --source-root, else the current one. With '/' at the
// end.
std::string SourceRoot(const Options& options);

// `path` below `root`, else as it is.
std::string RelativeTo(const std::string& root, const std::string& path);

// "2026-11-21T09:00:00.000Z".
std::string IsoTime(int64_t time_ns);

}  // namespace gpusan
