// See the header. Barriers of both versions become the same records. The records of resources
// precede the record of the whole queue, since they concern the accesses before it.
#include "hooks/vulkan/recording/barriers.h"

#include <algorithm>

#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/recorder/fast_recorder.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/recording/event_arguments.h"

namespace gpusan::vulkan {
namespace {

// Stands for the dependency flags of a wait for events.
constexpr VkDependencyFlags kOfWait = ~VkDependencyFlags{0};

// Checks the families and masks of a barrier, and whether the render pass allows it.
template <typename B>
[[gnu::always_inline]] inline void CheckPlace(Recorder& recorder, const Resource& resource,
                                              const B& given, Layout old_layout, Layout new_layout,
                                              const GivenMasks& masks, VkDependencyFlags flags) {
  if (recorder.state().pass.kind != PassInstance::Kind::kNone) [[unlikely]]
    CheckInPass(recorder, resource, old_layout != kNoLayout, old_layout, new_layout);
  if (given.srcQueueFamilyIndex == given.dstQueueFamilyIndex) [[likely]] {
    if (given.srcQueueFamilyIndex != VK_QUEUE_FAMILY_IGNORED) [[unlikely]]
      CheckNamedFamilies(recorder.call(), resource, given.srcQueueFamilyIndex,
                         given.dstQueueFamilyIndex);
    // The command that sets the events of vkCmdWaitEvents2 has checked the masks.
    if (flags != kOfWait || !requires { given.srcStageMask; })
      CheckMasks(
          recorder, masks, requires { given.image; } ? BarrierKind::kImage : BarrierKind::kBuffer);
  } else {
    CheckTransfer(recorder, resource, given.srcQueueFamilyIndex, given.dstQueueFamilyIndex, masks,
                  flags);
  }
}

// Records the part of a barrier that names a resource; nullptr if there is nothing to record. `B`:
// the structure of either version.
template <typename B>
RecordedResourceBarrier* RecordBufferPart(Recorder& recorder, const B& given,
                                          const GivenMasks& masks, VkDependencyFlags flags) {
  Resource* buffer = UseBuffer(recorder.call(), given.buffer, "pBufferMemoryBarriers[].buffer");
  if (buffer == nullptr) return nullptr;
  CheckBoundOnce(recorder.call(), *buffer, "pBufferMemoryBarriers[].buffer");
  CheckBytes(recorder.call(), *buffer, given.offset, given.size);
  CheckPlace(recorder, *buffer, given, kNoLayout, kNoLayout, masks, flags);
  const uint64_t bytes = given.size == VK_WHOLE_SIZE && buffer->bytes > given.offset
                             ? buffer->bytes - given.offset
                             : given.size;
  return &recorder.AppendWith<RecordedResourceBarrier>(
      Region::Linear(given.offset, bytes), buffer, recorder.Scopes(masks),
      buffer->generation.load(std::memory_order_relaxed), kNoLayout, kNoLayout,
      given.srcQueueFamilyIndex, given.dstQueueFamilyIndex);
}

// Reduces a part of one level of a 3D image to the slices that the layers of a barrier name, if it
// can be viewed in slices (VK_KHR_maintenance9).
[[gnu::noinline]] void NarrowToSlices(const ImageState& image, const VkImageSubresourceRange& range,
                                      ImagePart* part) {
  if ((image.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT) == 0 || part->mips != 1) return;
  const VkExtent3D level = image.ExtentOf(part->first_mip);
  const uint32_t first = std::min(range.baseArrayLayer, level.depth);
  const uint32_t count = std::min(range.layerCount, level.depth - first);
  if (count == level.depth) return;
  part->origin[2] = first;
  part->extent[0] = level.width;
  part->extent[1] = level.height;
  part->extent[2] = count;
}

// The part of an image that a barrier names, whose layers are not slices.
[[gnu::always_inline]] inline ImagePart PartOfBarrier(const ImageState& image,
                                                      const VkImageSubresourceRange& range) {
  ImagePart part = PartOf(image, range);
  // A barrier of the color aspect of a multi-planar image affects all planes.
  if ((part.aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0) part.aspects |= image.aspects;
  return part;
}

template <typename B>
[[gnu::always_inline]] inline RecordedResourceBarrier* RecordImagePart(Recorder& recorder,
                                                                       const B& given,
                                                                       const GivenMasks& masks,
                                                                       VkDependencyFlags flags) {
  Resource* image = UseImage(recorder.call(), given.image, "pImageMemoryBarriers[].image");
  if (image == nullptr) return nullptr;
  CheckBoundOnce(recorder.call(), *image, "pImageMemoryBarriers[].image");
  CheckRange(recorder.call(), *image, given.subresourceRange);
  CheckLayoutUsage(recorder.call(), *image, given.oldLayout, given.newLayout);
  if (given.oldLayout != given.newLayout) {
    const VkImageAspectFlags aspects = given.subresourceRange.aspectMask;
    CheckLayoutAspects(recorder.call(), *image, given.oldLayout, aspects);
    CheckLayoutAspects(recorder.call(), *image, given.newLayout, aspects);
  }
  if (Layout{given.oldLayout} == kZeroInitialized && given.newLayout != given.oldLayout)
      [[unlikely]]
    CheckZeroRange(recorder.call(), *image, given.subresourceRange);
  CheckPlace(recorder, *image, given, given.oldLayout, given.newLayout, masks, flags);
  ImagePart part = PartOfBarrier(ImageOf(*image), given.subresourceRange);
  if (ImageOf(*image).is_3d && recorder.call().device().slice_barriers) [[unlikely]]
    NarrowToSlices(ImageOf(*image), given.subresourceRange, &part);
  return &RecordImageBarrier(recorder, *image, part, masks, given.oldLayout, given.newLayout,
                             given.srcQueueFamilyIndex, given.dstQueueFamilyIndex);
}

// Synchronization1: one pair of stage masks for all barriers.
struct OldMasks {
  VkPipelineStageFlags source_stages, target_stages;
  template <typename B>
  GivenMasks Of(const B& given) const {
    return {source_stages, given.srcAccessMask, target_stages, given.dstAccessMask};
  }
};

struct OldBarriers {
  OldMasks masks;
  uint32_t memory_count;
  const VkMemoryBarrier* memory;
  uint32_t buffer_count;
  const VkBufferMemoryBarrier* buffers;
  uint32_t image_count;
  const VkImageMemoryBarrier* images;
  VkDependencyFlags flags;  // kOfWait: of a wait for events

  // Records the parts of all resources. Returns the last record.
  RecordedResourceBarrier* RecordResources(Recorder& recorder) const {
    RecordedResourceBarrier* last = nullptr;
    for (uint32_t i = 0; i < buffer_count; ++i)
      last = RecordBufferPart(recorder, buffers[i], masks.Of(buffers[i]), flags);
    for (uint32_t i = 0; i < image_count; ++i)
      last = RecordImagePart(recorder, images[i], masks.Of(images[i]), flags);
    return last;
  }
  // Checks all barriers against the render pass that they are in.
  [[gnu::cold]] void CheckInside(Recorder& recorder) const {
    CheckInPass(recorder, uint64_t{masks.source_stages} | masks.target_stages);
    bool fits = true;
    const auto check = [&](const GivenMasks& of) {
      fits = fits && CheckSelfDependency(recorder, of, flags);
    };
    ForEachMemory(check);
    for (uint32_t i = 0; i < buffer_count; ++i) check(masks.Of(buffers[i]));
    for (uint32_t i = 0; i < image_count; ++i) check(masks.Of(images[i]));
  }
  template <typename Visitor>
  void ForEachMemory(Visitor visit) const {
    for (uint32_t i = 0; i < memory_count; ++i) visit(masks.Of(memory[i]));
    if (memory_count + buffer_count + image_count == 0)
      visit(GivenMasks{masks.source_stages, 0, masks.target_stages, 0});
  }
  // Visits the execution dependency with each global memory dependency.
  template <typename Visitor>
  void ForEachGlobal(Visitor visit) const {
    if (memory_count == 0) visit(GivenMasks{masks.source_stages, 0, masks.target_stages, 0});
    for (uint32_t i = 0; i < memory_count; ++i) visit(masks.Of(memory[i]));
  }
};

template <typename B>
GivenMasks MasksOf(const B& given) {
  return {given.srcStageMask, given.srcAccessMask, given.dstStageMask, given.dstAccessMask};
}

RecordedResourceBarrier* RecordResources(Recorder& recorder, const VkDependencyInfo& info,
                                         VkDependencyFlags flags) {
  RecordedResourceBarrier* last = nullptr;
  for (uint32_t i = 0; i < info.bufferMemoryBarrierCount; ++i) {
    const VkBufferMemoryBarrier2& given = info.pBufferMemoryBarriers[i];
    last = RecordBufferPart(recorder, given, MasksOf(given), flags);
  }
  for (uint32_t i = 0; i < info.imageMemoryBarrierCount; ++i) {
    const VkImageMemoryBarrier2& given = info.pImageMemoryBarriers[i];
    last = RecordImagePart(recorder, given, MasksOf(given), flags);
  }
  return last;
}

template <typename Visitor>
void ForEachGlobal(const VkDependencyInfo& info, Visitor visit) {
  for (uint32_t i = 0; i < info.memoryBarrierCount; ++i) visit(MasksOf(info.pMemoryBarriers[i]));
  // Each barrier of a resource is also an execution dependency of all commands.
  VkPipelineStageFlags2 source = 0, target = 0;
  auto execution = [&](const auto& given) {
    if (given.srcStageMask == source && given.dstStageMask == target) return;
    source = given.srcStageMask;
    target = given.dstStageMask;
    visit(GivenMasks{source, 0, target, 0});
  };
  for (uint32_t i = 0; i < info.bufferMemoryBarrierCount; ++i)
    execution(info.pBufferMemoryBarriers[i]);
  for (uint32_t i = 0; i < info.imageMemoryBarrierCount; ++i)
    execution(info.pImageMemoryBarriers[i]);
}

// Calls visit for each barrier of the dependency.
template <typename Visitor>
void ForEachBarrier(const VkDependencyInfo& info, Visitor visit) {
  for (uint32_t i = 0; i < info.memoryBarrierCount; ++i) visit(info.pMemoryBarriers[i]);
  for (uint32_t i = 0; i < info.bufferMemoryBarrierCount; ++i) visit(info.pBufferMemoryBarriers[i]);
  for (uint32_t i = 0; i < info.imageMemoryBarrierCount; ++i) visit(info.pImageMemoryBarriers[i]);
}

uint64_t TargetStagesOf(const VkDependencyInfo& info) {
  uint64_t stages = 0;
  ForEachBarrier(info, [&](const auto& given) { stages |= given.dstStageMask; });
  return stages;
}

// All stages that the dependency names.
[[gnu::cold]] uint64_t StagesOf(const VkDependencyInfo& info) {
  uint64_t stages = 0;
  ForEachBarrier(info,
                 [&](const auto& given) { stages |= given.srcStageMask | given.dstStageMask; });
  return stages;
}

EventDependency DependencyOf(const VkDependencyInfo& info) {
  EventDependency dependency;
  dependency.second = true;
  uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](auto... values) {
    ((hash = (hash ^ static_cast<uint64_t>(values)) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29),
     ...);
  };
  const bool asymmetric = (info.dependencyFlags & kAsymmetricEvent) != 0;
  dependency.asymmetric = asymmetric;
  mix(info.dependencyFlags);
  ForEachBarrier(info, [&](const auto& given) {
    dependency.stages |= given.srcStageMask;
    if (asymmetric) return;
    mix(given.sType, given.srcStageMask, given.srcAccessMask, given.dstStageMask,
        given.dstAccessMask);
    if constexpr (requires { given.buffer; }) {
      mix(given.srcQueueFamilyIndex, given.dstQueueFamilyIndex, HandleOf(given.buffer),
          given.offset, given.size);
    }
    if constexpr (requires { given.image; }) {
      const VkImageSubresourceRange& range = given.subresourceRange;
      mix(given.srcQueueFamilyIndex, given.dstQueueFamilyIndex, HandleOf(given.image),
          given.oldLayout, given.newLayout, range.aspectMask, range.baseMipLevel, range.levelCount,
          range.baseArrayLayer, range.layerCount);
    }
  });
  if (asymmetric) mix(dependency.stages);
  dependency.content = hash | 1;
  return dependency;
}

PlainObject* UseEvent(VkCall& call, VkEvent event) {
  return static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kUserEvent, HandleOf(event), "event"));
}

