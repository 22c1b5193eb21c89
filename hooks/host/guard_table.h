// The guards of one API under the option protect_maps: page guards (page_guard.h), each with data
// of the API.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/host/page_guard.h"

namespace gpusan {

// `Guarded` is the data of the API about a guard, by value. All functions are thread-safe unless
// they require a lock. Create a table with ProcessState, so that a child of fork gets a new one.
// The lock of the table is taken inside of the locks of queues and memory. `visit` functions run
// under this lock and must take no other lock.
template <typename Guarded>
class GuardTable {
 public:
  // `owner`: the tags of the API, as PageGuards::kCudaTags.
  explicit GuardTable(uint64_t owner) : owner_(owner), last_tag_(owner) {}
  GuardTable(const GuardTable&) = delete;
  GuardTable& operator=(const GuardTable&) = delete;

  // Guards [begin, end) as PageGuards::Guard. Returns false, without effect, if that fails.
  bool Add(uintptr_t begin, uintptr_t end, bool reads, Guarded guarded, bool parts = false) {
    std::lock_guard lock(lock_);
    const uint64_t tag = ++last_tag_;
    if (!PageGuards::Guard(begin, end, reads, tag, parts)) return false;
    guarded_.emplace(tag, std::move(guarded));
    return true;
  }

  // Calls `visit(tag, Guarded&)` for each guard until it returns true. Returns whether it did.
  template <typename Visit>
  bool Find(Visit visit) {
    std::lock_guard lock(lock_);
    for (auto& [tag, guarded] : guarded_) {
      if (visit(tag, guarded)) return true;
    }
    return false;
  }

  // Does nothing if there is no such guard.
  void Remove(uint64_t tag) {
    std::lock_guard lock(lock_);
    if (guarded_.erase(tag) != 0) PageGuards::Remove(tag);
  }

  // Removes the guards for which `ends(const Guarded&)` returns true.
  template <typename Ends>
  void RemoveIf(Ends ends) {
    std::lock_guard lock(lock_);
    std::erase_if(guarded_, [&](const auto& entry) {
      if (!ends(entry.second)) return false;
      PageGuards::Remove(entry.first);
      return true;
    });
  }

  // Returns the accesses to guarded pages since the last call; their guards are removed.
  std::vector<std::pair<GuardedAccess, Guarded>> Take() {
    std::vector<std::pair<GuardedAccess, Guarded>> taken;
    if (!PageGuards::Noticed()) return taken;
    const std::vector<GuardedAccess> accesses = PageGuards::Take(owner_);
    std::lock_guard lock(lock_);
    for (const GuardedAccess& access : accesses) {
      const auto found = guarded_.find(access.tag);
      if (found == guarded_.end()) continue;
      taken.emplace_back(access, std::move(found->second));
      guarded_.erase(found);
    }
    return taken;
  }

 private:
  const uint64_t owner_;
  std::mutex lock_;
  std::map<uint64_t, Guarded> guarded_;  // by tag
  uint64_t last_tag_;
};

}  // namespace gpusan
