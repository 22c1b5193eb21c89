// Objects that are destroyed or changed while parked batches use them: work that waits for a
// timeline value that no submitted work signals.
#include <algorithm>
#include <mutex>
#include <optional>

#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recorder/recorder.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Uses = std::unordered_map<const Object*, uint32_t>;

template <typename T>
void Add(Uses* uses, const WeakRef<T>& ref) {
  if (ref.object != nullptr) uses->emplace(ref.object, ref.generation);
}
void Add(Uses* uses, const Object* object, uint32_t generation) {
  uses->emplace(object, generation);
}
void AddResource(Uses* uses, const Resource* resource, uint32_t generation) {
  Add(uses, resource, generation);
  if (resource->live() && resource->generation.load(std::memory_order_relaxed) == generation)
    Add(uses, ScopedOf(*resource).memory);
}

// Adds the resource, or the event, that a record names.
template <typename Record>
void AddResourceOf(Uses* uses, const Recorded& record) {
  const auto& use = static_cast<const Record&>(record);
  AddResource(uses, use.resource, use.generation);
}
template <typename Record>
void AddEventOf(Uses* uses, const Recorded& record) {
  const auto& use = static_cast<const Record&>(record);
  Add(uses, use.event, use.generation);
}

void AddSet(Uses* uses, const RecordedSet& used) {
  Add(uses, used.pipeline, used.pipeline_generation);
  Add(uses, used.set, used.generation);
  if (used.set->generation.load(std::memory_order_relaxed) != used.generation || !used.set->live())
    return;
  const auto& set = static_cast<const DescriptorSetState&>(*used.set->part);
  for (const Descriptor& descriptor : set.descriptors) {
    if (descriptor.resource.object != nullptr)
      AddResource(uses, descriptor.resource.object, descriptor.resource.generation);
    Add(uses, descriptor.view);
    Add(uses, descriptor.sampler);
  }
}

void AddRecording(Uses* uses, const Recording& recording) {
  recording.ForEach([&](const Recorded& record) {
    switch (record.kind) {
      case RecordKind::kUse:
        return AddResourceOf<RecordedUse>(uses, record);
      case RecordKind::kResourceBarrier:
        return AddResourceOf<RecordedResourceBarrier>(uses, record);
      case RecordKind::kSetEvent:
        return AddEventOf<RecordedSetEvent>(uses, record);
      case RecordKind::kResetEvent:
        return AddEventOf<RecordedResetEvent>(uses, record);
      case RecordKind::kEventWait:
        return AddEventOf<RecordedEventWait>(uses, record);
      case RecordKind::kHold: {
        const auto& hold = static_cast<const RecordedHold&>(record);
        return Add(uses, hold.object, hold.generation);
      }
      case RecordKind::kSet:
        return AddSet(uses, static_cast<const RecordedSet&>(record));
      case RecordKind::kExecute: {
        const auto& execute = static_cast<const RecordedExecute&>(record);
        Add(uses, execute.commands, execute.generation);
        return AddRecording(uses, recording.child(execute.child));
      }
      default:
        return;
    }
  });
}

const Uses& UsesOf(Batch& batch) {
  if (batch.uses != nullptr) return *batch.uses;
  batch.uses = std::make_unique<Uses>();
  Uses* uses = batch.uses.get();
  for (const auto* semaphores : {&batch.waits, &batch.signals}) {
    for (const Batch::Semaphore& one : *semaphores) {
      if (!one.state->foreign) Add(uses, one.object, one.generation);
    }
  }
  for (const WeakRef<Resource>& bound : batch.bound) Add(uses, bound);
  for (const Batch::Commands& commands : batch.commands) {
    const PlainObject* object = commands.state->object;
    Add(uses, object, object->generation.load(std::memory_order_relaxed));
    AddRecording(uses, *commands.recording);
  }
  return *uses;
}

