// PendingReleases: the list of released memory that commands use, and its sums by call site.
#include "tracker/state/pending_releases.h"

#include <algorithm>
#include <mutex>

#include "tracker/rules/rules.h"

namespace gpusan {

void PendingReleases::Turn(const Resource* releasing) {
  const Entry oldest = entries_.front();
  entries_.pop_front();
  if (Resource* waiting = oldest.resource.get(); waiting != nullptr) {
    bool pending = true;
    if (waiting != releasing) {
      std::lock_guard lock(waiting->lock);
      waiting->history.Prune(host_);
      pending = !waiting->history.empty();
    }
    if (pending) {
      entries_.push_back(oldest);
      return;
    }
  }
  Site& at = sites_[oldest.site];
  at.bytes -= oldest.bytes;
  --at.count;
  bytes_[static_cast<int>(oldest.api)] -= oldest.bytes;
}

void PendingReleases::Note(Call& call, Resource& resource) {
  const Access* holder = nullptr;
  Access pending;
  {
    std::lock_guard lock(resource.lock);
    holder = resource.history.FindPending(Region::Linear(0, UINT64_MAX), false, host_);
    if (holder != nullptr) pending = *holder;
  }
  if (holder == nullptr) return;
  const SiteId site = call.site();
  rules::Deferral deferral{&resource, &pending};
  {
    std::lock_guard lock(lock_);
    // Check a few entries per release, so that the list has about as many entries as there are
    // pending releases. Entries that are still pending move to the end.
    for (size_t step = std::min<size_t>(4, entries_.size()); step > 0; --step) Turn(&resource);
    entries_.push_back({WeakRef<Resource>(&resource), resource.bytes, site, resource.api});
    uint64_t& bytes = bytes_[static_cast<int>(resource.api)];
    uint64_t& peak = peak_[static_cast<int>(resource.api)];
    bytes += resource.bytes;
    peak = std::max(peak, bytes);
    Site& at = sites_[site];
    at.bytes += resource.bytes;
    ++at.count;
    at.call = &call.info();
    at.kind = resource.kind;
    if (at.bytes < least_ || at.count < 2 || at.noted) return;
    // Before a finding, remove all entries whose commands are complete.
    for (size_t step = entries_.size(); step > 0; --step) Turn(&resource);
    if (at.bytes < least_ || at.count < 2) return;
    at.noted = true;
    deferral.site_bytes = at.bytes;
    deferral.site_count = at.count;
    deferral.peak_bytes = peak;
  }
  rules::OnDeferral(deferral, call);
}

uint64_t PendingReleases::Bytes(Api api) {
  std::lock_guard lock(lock_);
  return bytes_[static_cast<int>(api)];
}

std::vector<SiteUse> PendingReleases::BySite() {
  std::vector<SiteUse> uses;
  size_t left;
  {
    std::lock_guard lock(lock_);
    left = entries_.size();
  }
  // A few entries at a time, so that other threads do not wait long for the lock.
  while (left > 0) {
    std::lock_guard lock(lock_);
    size_t step = std::min({size_t{64}, left, entries_.size()});
    if (step == 0) break;
    for (left -= step; step > 0; --step) Turn(nullptr);
  }
  std::lock_guard lock(lock_);
  for (const auto& [site, at] : sites_) {
    if (at.bytes != 0 && at.call != nullptr)
      uses.push_back({at.call->api, site, at.kind, at.call, at.bytes, at.count});
  }
  return uses;
}

}  // namespace gpusan
