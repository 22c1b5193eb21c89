// Finds loops that create an object in each iteration and destroy none. A creation counts as an
// iteration when the previous object of the same site exists and the program no longer needs it.
// A program that sets up a pool creates all objects before it uses the first: that does not count.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"
#include "tracker/objects/object.h"

namespace gpusan {

// Thread-safe. Holds at most kMaxSites sites; later ones are not counted.
class CreationLoops {
 public:
  // Notes that `object` was created. `is_done(const Object&)` returns whether the program no longer
  // needs the previous object of the site: a call has used it, or the new one is equal.
  template <typename IsDone>
  void Note(Object* object, IsDone is_done) {
    if (object->created == kUnknownSite) return;
    std::lock_guard lock(lock_);
    const std::pair key(object->kind, object->created);
    auto found = sites_.find(key);
    if (found == sites_.end()) {
      if (sites_.size() >= kMaxSites) return;
      found = sites_.emplace(key, Site()).first;
    }
    Site& site = found->second;
    if (const Object* last = site.last.get(); last != nullptr && last->live() && is_done(*last))
      ++site.turns;
    site.last = WeakRef<Object>(object);
  }

  // Returns how many objects of the kind were created at the site while the previous one still
  // existed and the program no longer needed it.
  uint64_t Turns(ObjectKind kind, SiteId created) const {
    std::lock_guard lock(lock_);
    const auto found = sites_.find({kind, created});
    return found == sites_.end() ? 0 : found->second.turns;
  }

 private:
  static constexpr size_t kMaxSites = 1024;
  struct Site {
    WeakRef<Object> last;
    uint64_t turns = 0;
  };
  mutable SpinLock lock_;
  absl::btree_map<std::pair<ObjectKind, SiteId>, Site> sites_;
};

}  // namespace gpusan
