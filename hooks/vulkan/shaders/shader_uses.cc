// See the header.
#include "hooks/vulkan/shaders/shader_uses.h"

namespace gpusan::vulkan {
namespace {

// How a shader reads a descriptor of that type.
uint64_t ReadAccess(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return VK_ACCESS_2_UNIFORM_READ_BIT;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
    default:
      return VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
  }
}

bool MayBeWritten(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

void RecordUse(Recorder& recorder, const PipelineBinding& used, const LayoutBinding& binding,
               const Descriptor& descriptor, uint64_t dynamic_offset) {
  const ShaderAccess access = ShaderAccessOf(used, binding.type);
  // It may name something else by the time that it runs, or may not be used.
  if (binding.update_after_bind) {
    if (access.writes) recorder.state().unseen_writes = true;
    return;
  }
  // Of an array nobody knows whether it is used.
  if (descriptor.seen_through && !used.array) {
    for (const WeakRef<PlainObject>& held : {descriptor.view, descriptor.sampler}) {
      if (held.object == nullptr) continue;
      if (PlainObject* object = held.get(); object != nullptr) recorder.Hold(*object);
    }
  }
  Resource* resource = descriptor.resource.get();
  if (resource == nullptr) return;
  // Which descriptors of an array a shader uses is not known: they count for lifetime alone. Of an
  // input attachment that the subpass writes as well, nobody knows which comes first.
  const bool input = binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const bool unordered =
      used.array || (input && !recorder.state().pass.OnlyReads(*resource, descriptor.extent.part));
  if (!resource->live()) {
    if (used.array) return;
    recorder.call().tracker().CheckStaleUse(
        recorder.call(),
        {resource, resource->handle, &recorder.call().info(), recorder.call().site()});
    return;
  }
  auto complete = [&](RecordedUse& use) {
    use.shader = true;
    use.unordered = unordered;
    use.of_subpass = input;
  };
  Extent extent = descriptor.extent;
  if (dynamic_offset != 0) extent.region.offset += dynamic_offset;
  if (access.reads) {
    complete(recorder.Use(*resource, extent, used.stages, access.read,
                          unordered ? kNoLayout : descriptor.layout));
  }
  if (access.writes) {
    complete(recorder.Write(*resource, extent, used.stages, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                            unordered ? kNoLayout : descriptor.layout));
  }
}

// All that the set names lives, looked at anew only where something was destroyed since. False
// also where a descriptor's resource is forgotten by now.
bool NamesLive(DescriptorSetState& set) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  if (set.live_at == released) [[likely]]
    return true;
  for (const Descriptor& descriptor : set.descriptors) {
    if (descriptor.resource.object == nullptr) continue;
    const Resource* resource = descriptor.resource.get();
    if (resource == nullptr || !resource->live()) return false;
  }
  set.live_at = released;
  return true;
}

// Descriptors are recorded one by one.
[[gnu::noinline]] void RecordEach(Recorder& recorder, const PipelineState& pipeline, uint32_t index,
                                  const BoundSet& bound, const SetLayout& layout,
                                  const std::vector<Descriptor>& descriptors) {
  ForEachUsed(
      pipeline, index, layout, descriptors, bound.offsets,
      [&](const PipelineBinding& used, const LayoutBinding& binding, const Descriptor& descriptor,
          uint64_t offset) { RecordUse(recorder, used, binding, descriptor, offset); });
}

void RecordSet(Recorder& recorder, PlainObject& pipeline_object, const PipelineState& pipeline,
               uint32_t index, BoundSet& bound) {
  PlainObject* object = bound.set.get();
  if (object == nullptr) {
    if (bound.pushed != nullptr)
      RecordEach(recorder, pipeline, index, bound, *bound.pushed->layout,
                 bound.pushed->descriptors);
    return;
  }
  auto* set = static_cast<DescriptorSetState*>(object->part);
  const bool usable = object->live() && set != nullptr && set->layout != nullptr;
  if (usable && !set->layout->early && bound.offsets.size() <= RecordedSet::kMaxOffsets &&
      NamesLive(*set)) [[likely]] {
    recorder.AppendSet({bound.offsets.data(), bound.offsets.size()}, object, bound.set.generation,
                       pipeline_object.generation.load(std::memory_order_relaxed), &pipeline_object,
                       index, static_cast<uint32_t>(bound.offsets.size()));
    return;
  }
  recorder.Append<RecordedHold>(object, bound.set.generation);
  if (usable) RecordEach(recorder, pipeline, index, bound, *set->layout, set->descriptors);
}

// All that the set names counts when the command runs, and nothing is to be said of it now: then
// its plain_at says so.
void CheckPlain(BoundSet& bound) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  bound.plain_at = 0;
  if (PlainObject* object = bound.set.get(); object != nullptr) {
    if (object->live() && MarkPlain(*object) == released) bound.plain_at = released;
  } else if (bound.set.object == nullptr && bound.pushed == nullptr) {
    bound.plain_at = released;
  }
}

}  // namespace

ShaderAccess ShaderAccessOf(const PipelineBinding& used, VkDescriptorType type) {
  const bool writes = used.writes && MayBeWritten(type);
  // Atomics may meet: as writes alone they are judged against all but other shaders' writes.
  return {!writes || (used.reads && !used.atomic), writes, ReadAccess(type)};
}

uint32_t MarkPlain(PlainObject& object) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  auto* set = static_cast<DescriptorSetState*>(object.part);
  const bool plain = set != nullptr && set->layout != nullptr && !set->layout->early &&
                     !set->dynamic && NamesLive(*set);
  object.mark.store(plain ? released : 0, std::memory_order_relaxed);
  return plain ? released : 0;
}

void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point) {
  BindPoint& bound = recorder.state().bindings.At(point);
  // As of before anything is looked at.
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  PlainObject* object = bound.pipeline.get();
  if (object == nullptr) return;
  recorder.Hold(*object);
  if (!object->live()) return;
  const auto& pipeline = static_cast<PipelineState&>(*object->part);
  if (pipeline.incomplete) {
    recorder.state().unseen_writes = true;
  } else {
    bound.plain_at = released;
  }
  uint32_t index = 0;
  for (BoundSet& set : bound.sets) {
    RecordSet(recorder, *object, pipeline, index++, set);
    if (set.plain_at != released) CheckPlain(set);
  }
}

}  // namespace gpusan::vulkan