// Finds a parked batch for which matches(Batch&) is true, and describes it in `*use`.
template <typename Matches>
bool FindParkedBatch(VkCall& call, rules::PendingUse* use, Matches matches) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(call.device().queues_lock);
    queues = call.device().queues;
  }
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    for (const auto& batch : queue->parked) {
      if (!matches(*batch)) continue;
      use->pending = batch->call;
      use->site = batch->site;
      use->label = batch->label;
      return true;
    }
  }
  return false;
}

// Whether matches(const Recorded&) is true for a command of the recording or of a command buffer
// that it executes.
template <typename Matches>
bool HasCommand(const Recording& recording, const Matches& matches) {
  bool found = false;
  recording.ForEach([&](const Recorded& record) {
    if (found) return;
    found = record.kind == RecordKind::kExecute
                ? HasCommand(recording.child(static_cast<const RecordedExecute&>(record).child),
                             matches)
                : matches(record);
  });
  return found;
}
template <typename Matches>
bool FindParkedCommand(VkCall& call, rules::PendingUse* use, const Matches& matches) {
  return FindParkedBatch(call, use, [&](const Batch& batch) {
    return std::ranges::any_of(batch.commands, [&](const Batch::Commands& commands) {
      return HasCommand(*commands.recording, matches);
    });
  });
}

}  // namespace

bool FindParked(VkCall& call, const Object& object, rules::PendingUse* use) {
  const ObjectPart* fence =
      object.kind == ObjectKind::kFence ? static_cast<const PlainObject&>(object).part : nullptr;
  return FindParkedBatch(call, use, [&](Batch& batch) {
    if (fence != nullptr) return static_cast<const ObjectPart*>(batch.fence) == fence;
    const Uses& uses = UsesOf(batch);
    const auto at = uses.find(&object);
    return at != uses.end() && at->second == object.generation.load(std::memory_order_relaxed);
  });
}

bool FindParkedWait(VkCall& call, const Object& event, rules::PendingUse* use) {
  const uint32_t generation = event.generation.load(std::memory_order_relaxed);
  return FindParkedCommand(call, use, [&](const Recorded& record) {
    if (record.kind != RecordKind::kEventWait) return false;
    const auto& wait = static_cast<const RecordedEventWait&>(record);
    return wait.event == &event && wait.generation == generation;
  });
}

std::optional<uint32_t> FindParkedQuery(VkCall& call, const Object& pool, uint32_t first,
                                        uint32_t count, rules::PendingUse* use) {
  const uint32_t generation = pool.generation.load(std::memory_order_relaxed);
  std::optional<uint32_t> found;
  const auto matches = [&](const auto& command, uint32_t from, uint32_t number) {
    if (command.pool != &pool || command.generation != generation) return false;
    const uint32_t both = std::max(first, from);
    if (uint64_t{both} >= std::min(uint64_t{first} + count, uint64_t{from} + number)) return false;
    found = both;
    return true;
  };
  FindParkedCommand(call, use, [&](const Recorded& record) {
    switch (record.kind) {
      case RecordKind::kQuery: {
        const auto& query = static_cast<const RecordedQuery&>(record);
        return matches(query, query.query, 1);
      }
      case RecordKind::kQueryReset: {
        const auto& reset = static_cast<const RecordedQueryReset&>(record);
        return matches(reset, reset.first, reset.count);
      }
      case RecordKind::kQueryCopy: {
        const auto& copy = static_cast<const RecordedQueryCopy&>(record);
        return matches(copy, copy.first, copy.count);
      }
      default:
        return false;
    }
  });
  return found;
}

void CheckNotParked(VkCall& call, const Object& object, rules::PendingUse::Act act,
                    const char* vuid) {
  rules::PendingUse use;
  if (!FindParked(call, object, &use)) return;
  use.act = act;
  use.object = &object;
  use.vuid = vuid;
  rules::OnPendingUse(use, call);
}

}  // namespace gpusan::vulkan