// `Field`: the last field of the record. `check(recorder, event)`: checks the arguments.
template <typename Record, typename Field, typename Check>
void RecordSignal(VkCall& call, VkCommandBuffer commands, VkEvent handle, const Field& field,
                  Check check) {
  PlainObject* event = UseEvent(call, handle);
  Recorder recorder(call, commands);
  if (event == nullptr || !recorder) return;
  recorder.NeedOutside();
  recorder.state().uses_events = true;
  check(recorder, *event);
  recorder.Append<Record>(event, event->generation.load(std::memory_order_relaxed), field);
}

void RecordReset(VkCall& call, VkCommandBuffer commands, VkEvent handle, uint64_t stages) {
  RecordSignal<RecordedResetEvent>(call, commands, handle, Expand({0, 0, stages, 0}).target_order,
                                   [&](Recorder& recorder, const Object& event) {
                                     if (IsSecond(call)) CheckSync2(call, event, "03829");
                                     CheckEventStages(recorder, event, stages);
                                   });
}

void RecordEventWait(Recorder& recorder, VkEvent handle, bool last,
                     const EventDependency& dependency, uint64_t target_stages) {
  PlainObject* event = UseEvent(recorder.call(), handle);
  if (event == nullptr) return;
  recorder.state().uses_events = true;
  if (recorder.state().pass.kind != PassInstance::Kind::kNone) [[unlikely]]
    CheckWaitInPass(recorder, *event, dependency.stages);
  recorder.Append<RecordedEventWait>(event, event->generation.load(std::memory_order_relaxed), last,
                                     dependency, Expand({0, 0, target_stages, 0}).target_order);
}

