// Undoes the state changes that gpusan made before a submission that failed.
#include "hooks/vulkan/submission/failed_submits.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/memory/descriptors.h"
#include "hooks/vulkan/objects/aspect_layouts.h"
#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/submission/submits.h"

namespace gpusan::vulkan {
namespace {

// Undoes the changes of layouts and owners by command buffers that did not run.
class Undoing {
 public:
  explicit Undoing(const QueueState& queue) : queue_(queue) {}

  // Adds a recording. Called in the order of submission.
  void Add(const Recording& recording) {
    recording.ForEach([&](const Recorded& record) {
      switch (record.kind) {
        case RecordKind::kUse: {
          const auto& use = static_cast<const RecordedUse&>(record);
          Extent extent;
          use.Read(&extent);
          Add(use.resource, use.generation, extent, use.layout, false);
          break;
        }
        case RecordKind::kResourceBarrier: {
          const auto& barrier = static_cast<const RecordedResourceBarrier&>(record);
          Extent extent;
          barrier.Read(&extent);
          Add(barrier.resource, barrier.generation, extent, barrier.old_layout, true);
          break;
        }
        case RecordKind::kSet:
          AddSet(static_cast<const RecordedSet&>(record));
          break;
        case RecordKind::kSetEvent:
          Forget(static_cast<const RecordedSetEvent&>(record));
          break;
        case RecordKind::kResetEvent:
          Forget(static_cast<const RecordedResetEvent&>(record));
          break;
        case RecordKind::kQuery:
          ForgetQueries(static_cast<const RecordedQuery&>(record));
          break;
        case RecordKind::kQueryReset:
          ForgetQueries(static_cast<const RecordedQueryReset&>(record));
          break;
        case RecordKind::kExecute:
          Add(recording.child(static_cast<const RecordedExecute&>(record).child));
          break;
        default:
          break;
      }
    });
  }
  void Apply() {
    for (auto& [resource, before] : before_) Restore(*resource, before);
  }

 private:
  static constexpr Layout kNotNamed = kNoLayout - 1;

  struct Before {
    bool changes = false;         // its layout, or its owner
    std::vector<Layout> layouts;  // of subresources, as their first command expects
  };

  Before* Find(Resource* resource, uint32_t generation) {
    if (resource->generation.load(std::memory_order_relaxed) != generation || !resource->live())
      return nullptr;
    return &before_[resource];
  }

  void Add(Resource* resource, uint32_t generation, const Extent& extent, Layout layout,
           bool changes) {
    Before* before = Find(resource, generation);
    if (before == nullptr || resource->image == nullptr) return;
    before->changes |= changes;
    if (layout == kNoLayout) return;
    const ImageState& image = ImageOf(*resource);
    before->layouts.resize(size_t{image.mips} * image.layers, kNotNamed);
    const SubresourceRange range = image.layouts.Clip(RangeOf(extent.part));
    for (uint32_t layer = range.first_layer; layer < range.first_layer + range.layers; ++layer) {
      for (uint32_t mip = range.first_mip; mip < range.first_mip + range.mips; ++mip) {
        Layout& first = before->layouts[size_t{layer} * image.mips + mip];
        if (first == kNotNamed) first = layout;
      }
    }
  }

  // Records that it is unknown whether queries of the pool are reset.
  template <typename Record>
  static void ForgetQueries(const Record& record) {
    if (record.pool->generation.load(std::memory_order_relaxed) == record.generation)
      static_cast<QueryPoolState&>(*record.pool->part).ForgetResets();
  }

  // Records that it is unknown whether the event is set.
  template <typename Record>
  static void Forget(const Record& record) {
    if (record.event->generation.load(std::memory_order_relaxed) != record.generation) return;
    auto& event = static_cast<EventState&>(*record.event->part);
    std::lock_guard lock(event.lock);
    event.signal = EventSignal();
  }

  void AddSet(const RecordedSet& record) {
    if (record.set->generation.load(std::memory_order_relaxed) != record.generation) return;
    const auto& set = static_cast<const DescriptorSetState&>(*record.set->part);
    for (const Descriptor& descriptor : set.descriptors) {
      if (descriptor.resource.object != nullptr)
        Find(descriptor.resource.object, descriptor.resource.generation);
    }
  }

  void Restore(Resource& resource, const Before& before) {
    ScopedState& state = ScopedOf(resource);
    Resource* memory;
    {
      std::lock_guard lock(state.lock);
      // The first use may have made the queue family the owner.
      state.ownership.Forget();
      if (before.changes) RestoreImage(ImageOf(resource), before);
      memory = state.host_visible ? state.memory.get() : nullptr;
    }
    if (state.aliased.load(std::memory_order_relaxed)) {
      for (Resource* alias : AliasesOf(state)) {
        ScopedState& other = ScopedOf(*alias);
        std::lock_guard lock(other.lock);
        if (other.aliases != nullptr) other.aliases->lost_call = nullptr;
      }
    }
    if (memory == nullptr || !memory->live()) return;
    MemoryState& held = MemoryOf(*memory);
    std::lock_guard lock(held.lock);
    if (held.view == nullptr) return;
    std::vector<DeviceUse>& uses = held.view->uses;
    uses.erase(std::remove_if(uses.begin(), uses.end(),
                              [&](const DeviceUse& use) { return use.queue == &queue_; }),
               uses.end());
  }

