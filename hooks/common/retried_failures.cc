// Failed calls that the program repeated with success.
#include "hooks/common/retried_failures.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/common/base/process_state.h"
#include "hooks/common/sites/same_caller.h"
#include "hooks/common/sites/site.h"
#include "tracker/base/slab.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

constexpr size_t kMostKept = 16;
// Successful calls after which no further attempt is expected: of the function, and of any
// function.
constexpr uint32_t kMostLater = 64;
constexpr uint32_t kMostCalls = 4096;

struct Kept {
  unsigned thread = 0;  // ThreadShard
  uint32_t later = 0;   // successful calls of the function since
  std::string_view function;
  SiteId site = kUnknownSite;
  Finding finding;
};

struct State {
  SpinLock lock;
  std::vector<Kept> kept;
  uint32_t calls = 0;  // that succeeded since a failure was kept
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] {
  g_state.Forget();
  retried_failures_internal::any.store(false, std::memory_order_relaxed);
});

bool MayBeProbe(std::string_view function) {
  static constexpr std::string_view kWords[] = {
      "Create", "Attribute",  "Get",    "Load",     "Limit",  "Build",      "Compile",
      "Link",   "PeerAccess", "Config", "Register", "Import", "SetProperty"};
  if (function.starts_with("clEnqueue")) return false;
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return function.find(word) != function.npos; });
}

bool SameFunction(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

}  // namespace

constinit std::atomic<bool> retried_failures_internal::any{false};

void KeepFailure(Call& call, const Finding& finding) {
  if (finding.what.empty() || finding.severity == Severity::kNote || !MayBeProbe(call.info().name))
    return;
  const SiteId site = call.site();
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  state.calls = 0;
  if (state.kept.size() >= kMostKept) state.kept.erase(state.kept.begin());
  state.kept.push_back({ThreadShard(), 0, call.info().name, site, finding});
  retried_failures_internal::any.store(true, std::memory_order_relaxed);
}

void Succeeded(Call& call) {
  const unsigned thread = ThreadShard();
  const std::string_view function = call.info().name;
  const auto related = [&](const Kept& kept) {
    return kept.thread == thread && SameFunction(kept.function, function);
  };
  State& state = g_state.Get();
  {
    std::lock_guard lock(state.lock);
    if (++state.calls > kMostCalls) {
      state.kept.clear();
      retried_failures_internal::any.store(false, std::memory_order_relaxed);
    }
    if (std::none_of(state.kept.begin(), state.kept.end(), related)) return;
  }
  const SiteId site = call.site();  // the capture may take the loader's lock
  std::vector<Finding> notes;
  {
    std::lock_guard lock(state.lock);
    std::erase_if(state.kept, [&](Kept& kept) {
      if (!related(kept)) return false;
      if (!SameCaller(kept.site, site, true)) return ++kept.later >= kMostLater;
      notes.push_back(std::move(kept.finding));
      return true;
    });
    retried_failures_internal::any.store(!state.kept.empty(), std::memory_order_relaxed);
  }
  for (Finding& note : notes) {
    note.severity = Severity::kNote;
    note.refreshes = true;
    absl::StrAppend(&note.what, "; the program then called ", call.info().name, " with success");
    call.tracker().shadow().Report(std::move(note));
  }
}

}  // namespace gpusan
