// Waits of the host without a time-out that nothing ends: for a fence that no submission signals,
// for a timeline value that nothing reaches, and for a query that nothing makes available.
//
// Another thread may still signal a semaphore or end a query, so a wait for one is reported only if
// the main thread is inside of it when the process ends. A thread that submits work with a fence
// while another one waits for the fence breaks the rules of external synchronization (Vulkan 1.3
// §3.6). So a wait for a fence that no submission was given is reported before the driver blocks,
// if no other thread has used Vulkan, and otherwise if a thread is inside of it when the process
// ends.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {

// A wait, from construction to destruction, on the thread that waits.
class HostWait {
 public:
  HostWait() = default;
  ~HostWait() {
    if (listed_) [[unlikely]]
      Remove();
  }
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;

  // `all`: the wait ends when all of the objects are signaled, instead of one.
  void ForFences(VkCall& call, uint32_t count, const VkFence* fences, bool all);
  void ForSemaphores(VkCall& call, const VkSemaphoreWaitInfo& info);
  // The wait ends when these queries of the pool are available.
  void ForQueries(VkCall& call, PlainObject& pool, uint32_t first, uint32_t count);

 private:
  friend void CheckHostWaitsAtEnd(Call& call, Device& device);

  struct Item {
    PlainObject* object = nullptr;
    uint32_t generation = 0;
    uint64_t value = 0;  // of a semaphore; the query of a pool
  };
  // The known conditions for the end of the wait. Value type.
  struct Needs {
    Device* device = nullptr;
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    int32_t thread = 0;
    bool all = true;
    absl::InlinedVector<Item, 2> items;

    static bool Ends(const Item& item);
    // The object without whose signal the wait does not end; nullptr: it may end.
    const Item* Missing() const;
    void Report(Call& call, const Item& item, bool at_end) const;
  };

  void Add(VkCall& call, ObjectKind kind, uintptr_t handle, uint64_t value);
  void List(VkCall& call);
  [[gnu::noinline, gnu::cold]] void Remove();

  Needs needs_;
  HostWait* next_ = nullptr;
  bool listed_ = false;
};

// Reports the waits for objects of the device that threads are inside of when the process ends.
void CheckHostWaitsAtEnd(Call& call, Device& device);

}  // namespace gpusan::vulkan