  static void RestoreImage(ImageState& image, const Before& before) {
    const bool several = (image.aspects & (image.aspects - 1)) != 0;
    if (several && !before.layouts.empty()) ForgetLayouts(image);
    for (size_t i = 0; i < before.layouts.size(); ++i) {
      Layout layout = before.layouts[i];
      if (layout == kNotNamed) continue;
      // A barrier that discards the content does not name the layout.
      if (layout == VK_IMAGE_LAYOUT_UNDEFINED || several) layout = kNoLayout;
      const auto at = static_cast<uint32_t>(i);
      image.layouts.Set({at % image.mips, 1, at / image.mips, 1}, layout);
    }
    const ImagePart all = {image.aspects, 0, image.mips, 0, image.layers, {}, {}};
    image.content.Set(all, true);
    if (image.extra != nullptr) image.extra->partial.Forget(all);
  }

  const QueueState& queue_;
  std::map<Resource*, Before> before_;
};

// Removes the parked batches of the call, which are its last ones. Returns their number.
size_t DropParked(QueueState& queue, const std::vector<FailedBatch>& batches,
                  const FenceState* fence) {
  std::lock_guard lock(queue.lock);
  const uint64_t first = queue.batches - batches.size();
  size_t dropped = 0;
  while (!queue.parked.empty()) {
    const Batch& last = *queue.parked.back();
    const bool fence_alone = batches.empty() && fence != nullptr && last.fence == fence;
    if (!fence_alone && (batches.empty() || last.number < first)) break;
    for (const Batch::Semaphore& signal : last.signals) {
      std::lock_guard semaphore_lock(signal.state->lock);
      if (signal.state->parked_signals != 0) --signal.state->parked_signals;
    }
    queue.parked.pop_back();
    queue.device.parked.fetch_sub(1, std::memory_order_relaxed);
    ++dropped;
  }
  return dropped;
}

SemaphoreState* KnownSemaphore(VkCall& call, VkSemaphore handle) {
  return FindPart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(handle));
}

// Undoes the waits and signals of a batch. `point`: the current point of the queue.
void TakeBackSemaphores(VkCall& call, const FailedBatch& batch, const Snapshot& point) {
  const SiteId site = call.site();
  for (const auto& [handle, value] : batch.signals) {
    if (SemaphoreState* semaphore = KnownSemaphore(call, handle); semaphore != nullptr) {
      std::lock_guard lock(semaphore->lock);
      semaphore->signals.TakeBack(semaphore->timeline ? value : 0, call.info(), site);
    }
  }
  for (VkSemaphore handle : batch.waits) {
    SemaphoreState* semaphore = KnownSemaphore(call, handle);
    if (semaphore == nullptr) continue;
    std::lock_guard lock(semaphore->lock);
    if (!semaphore->timeline && !semaphore->foreign && !semaphore->signals.pending())
      semaphore->signals.Add({0, point, &call.info(), site});
  }
}

// A command buffer that may be submitted once was not.
void Revive(CommandBufferState* state) {
  if ((state->usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) != 0 &&
      state->phase == CommandBufferState::Phase::kInvalid)
    state->phase = CommandBufferState::Phase::kExecutable;
}

// Counts all work of the device as complete.
void CompleteAll(VkCall& call, Device& device) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    call.tracker().ordering().WaitSnapshot(call.tracker().ordering().Snap(*queue->queue));
  }
}

}  // namespace

void TakeBack(VkCall& call, QueueState& queue, const std::vector<FailedBatch>& batches,
              VkFence fence_handle) {
  FenceState* fence = FindPart<FenceState>(call, ObjectKind::kFence, HandleOf(fence_handle));
  const size_t processed =
      batches.size() - std::min(batches.size(), DropParked(queue, batches, fence));
  CompleteAll(call, queue.device);
  Snapshot point;
  {
    std::lock_guard lock(queue.lock);
    point = call.tracker().ordering().Snap(*queue.queue);
  }
  Undoing undoing(queue);
  for (size_t i = 0; i < batches.size(); ++i) {
    for (VkCommandBuffer handle : batches[i].commands) {
      auto* state =
          FindPart<CommandBufferState>(call, ObjectKind::kCommandBuffer, HandleOf(handle));
      if (state == nullptr) continue;
      if (i < processed) undoing.Add(*state->recording);
      Revive(state);
      for (const Recording::Child& child : state->recording->children()) {
        if (PlainObject* secondary = child.commands.get();
            secondary != nullptr && secondary->live())
          Revive(static_cast<CommandBufferState*>(secondary->part));
      }
    }
  }
  undoing.Apply();
  // In reverse order: a batch may wait for a signal of the batch before it.
  for (size_t i = processed; i-- > 0;) TakeBackSemaphores(call, batches[i], point);
  if (fence != nullptr) {
    std::lock_guard lock(fence->lock);
    fence->submitted = fence->signaled = false;
    fence->point.clock.Clear();
    fence->point.gates = 0;
  }
  SettleGuards(call);
}

}  // namespace gpusan::vulkan
