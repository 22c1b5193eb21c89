// The formats of `gpusan report`: write the content of a Collector for people or machines. Not
// thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "report/findings/collector.h"
#include "report/formats/output.h"
#include "report/text/json_writer.h"

namespace gpusan {

// Each function streams its format: it reads findings again from their files one by one, most
// severe first. Returns an empty string, or one line for the user about omitted results.
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

// Appends the members of `finding` in the order of the record: rule to facts. With `symbols`, adds
// frames as in merged records to each call site.
void AppendFindingMembers(const ReadFinding& finding, bool symbols, JsonWriter* json);

// Appends an object for a group and its example: fingerprint, counts, state, members.
void AppendGroup(Collector* collector, const FindingGroup& group, const ReadFinding& finding,
                 JsonWriter* json);

// Appends "frames":[...] as in merged records.
void AppendSymbolFrames(const std::vector<TextFrame>& frames, const ReadFinding& finding,
                        JsonWriter* json);

// Appends "key":{...} with one member per figure.
void AppendFigures(const char* key, const Figures& figures, JsonWriter* json);

// Appends "ledger":{...} with the figures of each kind of memory.
void AppendLedger(const LedgerFigures& ledger, JsonWriter* json);

// The folder that source files are shown relative to: --source-root, else the current folder. Ends
// with '/'.
std::string SourceRoot(const Options& options);

// `path` relative to `root` if it is below `root`, else unchanged.
std::string RelativeTo(const std::string& root, const std::string& path);

}  // namespace gpusan
