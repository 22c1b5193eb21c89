// Times between events that a program asked for before the events were complete, and never got.
#include "hooks/cuda/streams/elapsed_times.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/common/sites/same_caller.h"
#include "tracker/rules/events/missing_time.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMostSites = 64;
// The cost of a successful call is that of its call site. Programs that get more times than these
// know how to ask.
constexpr uint64_t kMostTimes = 1024;

struct Query {
  SiteId site = kUnknownSite;
  const CallInfo* call = nullptr;
  uintptr_t start = 0, end = 0;  // of the last call that got no time
  uint64_t missing = 0;          // number of such calls
  bool got_time = false;
};

struct State {
  SpinLock lock;
  std::vector<Query> queries;  // by call site
  uint64_t times = 0;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

}  // namespace

void NoteElapsedTime(CuCall& call, CUresult code, uintptr_t start, uintptr_t end) {
  if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY) return;
  State& state = g_state.Get();
  {
    std::lock_guard lock(state.lock);
    if (state.times >= kMostTimes) return;
    if (code == CUDA_SUCCESS) ++state.times;
  }
  const SiteId site = call.site();
  std::lock_guard lock(state.lock);
  auto query = std::find_if(state.queries.begin(), state.queries.end(),
                            [site](const Query& one) { return one.site == site; });
  if (query == state.queries.end()) {
    if (state.queries.size() >= kMostSites) {
      state.times = kMostTimes;  // more sites than are remembered
      return;
    }
    query = state.queries.insert(query, {site, &call.info()});
  }
  if (code == CUDA_ERROR_NOT_READY) {
    query->start = start;
    query->end = end;
    ++query->missing;
    return;
  }
  query->got_time = true;
  for (Query& one : state.queries) one.got_time |= one.start == start && one.end == end;
}

void ReportMissingTimes(Tracker& tracker) {
  std::vector<Query> queries;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    if (state.times >= kMostTimes) return;
    queries.swap(state.queries);
  }
  static constexpr CallInfo kEnd = {"", Api::kCuda};
  for (const Query& query : queries) {
    // A compiler makes several calls of one in a loop.
    const auto got_time_here = [&](const Query& other) {
      return other.got_time && SameCaller(query.site, other.site, true);
    };
    if (query.missing == 0 || std::any_of(queries.begin(), queries.end(), got_time_here)) continue;
    Call call(tracker, kEnd, Words(), nullptr, nullptr);
    // The driver, which knows the names of codes, may have shut down.
    rules::OnMissingTime({query.call, query.site, query.missing, "CUDA_ERROR_NOT_READY"}, call);
    call.EmitNow();
  }
}

}  // namespace gpusan::cuda