// The following resource barriers belong to a wait for the event.
void RecordEventScope(Recorder& recorder, VkEvent handle) {
  PlainObject* event = UseEvent(recorder.call(), handle);
  if (event == nullptr) return;
  recorder.Append<RecordedEventScope>(event, event->generation.load(std::memory_order_relaxed));
}

void RecordWait(Recorder& recorder, VkEvent handle, const GivenMasks& masks) {
  PlainObject* event = UseEvent(recorder.call(), handle);
  if (event == nullptr) return;
  recorder.Append<RecordedWaitEvent>(event, event->generation.load(std::memory_order_relaxed),
                                     recorder.Scopes(masks));
}

template <typename B>
[[gnu::always_inline]] inline Scope* TryImageBarrier(const FastCall& call, VkCommandBuffer commands,
                                                     const GivenMasks& masks, const B& given) {
  CommandBufferState* state = FastState(commands);
  if (state == nullptr || state->pass.kind != PassInstance::Kind::kNone) [[unlikely]]
    return nullptr;
  Resource* image = FindFast<ObjectKind::kImage>(call, *state, HandleOf(given.image));
  if (image == nullptr) [[unlikely]]
    return nullptr;
  const ImageState& described = ImageOf(*image);
  const Layout old_layout = given.oldLayout, new_layout = given.newLayout;
  if (!described.bound || described.is_3d || !IsRangeInside(described, given.subresourceRange) ||
      (old_layout != new_layout && (!MayHaveHadLayout(described.usage, old_layout) ||
                                    !MayHaveLayout(described.usage, new_layout))) ||
      given.srcQueueFamilyIndex != VK_QUEUE_FAMILY_IGNORED ||
      given.dstQueueFamilyIndex != VK_QUEUE_FAMILY_IGNORED || !AreChecked(*state, masks) ||
      !state->recording->KnowsScopes(masks) ||
      !state->recording->HasRoom(sizeof(RecordedResourceBarrier) + sizeof(WholePart))) [[unlikely]]
    return nullptr;
  FastRecorder recorder(call, *state);
  if (!recorder) [[unlikely]]
    return nullptr;
  RecordImageBarrier(recorder, *image, PartOfBarrier(described, given.subresourceRange), masks,
                     old_layout, new_layout)
      .orders_all = true;
  return state->scope;
}

}  // namespace

