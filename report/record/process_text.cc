// Frames by dladdr.
#include "report/record/process_text.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <memory>

#include "report/record/record_name.h"
#include "report/record/site_record.h"
#include "report/text/handle_numbers.h"

namespace gpusan {
namespace {

struct LoadSearch {
  std::string_view path;
  std::string executable;
  uintptr_t bias = 0;
  bool found = false;
};

int MatchLoaded(dl_phdr_info* info, size_t, void* data) {
  auto* search = static_cast<LoadSearch*>(data);
  // Both branches are views. A branch of std::string would make the other one a temporary string.
  const std::string_view name = info->dlpi_name[0] != '\0' ? std::string_view(info->dlpi_name)
                                                           : std::string_view(search->executable);
  if (name != search->path) return 0;
  search->bias = info->dlpi_addr;
  search->found = true;
  return 1;
}

std::string Demangle(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 && name != nullptr ? name.get() : symbol;
}

void Resolve(uintptr_t return_address, TextFrame* frame) {
  // The call lies before its return address, which may already belong to the next function.
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(return_address - 1), &info) == 0 || info.dli_sname == nullptr)
    return;
  frame->function = Demangle(info.dli_sname);
  frame->function_offset = return_address - reinterpret_cast<uintptr_t>(info.dli_saddr);
}

std::vector<TextFrame> Frames(SiteId site, const FrameSource* source) {
  std::vector<TextFrame> shown;
  if (source == nullptr || site == kUnknownSite) return shown;
  RecordFrame frames[kMaxRecordFrames];
  const int count = source->Frames(site, frames, kMaxRecordFrames);
  for (int i = 0; i < count; ++i) {
    TextFrame& frame = shown.emplace_back();
    frame.offset = frames[i].offset;
    RecordModule module;
    if (!source->Module(frames[i].module, &module)) {
      Resolve(frames[i].offset, &frame);
      continue;
    }
    if (!module.function.empty()) {
      frame = SourceTextFrame(module, frames[i].offset);
      continue;
    }
    frame.module = module.path;
    LoadSearch search;
    search.path = module.path;
    search.executable = ExecutablePath();
    dl_iterate_phdr(MatchLoaded, &search);
    if (search.found) Resolve(search.bias + frames[i].offset, &frame);
  }
  return shown;
}

std::string FactText(const Fact& fact) {
  if (const auto* number = std::get_if<int64_t>(&fact.value)) return std::to_string(*number);
  if (const auto* number = std::get_if<uint64_t>(&fact.value)) return std::to_string(*number);
  return std::get<std::string>(fact.value);
}

// "pid 77"; of a rank other than 0 "rank 3, pid 77". Other processes may write to the same
// terminal.
std::string ProcessText() {
  const RecordNameParts parts = CurrentRecordNameParts();
  const std::string pid = "pid " + std::to_string(parts.pid);
  return parts.rank.empty() || parts.rank == "0" ? pid : "rank " + parts.rank + ", " + pid;
}

}  // namespace

TextFinding DescribeInProcess(const Finding& finding, const FrameSource* frames) {
  TextFinding text;
  text.severity = finding.severity;
  text.rule = InfoOf(finding.rule).id;
  text.call = finding.call;
  text.has_code = finding.has_code;
  text.code = finding.code;
  text.code_name = finding.code_name;
  text.what = finding.what;
  text.why = finding.why;
  text.fix = finding.fix;
  text.process = ProcessText();
  text.frames = Frames(finding.site, frames);
  for (const Party& party : finding.parties) {
    text.parties.push_back({party.role, party.text, Frames(party.site, frames)});
  }
  text.resources = finding.resources;
  for (const Fact& fact : finding.facts) text.facts.emplace_back(fact.key, FactText(fact));
  NumberHandles(&text);
  return text;
}

}  // namespace gpusan
