// Times that a program asked for before their commands were complete, and never got.
#include "hooks/common/missing_times.h"

#include <algorithm>
#include <mutex>

#include "hooks/common/sites/same_caller.h"
#include "tracker/rules/events/missing_time.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

constexpr size_t kMostSites = 64;
// The cost of a successful call is that of its call site. Programs that get more times than these
// know how to ask.
constexpr uint64_t kMostTimes = 1024;

}  // namespace

void MissingTimes::Note(Call& call, bool got_time, uintptr_t first, uintptr_t second) {
  {
    std::lock_guard lock(lock_);
    if (times_ >= kMostTimes) return;
    if (got_time) ++times_;
  }
  const SiteId site = call.site();
  std::lock_guard lock(lock_);
  auto query = std::find_if(queries_.begin(), queries_.end(),
                            [site](const Query& one) { return one.site == site; });
  if (query == queries_.end()) {
    if (queries_.size() >= kMostSites) {
      times_ = kMostTimes;  // more sites than are remembered
      return;
    }
    query = queries_.insert(query, {site, &call.info()});
  }
  if (!got_time) {
    query->first = first;
    query->second = second;
    ++query->missing;
    return;
  }
  query->got_time = true;
  for (Query& one : queries_) one.got_time |= one.first == first && one.second == second;
}

bool MissingTimes::IsNewest(Tracker& tracker, Epoch command) {
  Queue* const queue = tracker.ordering().QueueOf(command);
  if (queue == nullptr) return false;
  std::lock_guard lock(queue->lock);
  return std::all_of(queue->lanes.begin(), queue->lanes.end(), [&](const Lane& lane) {
    return lane.timeline != command.timeline() || lane.tick == command.tick();
  });
}

void MissingTimes::Report(Tracker& tracker, Api api, const Vocabulary& words,
                          const std::string& code) {
  std::vector<Query> queries;
  {
    std::lock_guard lock(lock_);
    if (times_ >= kMostTimes) return;
    queries.swap(queries_);
  }
  const CallInfo end = {"", api};
  for (const Query& query : queries) {
    // A compiler makes several calls of one in a loop.
    const auto got_time_here = [&](const Query& other) {
      return other.got_time && SameCaller(query.site, other.site, true);
    };
    // Several times of one object: one finding.
    const auto is_same = [&](const Query& other) {
      return other.missing != 0 && other.first == query.first && other.second == query.second;
    };
    if (query.missing == 0 || &*std::find_if(queries.begin(), queries.end(), is_same) != &query ||
        std::any_of(queries.begin(), queries.end(), got_time_here))
      continue;
    Call call(tracker, end, words, nullptr, nullptr);
    rules::OnMissingTime({query.call, query.site, query.missing, code}, call);
    call.EmitNow();
  }
}

}  // namespace gpusan