Scope* ImageBarrierFast(FastCall call, VkCommandBuffer commands, StageMasks stages,
                        const VkImageMemoryBarrier& barrier) {
  return TryImageBarrier(call, commands, OldMasks{stages.source, stages.target}.Of(barrier),
                         barrier);
}
Scope* ImageBarrierFast(FastCall call, VkCommandBuffer commands,
                        const VkImageMemoryBarrier2& barrier) {
  return TryImageBarrier(call, commands, MasksOf(barrier), barrier);
}

void RecordBarrier(Recorder& recorder, const GivenMasks& masks) {
  recorder.Append<RecordedBarrier>(recorder.Scopes(masks));
}

void CmdPipelineBarrier::Before(VkCall& call, VkCommandBuffer commands,
                                VkPipelineStageFlags source_stages,
                                VkPipelineStageFlags target_stages, VkDependencyFlags flags,
                                uint32_t memory_count, const VkMemoryBarrier* memory,
                                uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                uint32_t image_count, const VkImageMemoryBarrier* images) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  const OldBarriers barriers{{source_stages, target_stages},
                             memory_count,
                             memory,
                             buffer_count,
                             buffers,
                             image_count,
                             images,
                             flags};
  if (recorder.state().pass.kind != PassInstance::Kind::kNone) [[unlikely]]
    barriers.CheckInside(recorder);
  CheckTransferFlag(call, *recorder.state().object, flags,
                    "vkCmdPipelineBarrier-maintenance8-10206");
  // Most barriers name one image only.
  if (image_count == 1 && memory_count + buffer_count == 0) [[likely]] {
    const OldMasks masks{source_stages, target_stages};
    if (auto* record = RecordImagePart(recorder, *images, masks.Of(*images), flags);
        record != nullptr) [[likely]] {
      record->orders_all = true;
    } else {
      RecordBarrier(recorder, {source_stages, 0, target_stages, 0});
    }
    return;
  }
  barriers.ForEachMemory(
      [&](const GivenMasks& masks) { CheckMasks(recorder, masks, BarrierKind::kMemory); });
  RecordedResourceBarrier* last = barriers.RecordResources(recorder);
  // The stages are in the barrier of each resource.
  if (last != nullptr && memory_count == 0) {
    last->orders_all = true;
  } else {
    barriers.ForEachGlobal([&](const GivenMasks& masks) { RecordBarrier(recorder, masks); });
  }
}

