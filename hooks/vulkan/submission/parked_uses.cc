// Objects that are destroyed or changed while parked batches use them: work that waits for a
// timeline value that no submitted work signals.
#include <mutex>

#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/command_buffers.h"
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

void AddRecording(Uses* uses, const Recording& recording) {
  recording.ForEach([&](const Recorded& record) {
    switch (record.kind) {
      case RecordKind::kUse: {
        const auto& use = static_cast<const RecordedUse&>(record);
        AddResource(uses, use.resource, use.generation);
        break;
      }
      case RecordKind::kResourceBarrier: {
        const auto& barrier = static_cast<const RecordedResourceBarrier&>(record);
        AddResource(uses, barrier.resource, barrier.generation);
        break;
      }
      case RecordKind::kSetEvent: {
        const auto& set = static_cast<const RecordedSetEvent&>(record);
        Add(uses, set.event, set.generation);
        break;
      }
      case RecordKind::kResetEvent: {
        const auto& reset = static_cast<const RecordedResetEvent&>(record);
        Add(uses, reset.event, reset.generation);
        break;
      }
      case RecordKind::kEventWait: {
        const auto& wait = static_cast<const RecordedEventWait&>(record);
        Add(uses, wait.event, wait.generation);
        break;
      }
      case RecordKind::kHold: {
        const auto& hold = static_cast<const RecordedHold&>(record);
        Add(uses, hold.object, hold.generation);
        break;
      }
      case RecordKind::kSet: {
        const auto& used = static_cast<const RecordedSet&>(record);
        Add(uses, used.pipeline, used.pipeline_generation);
        Add(uses, used.set, used.generation);
        if (used.set->generation.load(std::memory_order_relaxed) != used.generation ||
            !used.set->live())
          break;
        const auto& set = static_cast<const DescriptorSetState&>(*used.set->part);
        for (const Descriptor& descriptor : set.descriptors) {
          if (descriptor.resource.object != nullptr)
            AddResource(uses, descriptor.resource.object, descriptor.resource.generation);
          Add(uses, descriptor.view);
          Add(uses, descriptor.sampler);
        }
        break;
      }
      case RecordKind::kExecute: {
        const auto& execute = static_cast<const RecordedExecute&>(record);
        Add(uses, execute.commands, execute.generation);
        AddRecording(uses, recording.child(execute.child));
        break;
      }
      default:
        break;
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

}  // namespace

bool FindParked(VkCall& call, const Object& object, rules::PendingUse* use) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(call.device().queues_lock);
    queues = call.device().queues;
  }
  const ObjectPart* fence =
      object.kind == ObjectKind::kFence ? static_cast<const PlainObject&>(object).part : nullptr;
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    for (const auto& batch : queue->parked) {
      bool found = fence != nullptr && static_cast<const ObjectPart*>(batch->fence) == fence;
      if (!found && fence == nullptr) {
        const Uses& uses = UsesOf(*batch);
        const auto at = uses.find(&object);
        found = at != uses.end() && at->second == object.generation.load(std::memory_order_relaxed);
      }
      if (!found) continue;
      use->pending = batch->call;
      use->site = batch->site;
      use->label = batch->label;
      return true;
    }
  }
  return false;
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
