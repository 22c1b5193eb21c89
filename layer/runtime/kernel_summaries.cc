// The service for summaries of kernels.
#include "layer/runtime/kernel_summaries.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "hooks/common/kernel_summaries.h"
#include "layer/runtime/runtime.h"
#include "report/base/privileges.h"
#include "report/record/summary_cache.h"
#include "report/record/summary_service.h"
#include "tracker/model/kernel_summary.h"
#ifdef GPUSAN_CUDA
#include "hooks/cuda/summaries/opencl_summaries.h"
#endif

namespace gpusan {
namespace {

// Longer than the command gives the compiler, even if it has other requests to serve.
constexpr int kPatienceMs = 600 * 1000;

constinit std::atomic<uint64_t> g_missing{0};

// The socket of the command; empty: the process runs without the command. Read once, because the
// program may change its environment.
const std::string& ServicePath() {
  static const std::string* const path = [] {
    const char* value = std::getenv(kSummaryServiceVariable);
    return new std::string(value != nullptr ? value : "");
  }();
  return *path;
}

const SummaryCache& Cache() {
  static const SummaryCache* const cache =
      new SummaryCache(Runtime::Get().options().kernel_cache ? SummaryCache::DefaultFolder() : "");
  return *cache;
}

bool Load(std::string_view kind, int version, std::string_view code, std::string* summaries) {
  return Cache().Load(SummaryCache::KeyOf(kind, version, code), summaries);
}

void Store(std::string_view kind, int version, std::string_view code, std::string_view summaries) {
  Cache().Store(SummaryCache::KeyOf(kind, version, code), summaries);
}

bool OpenCl(const ProgramText& text, std::string* summaries) {
  OpenClProgram program;
  program.source = text.source;
  program.options = text.options;
  program.headers = text.headers;
  program.extensions = text.extensions;
  program.device_version = text.device_version;
  program.language = text.language;
  if (ServicePath().empty()) {
    // The first line names the compiler.
    std::string entry;
    if (!Load(kOpenClCode, kSummaryVersion, EncodeProgram(program, false), &entry)) return false;
    const size_t line = entry.find('\n');
    if (line == std::string::npos) return false;
    *summaries = entry.substr(line + 1);
    return true;
  }
  if (g_missing.load(std::memory_order_relaxed) != 0) {
    g_missing.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  char folder[4096];
  if (getcwd(folder, sizeof(folder)) != nullptr) program.working_folder = folder;
  switch (
      QuerySummaryService(ServicePath(), EncodeProgram(program, true), kPatienceMs, summaries)) {
    case SummaryStatus::kSummaries:
      return true;
    case SummaryStatus::kNoService:
      g_missing.fetch_add(1, std::memory_order_relaxed);
      return false;
    case SummaryStatus::kNoCompiler:
    case SummaryStatus::kUnknown:
      return false;
  }
  return false;
}

#ifdef GPUSAN_CUDA
constexpr auto kPtx = [](std::string_view text, std::vector<KernelSummary>* kernels) {
  *kernels = cuda::SummariesOfPtx(text);
};
#else
constexpr auto kPtx = nullptr;
#endif
constexpr KernelSummaryService kService = {OpenCl, Load, Store, kPtx};

}  // namespace

void InstallKernelSummaries() {
  if (RunsWithRaisedPrivileges() || !Runtime::Get().options().kernel_analysis) return;
  ServicePath();
  kernel_summary_service.store(&kService, std::memory_order_release);
}

uint64_t KernelSummariesMissing() { return g_missing.load(std::memory_order_relaxed); }

}  // namespace gpusan