void CmdPipelineBarrier2::Before(VkCall& call, VkCommandBuffer commands,
                                 const VkDependencyInfo* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  CheckSync2(call, *recorder.state().object, "03848");
  if (recorder.state().pass.kind != PassInstance::Kind::kNone) [[unlikely]] {
    CheckInPass(recorder, StagesOf(*info));
    bool fits = true;
    ForEachBarrier(*info, [&](const auto& given) {
      fits = fits && CheckSelfDependency(recorder, MasksOf(given), info->dependencyFlags);
    });
  }
  for (uint32_t i = 0; i < info->memoryBarrierCount; ++i)
    CheckMasks(recorder, MasksOf(info->pMemoryBarriers[i]), BarrierKind::kMemory);
  RecordedResourceBarrier* last = RecordResources(recorder, *info, info->dependencyFlags);
  if (last != nullptr && info->memoryBarrierCount == 0 &&
      info->bufferMemoryBarrierCount + info->imageMemoryBarrierCount == 1) {
    last->orders_all = true;
  } else {
    ForEachGlobal(*info, [&](const GivenMasks& masks) { RecordBarrier(recorder, masks); });
  }
}

void CmdSetEvent::Before(VkCall& call, VkCommandBuffer commands, VkEvent event,
                         VkPipelineStageFlags stages) {
  RecordSignal<RecordedSetEvent>(
      call, commands, event, EventDependency{stages, 0, false},
      [&](Recorder& recorder, const Object& set) { CheckEventStages(recorder, set, stages); });
}

