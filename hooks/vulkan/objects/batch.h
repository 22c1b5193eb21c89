// A batch of a submission. A queue keeps it while the batch waits for a semaphore.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::vulkan {

struct CommandBufferState;
struct FenceState;
struct SemaphoreState;
class Recording;

// One batch of a submission, in the terms of synchronization2.
struct Batch {
  struct Semaphore {
    SemaphoreState* state = nullptr;
    PlainObject* object = nullptr;
    uint32_t generation = 0;
    uint64_t value = 0;
    // The stages of a wait and all later ones, or the stages of a signal and all earlier ones.
    uint64_t stages = 0;
    bool reported = false;  // a finding says that the wait never ends
  };
  struct Commands {
    CommandBufferState* state;
    std::shared_ptr<const Recording> recording;
  };
  absl::InlinedVector<Semaphore, 2> waits;
  absl::InlinedVector<Semaphore, 2> signals;
  absl::InlinedVector<Commands, 4> commands;
  std::vector<WeakRef<Resource>> bound;  // resources and memory of a sparse bind
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;     // of the queue
  FenceState* fence = nullptr;  // of the last batch
  uint64_t number = 0;          // on its queue
  // The objects that it uses, with their generations; nullptr until an object is destroyed while
  // the batch is parked. Guarded by the lock of the queue.
  std::unique_ptr<std::unordered_map<const Object*, uint32_t>> uses;
};

}  // namespace gpusan::vulkan
