// Allocations that failed for lack of memory, after which the program allocated something else.
#include "hooks/cuda/memory/allocation_retries.h"

#include <mutex>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "tracker/base/slab.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxFailed = 16;
constexpr uint64_t kSmallestShare = 16;

struct Failed {
  unsigned thread = 0;  // ThreadShard
  uint64_t bytes = 0;
  uint32_t later = 0;  // allocations since
  Finding finding;
};

struct State {
  SpinLock lock;
  std::vector<Failed> failed;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

}  // namespace

constinit std::atomic<bool> allocation_retries_internal::any{false};

void NoteOutOfMemory(CuCall&, const Finding& finding, uint64_t bytes) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (state.failed.size() >= kMaxFailed) return;
  state.failed.push_back({ThreadShard(), bytes, 0, finding});
  allocation_retries_internal::any.store(true, std::memory_order_relaxed);
}

void AllocatedInstead(CuCall& call, uint64_t bytes) {
  // After this number of other allocations, gpusan assumes that the program continues without a
  // replacement.
  constexpr uint32_t kMostLater = 64;
  const unsigned thread = ThreadShard();
  const SiteId site = call.site();
  std::vector<Finding> notes;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    std::erase_if(state.failed, [&](Failed& failed) {
      if (failed.thread != thread) return false;
      const bool replaces = failed.finding.site == site || bytes >= failed.bytes / kSmallestShare;
      if (!replaces) return ++failed.later >= kMostLater;
      notes.push_back(std::move(failed.finding));
      return true;
    });
    allocation_retries_internal::any.store(!state.failed.empty(), std::memory_order_relaxed);
  }
  for (Finding& note : notes) {
    note.severity = Severity::kNote;
    note.refreshes = true;
    absl::StrAppend(&note.what, "; the program then allocated ", BytesText(bytes), " instead (",
                    call.info().name, ")");
    call.tracker().shadow().Report(std::move(note));
  }
}

}  // namespace gpusan::cuda