void CmdSetEvent2::Before(VkCall& call, VkCommandBuffer commands, VkEvent event,
                          const VkDependencyInfo* info) {
  RecordSignal<RecordedSetEvent>(call, commands, event, DependencyOf(*info),
                                 [&](Recorder& recorder, const Object& set) {
                                   CheckSync2(call, set, "03824");
                                   CheckEventDependency(recorder, set, *info);
                                 });
}

void CmdResetEvent::Before(VkCall& call, VkCommandBuffer commands, VkEvent event,
                           VkPipelineStageFlags stages) {
  RecordReset(call, commands, event, stages);
}

void CmdResetEvent2::Before(VkCall& call, VkCommandBuffer commands, VkEvent event,
                            VkPipelineStageFlags2 stages) {
  RecordReset(call, commands, event, stages);
}

void CmdWaitEvents::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                           const VkEvent* events, VkPipelineStageFlags source_stages,
                           VkPipelineStageFlags target_stages, uint32_t memory_count,
                           const VkMemoryBarrier* memory, uint32_t buffer_count,
                           const VkBufferMemoryBarrier* buffers, uint32_t image_count,
                           const VkImageMemoryBarrier* images) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  const OldBarriers barriers{{source_stages, target_stages},
                             memory_count,
                             memory,
                             buffer_count,
                             buffers,
                             image_count,
                             images,
                             kOfWait};
  barriers.ForEachMemory(
      [&](const GivenMasks& masks) { CheckMasks(recorder, masks, BarrierKind::kMemory); });
  if (buffer_count + image_count != 0) {
    for (uint32_t i = 0; i < count; ++i) RecordEventScope(recorder, events[i]);
    barriers.RecordResources(recorder);
  }
  // Behind the records of scopes, which begin the command.
  for (uint32_t i = 0; i < count; ++i)
    RecordEventWait(recorder, events[i], i + 1 == count, {source_stages, 0, false}, target_stages);
  for (uint32_t i = 0; i < count; ++i) {
    barriers.ForEachGlobal(
        [&](const GivenMasks& masks) { RecordWait(recorder, events[i], masks); });
  }
}

void CmdWaitEvents2::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                            const VkEvent* events, const VkDependencyInfo* infos) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  for (uint32_t i = 0; i < count; ++i) {
    // Each event has barriers of its own.
    recorder.NextCommand();
    if (const PlainObject* event = UseEvent(call, events[i]); event != nullptr) {
      CheckSync2(call, *event, "03836");
      CheckWaitFlags(recorder, *event, infos[i]);
    }
    RecordEventScope(recorder, events[i]);
    RecordResources(recorder, infos[i], kOfWait);
    RecordEventWait(recorder, events[i], true, DependencyOf(infos[i]), TargetStagesOf(infos[i]));
    ForEachGlobal(infos[i],
                  [&](const GivenMasks& masks) { RecordWait(recorder, events[i], masks); });
  }
}

}  // namespace gpusan::vulkan
