// The formats of `gpusan report`: what a Collector holds, written for people or machines.
#pragma once

#include <string>
#include <string_view>

#include "report/findings/collector.h"
#include "report/formats/output.h"
#include "report/record/json_writer.h"

namespace gpusan {

// Each function streams its format: it reads findings again from their files one by one, most
// severe first. Returns an empty string, or one line that the user must know (what was left out).
// WriteText groups by fingerprint and leaves suppressed findings out; WriteJson follows
// manifests/report.schema.json; WriteSarif stays within GitHub's limits of 25,000 results and 10 MB
// compressed.
#define GPUSAN_FORMAT(name, media_type, function, doc) \
  std::string function(Collector* collector, Output* output);
#include "report/formats.def"
#undef GPUSAN_FORMAT

struct Format {
  const char* name;        // as a value of --format
  const char* media_type;  // of the whole file
  const char* doc;
  std::string (*write)(Collector* collector, Output* output);
};

// The row of report/formats.def with this name, or nullptr.
const Format* FindFormat(std::string_view name);

// The list of formats for --help, a line each.
std::string FormatHelp();

// Members of `finding` in the order of the record: rule to facts. With `symbols`, frames as in
// merged records beside each site.
void AppendFindingMembers(const ReadFinding& finding, bool symbols, JsonWriter* json);

// An object with what is known of a group and its example: fingerprint, counts, state, members.
void AppendGroup(Collector* collector, const FindingGroup& group, const ReadFinding& finding,
                 JsonWriter* json);

// "frames":[...] as in merged records.
void AppendSymbolFrames(const std::vector<TextFrame>& frames, const ReadFinding& finding,
                        JsonWriter* json);

// "key":{...} with a member a figure.
void AppendFigures(const char* key, const Figures& figures, JsonWriter* json);

// "ledger":{...} with the figures of each kind of memory.
void AppendLedger(const LedgerFigures& ledger, JsonWriter* json);

// The folder that files are shown relative to: --source-root, else the current one. With '/' at the
// end.
std::string SourceRoot(const Options& options);

// `path` below `root`, else as it is.
std::string RelativeTo(const std::string& root, const std::string& path);

}  // namespace gpusan
