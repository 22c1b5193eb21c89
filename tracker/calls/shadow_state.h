// The part of the shadow state that calls use for reports and that checks may read.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "tracker/memory/host_memory.h"
#include "tracker/memory/shared_pointers.h"
#include "tracker/model/clock.h"
#include "tracker/model/finding.h"
#include "tracker/objects/resource.h"

namespace gpusan {

struct TrackerOptions {
  uint64_t deferred_release_min = 1 << 20;  // [bytes]
  uint64_t disabled_rules = 0;              // one bit for each RuleId
  bool leaks = true;
  uint64_t command_log = 0;  // stored entries of each thread (command_log.h); 0: no command log
  // Not zero while commands or objects use host memory: then releases of host memory must be
  // checked. May be nullptr.
  std::atomic<uint32_t>* host_users = nullptr;
  // Returns whether the program may reuse released memory without an update of host_memory.
  // nullptr: always, so uses of released blocks are not reported.
  bool (*may_be_reused)(uintptr_t address, uint64_t bytes) = nullptr;
  // Returns whether the program's own code, and no library, made the call at the site. nullptr: not
  // known, so leaks that a library may intend are not reported.
  bool (*is_own_call)(SiteId site) = nullptr;
  // Captures and interns the stack of the caller (site.h); may be nullptr in tests.
  SiteId (*capture)(const void* return_address, const void* frame_address) = nullptr;
};

// Returns how often the host has waited for all work of the context of the resource.
inline uint32_t FullWaits(const Resource& resource) {
  return resource.context == nullptr ? 0
                                     : static_cast<const PlainObject*>(resource.context)
                                           ->full_waits.load(std::memory_order_relaxed);
}

// The part of the tracker that checks may read, and the way out for findings. The tracker owns all
// that it refers to. Thread-safe.
class ShadowState {
 public:
  ShadowState(FindingSink& sink, const TrackerOptions& options, const HostClock& host,
              const HostMemory& host_memory, const std::atomic<uint32_t>& unseen_writes,
              const LaunchBases& launch_bases)
      : sink_(sink),
        options_(options),
        host_(host),
        host_memory_(host_memory),
        unseen_writes_(unseen_writes),
        launch_bases_(launch_bases) {}
  ShadowState(const ShadowState&) = delete;
  ShadowState& operator=(const ShadowState&) = delete;

  const TrackerOptions& options() const { return options_; }
  const HostClock& host() const { return host_; }
  const HostMemory& host_memory() const { return host_memory_; }
  bool Enabled(RuleId rule) const {
    return (options_.disabled_rules >> static_cast<int>(rule) & 1) == 0;
  }
  // Sends the finding to the sink unless its check is disabled.
  void Report(Finding&& finding) {
    if (Enabled(finding.rule)) sink_.Report(std::move(finding));
  }
  // True if a kernel that loads addresses from memory was launched since the creation of the
  // resource. Such a kernel may have written any byte of the resource.
  bool MayHoldUnseenWrites(const Resource& resource) const {
    return resource.root->unseen_writes != unseen_writes_.load(std::memory_order_relaxed);
  }
  // True if kernels of several streams were launched with this address since the host last waited
  // for all work of the context, or if this is no longer known. `root_offset` is the offset of the
  // address in the root [bytes].
  bool IsSharedBase(const Resource& resource, uint64_t root_offset) const {
    return resource.kind == ObjectKind::kDeviceMemory &&
           launch_bases_.Shared(resource.root->handle + root_offset, FullWaits(resource));
  }

 private:
  FindingSink& sink_;
  const TrackerOptions options_;
  const HostClock& host_;
  const HostMemory& host_memory_;
  const std::atomic<uint32_t>& unseen_writes_;  // Objects::NoteUnseenWrites
  const LaunchBases& launch_bases_;             // Accesses::NoteLaunchBase
};

}  // namespace gpusan
