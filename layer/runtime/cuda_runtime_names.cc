// Makes CUDA findings name the call that the program made.
#include "layer/runtime/cuda_runtime_names.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string>
#include <utility>

#include "hooks/common/sites/site.h"
#include "report/text/gpu_drivers.h"
#include "report/text/runtime_calls.h"

namespace gpusan {
namespace {

// Returns the address at which the file is loaded; 0 if it was unloaded.
uintptr_t BaseOf(const char* path) {
  struct Search {
    const char* path;
    uintptr_t base;
  } search{path, 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* search = static_cast<Search*>(data);
        if (info->dlpi_name == nullptr || std::strcmp(info->dlpi_name, search->path) != 0) return 0;
        search->base = info->dlpi_addr;
        return 1;
      },
      &search);
  return search.base;
}

// Returns the runtime function that the program called at the call site; empty if there is none.
std::string RuntimeCallAt(SiteId site) {
  SiteFrame frames[kMaxSiteFrames];
  const int count = SiteFrames(site, frames, kMaxSiteFrames);
  const SiteFrame* entry = nullptr;
  const SiteModule* module = nullptr;
  for (int i = 0; i < count; ++i) {
    const SiteModule* of = SiteModuleById(frames[i].module);
    if (of == nullptr) break;
    if (entry == nullptr && IsBelowCalls(of->path)) continue;
    if (!IsRuntimeOf(Api::kCuda, of->path)) break;
    entry = &frames[i];
    module = of;
  }
  if (entry == nullptr) return "";
  const uintptr_t base = BaseOf(module->path);
  Dl_info symbol;
  if (base == 0 || dladdr(reinterpret_cast<void*>(base + entry->offset - 1), &symbol) == 0 ||
      symbol.dli_sname == nullptr) {
    return "";
  }
  return RuntimeCall(symbol.dli_sname);
}

// Whether the call is one of the driver, by its name: cuMemAlloc_v2, not cublasCreate_v2.
bool IsDriverCall(const std::string& call) {
  return call.size() > 2 && call.starts_with("cu") && call[2] >= 'A' && call[2] <= 'Z';
}

}  // namespace

void RuntimeNames::Report(Finding&& finding) {
  if (finding.api != Api::kCuda) return next_.Report(std::move(finding));
  const auto rename = [&](const std::string& driver, const std::string& runtime) {
    for (std::string* text : {&finding.what, &finding.why, &finding.fix})
      ReplaceWord(text, driver, runtime);
  };
  if (const std::string runtime = RuntimeCallAt(finding.site); !runtime.empty()) {
    rename(finding.call, runtime);
    finding.facts.push_back({"driver_call", finding.call});
    finding.call = runtime;
    NameRuntimeRemedies(&finding.fix);
    if (finding.rule == RuleId::kMismatchedFree) NameRuntimeRemedies(&finding.what);
    for (std::string* text : {&finding.what, &finding.why, &finding.fix})
      NameRuntimeArguments(runtime, text);
  }
  bool uses_runtime = false;
  for (Party& party : finding.parties) {
    const std::string runtime = RuntimeCallAt(party.site);
    const std::string driver = runtime.empty() ? "" : DriverCallIn(party.text);
    if (driver.empty()) continue;
    ReplaceWord(&party.text, driver, runtime);
    if (party.role == "pending-command")
      NamePendingCall(finding.call, driver, runtime, &finding.what, &finding.fix);
    rename(driver, runtime);
    uses_runtime = true;
  }
  // A call of a library says nothing about which of the two the program uses; the other calls do.
  if (uses_runtime && !IsDriverCall(finding.call)) NameRuntimeRemedies(&finding.fix);
  next_.Report(std::move(finding));
}

}  // namespace gpusan
