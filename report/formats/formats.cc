// The helpers that formats share, and the format text.
#include "report/formats/formats.h"

#include <unistd.h>

#include <cstdlib>

#include "report/record/site_record.h"
#include "tracker/base/text_util.h"

namespace gpusan {

namespace {

constexpr Format kFormats[] = {
#define GPUSAN_FORMAT(name, media_type, function, doc) {#name, media_type, doc, function},
#include "report/formats.def"
#undef GPUSAN_FORMAT
};

}  // namespace

const Format* FindFormat(std::string_view name) {
  for (const Format& format : kFormats) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

std::string FormatHelp() {
  std::string text;
  for (const Format& format : kFormats) {
    std::string name = format.name;
    name.resize(10, ' ');
    text += "  " + name + format.doc + " (" + format.media_type + ")\n";
  }
  return text;
}

std::string WriteText(Collector* collector, Output* output) {
  const Options& options = collector->options();
  FindingPrinter printer(options, options.output.empty() ? STDOUT_FILENO : -1);
  for (const uint32_t index : collector->table().Ranked()) {
    const FindingGroup& group = collector->table().groups()[index];
    ReadFinding finding;
    if (group.suppression != 0 || !collector->Example(group, &finding)) continue;
    if (collector->baseline() != nullptr) {
      finding.text.seen = (group.in_baseline ? "in the baseline too" : "new") +
                          (finding.text.seen.empty() ? "" : "; " + finding.text.seen);
    }
    collector->AddExcerpts(&finding);
    output->Write(printer.Next(finding.text));
  }
  return printer.LeftOutText();
}

void AppendSymbolFrames(const std::vector<TextFrame>& frames, const ReadFinding& finding,
                        JsonWriter* json) {
  json->Key("frames").BeginArray();
  for (const TextFrame& frame : frames) {
    json->BeginObject();
    if (!frame.function.empty()) json->Field("function", frame.function);
    if (frame.function_offset != 0) json->Field("function_offset", frame.function_offset);
    if (frame.function_line > 0) json->Field("function_line", frame.function_line);
    if (!frame.file.empty()) json->Field("file", frame.file);
    if (frame.line > 0) json->Field("line", frame.line);
    if (frame.column > 0) json->Field("column", frame.column);
    if (!frame.language.empty()) json->Field("language", frame.language);
    if (!frame.module.empty()) json->Field("module", frame.module);
    const auto build_id = finding.build_ids.find(frame.module);
    if (build_id != finding.build_ids.end() && !build_id->second.empty())
      json->Field("build_id", build_id->second);
    if (!frame.IsInterpreted()) json->Field("offset", frame.offset);
    if (frame.inlined) json->Field("inlined", true);
    json->EndObject();
  }
  json->EndArray();
}

void AppendFindingMembers(const ReadFinding& finding, bool symbols, JsonWriter* json) {
  const TextFinding& text = finding.text;
  const auto site = [&](const std::vector<RecordFrame>& recorded,
                        const std::vector<TextFrame>& frames) {
    if (!symbols) {
      AppendSite(recorded, json);
    } else {
      AppendSymbolFrames(frames, finding, json);
    }
  };
  json->Field("rule", text.rule).Field("severity", SeverityName(text.severity));
  json->Field("api", finding.api).Field("call", text.call);
  if (text.has_code) json->Field("code", text.code).Field("code_name", text.code_name);
  json->Field("what", text.what).Field("why", text.why).Field("fix", text.fix);
  site(finding.frames, text.frames);
  json->Key("parties").BeginArray();
  for (size_t i = 0; i < text.parties.size(); ++i) {
    const TextParty& party = text.parties[i];
    json->BeginObject().Field("role", party.role).Field("text", party.text);
    site(finding.party_frames[i], party.frames);
    json->EndObject();
  }
  json->EndArray().Key("resources").BeginArray();
  for (const FindingResource& resource : text.resources) {
    json->BeginObject().Field("kind", resource.kind).Field("handle", Hex(resource.handle));
    json->Field("bytes", resource.bytes).Field("label", resource.label).EndObject();
  }
  json->EndArray().Key("facts").BeginObject();
  for (size_t i = 0; i < text.facts.size(); ++i) {
    json->Key(text.facts[i].first);
    // Facts that were added when calls were renamed are text.
    if (i < finding.fact_is_number.size() && finding.fact_is_number[i]) {
      json->Raw(text.facts[i].second);
    } else {
      json->String(text.facts[i].second);
    }
  }
  json->EndObject();
}

void AppendFigures(const char* key, const Figures& figures, JsonWriter* json) {
  json->Key(key).BeginObject();
  for (const auto& [name, figure] : figures) json->Field(name, figure);
  json->EndObject();
}

void AppendLedger(const LedgerFigures& ledger, JsonWriter* json) {
  json->Key("ledger").BeginObject();
  for (const auto& [name, figures] : ledger) AppendFigures(name.c_str(), figures, json);
  json->EndObject();
}

std::string SourceRoot(const Options& options) {
  std::string root = options.source_root;
  char folder[4096];
  if (char* real = root.empty() ? nullptr : realpath(root.c_str(), nullptr); real != nullptr) {
    root = real;
    free(real);
  } else if (root.empty() && getcwd(folder, sizeof(folder)) != nullptr) {
    root = folder;
  }
  if (root.empty() || root.back() != '/') root += '/';
  return root;
}

std::string RelativeTo(const std::string& root, const std::string& path) {
  if (path.size() > root.size() && path.compare(0, root.size(), root) == 0)
    return path.substr(root.size());
  return path;
}

}  // namespace gpusan
