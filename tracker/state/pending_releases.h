// Memory that the program has released while commands still use it, so that it is not free yet.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"
#include "tracker/calls/call.h"
#include "tracker/model/clock.h"
#include "tracker/objects/resource.h"
#include "tracker/state/site_use.h"

namespace gpusan {

// Thread-safe. Takes the lock of a resource inside its own.
class PendingReleases {
 public:
  // Sums of less than `least` bytes are not reported.
  PendingReleases(const HostClock& host, uint64_t least) : host_(host), least_(least) {}
  PendingReleases(const PendingReleases&) = delete;
  PendingReleases& operator=(const PendingReleases&) = delete;

  // Adds the resource, which the call releases, if a pending command uses it. Adds a finding for a
  // call site whose pending releases hold much memory.
  void Note(Call& call, Resource& resource);
  // Returns the memory that is held now [bytes].
  uint64_t Bytes(Api api);
  // Returns the memory that is held now, by the call sites of the releases. Updates the list of
  // pending releases first.
  std::vector<SiteUse> BySite();

 private:
  // Removes the oldest entry if its commands are complete; otherwise moves it to the end. The
  // caller holds the lock.
  void Turn(const Resource* releasing);

  const HostClock& host_;
  const uint64_t least_;
  SpinLock lock_;
  struct Entry {
    WeakRef<Resource> resource;
    uint64_t bytes;
    SiteId site;
    Api api;
  };
  struct Site {
    uint64_t bytes = 0, count = 0;
    const CallInfo* call = nullptr;
    ObjectKind kind = ObjectKind::kNone;
    bool noted = false;
  };
  std::deque<Entry> entries_;
  absl::btree_map<SiteId, Site> sites_;
  uint64_t bytes_[kApiCount] = {};  // by Api
  uint64_t peak_[kApiCount] = {};
};

}  // namespace gpusan
