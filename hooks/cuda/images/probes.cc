// Failed loads and look-ups that may be deliberate probes.
#include "hooks/cuda/images/probes.h"

#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/common/sites/same_caller.h"
#include "hooks/common/sites/site.h"
#include "tracker/base/slab.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxTries = 64;

struct Try {
  SiteId site = kUnknownSite;
  unsigned thread = 0;  // ThreadShard
  const void* result = nullptr;
  Finding finding;
  bool answered = false;  // the finding has become a note
};

struct State {
  SpinLock lock;
  std::vector<Try> tries;  // a ring
  size_t next = 0;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });
constinit std::atomic<bool> g_any{false};

// Turns the findings of the tries for which `shown` is true into notes. Returns true if there were
// any, including earlier ones.
template <typename Shown>
bool Answer(CuCall& call, const char* what, Shown shown) {
  bool any = false;
  std::vector<Finding> notes;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    for (Try& tried : state.tries) {
      if (!shown(tried)) continue;
      any = true;
      if (std::exchange(tried.answered, true)) continue;
      Finding& note = notes.emplace_back(std::move(tried.finding));
      note.severity = Severity::kNote;
      note.refreshes = true;
      note.what += what;
    }
  }
  for (Finding& note : notes) call.tracker().shadow().Report(std::move(note));
  return any;
}

}  // namespace

void NoteTry(CuCall& call, CUresult code, const void* result) {
  if (call.findings() == nullptr) return;
  Try tried;
  tried.site = call.site();
  tried.thread = ThreadShard();
  tried.result = result;
  tried.finding = call.findings()->back();
  tried.finding.has_code = true;
  tried.finding.code = code;
  tried.finding.code_name = call.words().CodeName(code);
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (state.tries.size() < kMaxTries) {
    state.tries.push_back(std::move(tried));
  } else {
    state.tries[state.next++ % kMaxTries] = std::move(tried);
  }
  g_any.store(true, std::memory_order_release);
}

bool LookedUp(CuCall& call) {
  if (!g_any.load(std::memory_order_acquire)) return false;
  const SiteId site = call.site();
  return Answer(call, "; the program requested more at the same call site and continued without it",
                [&](const Try& tried) { return tried.result == nullptr && tried.site == site; });
}

void Loaded(CuCall& call, const void* result) {
  if (!g_any.load(std::memory_order_acquire)) return;
  const SiteId site = call.site();
  const unsigned thread = ThreadShard();
  Answer(call, "; the program loaded another module instead", [&](const Try& tried) {
    return tried.result == result && tried.thread == thread && result != nullptr &&
           SameCaller(tried.site, site, call.path() == AttachPath::kCupti);
  });
}

}  // namespace gpusan::cuda
