// Records the accesses of shaders for draws and dispatches.
#include "hooks/vulkan/commands/shader_accesses.h"

#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/set_checks.h"
#include "hooks/vulkan/shaders/shader_uses.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// `set`: as in RecordEach.
void RecordUse(Recorder& recorder, const PlainObject* set, const PipelineBinding& used,
               const LayoutBinding& binding, const Descriptor& descriptor, uint64_t dynamic_offset,
               const DispatchUses& uses) {
  const ShaderAccess access = ShaderAccessOf(used, binding.type);
  // The descriptor may name another resource when the command runs, or may be unused.
  if (binding.update_after_bind) {
    if (access.writes) recorder.state().unseen_writes = true;
    return;
  }
  // Whether a shader uses a certain descriptor of an array is unknown.
  if (descriptor.seen_through && !used.array) {
    for (const WeakRef<PlainObject>& held : {descriptor.view, descriptor.sampler}) {
      if (held.object == nullptr) continue;
      if (PlainObject* object = held.get(); object != nullptr) recorder.Hold(*object);
    }
  }
  if (MayBeUnnormalized(used) && RunsSurely(recorder.call().info())) [[unlikely]]
    CheckUnnormalized(recorder.call(), set, used, descriptor);
  Resource* resource = descriptor.resource.get();
  if (resource == nullptr || IsSamplerAlone(used)) return;
  // Which descriptors of an array a shader uses is unknown: they count for lifetime only. So do
  // input attachments of an unknown subpass.
  const bool input = binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const PassInstance& pass = recorder.state().pass;
  const bool only_read = input && pass.OnlyReads(*resource, descriptor.extent.part);
  const bool unordered = used.array || (input && !only_read &&
                                        !pass.ReadsAndWrites(*resource, descriptor.extent.part));
  if (!resource->live()) {
    if (used.array) return;
    Call& call = recorder.call();
    rules::OnStaleUse({resource, resource->handle, &call.info(), call.site()}, call);
    return;
  }
  auto complete = [&](RecordedUse& use, KnownBytes bytes) {
    use.shader = true;
    use.sure_part = bytes == KnownBytes::kExactly;
    use.maybe =
        bytes == KnownBytes::kMaybe || uses.may_not_run() || !RunsSurely(recorder.call().info());
    use.unordered = unordered;
    use.content_used = RunsSurely(recorder.call().info()) &&
                       UsesContent(used, descriptor, recorder.call().device().features);
    use.of_subpass = used.interlocked || (input && (only_read || unordered));
  };
  Extent extent = descriptor.extent;
  if (dynamic_offset != 0) extent.region.offset += dynamic_offset;
  Extent read = extent;
  const KnownBytes reads = uses.Narrow(used, false, &read);
  const KnownBytes writes = uses.Narrow(used, true, &extent);
  if (access.reads && reads != KnownBytes::kNone) {
    complete(recorder.Use(*resource, read, used.stages, access.read,
                          unordered ? kNoLayout : descriptor.layout),
             reads);
  }
  if (access.writes && writes != KnownBytes::kNone) {
    complete(recorder.Write(*resource, extent, used.stages, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                            unordered ? kNoLayout : descriptor.layout),
             writes);
  }
}

// Records the descriptors one by one. `set`: nullptr for pushed descriptors, of which gpusan may
// have missed some.
[[gnu::noinline]] void RecordEach(Recorder& recorder, const PipelineState& pipeline,
                                  const PlainObject* set, uint32_t index, const BoundSet& bound,
                                  const SetLayout& layout,
                                  const std::vector<Descriptor>& descriptors) {
  const DispatchUses uses(pipeline, recorder.state().inputs, index, layout, descriptors);
  ForEachUsed(pipeline, index, layout, descriptors, bound.offsets,
              [&](const PipelineBinding& used, const LayoutBinding& binding,
                  const Descriptor& descriptor, uint64_t offset) {
                if (set != nullptr && IsNeverWritten(used, binding, descriptor)) [[unlikely]]
                  ReportNeverWritten(recorder.call(), *set, used);
                RecordUse(recorder, set, used, binding, descriptor, offset, uses);
              });
}

// Returns false if the shaders surely use a descriptor of the set that was never written.
[[gnu::noinline]] bool UsesWritten(const PipelineState& pipeline, const PlainObject& object,
                                   uint32_t index, const BoundSet& bound) {
  const auto& set = static_cast<const DescriptorSetState&>(*object.part);
  bool written = true;
  ForEachUsed(
      pipeline, index, *set.layout, set.descriptors, bound.offsets,
      [&](const PipelineBinding& used, const LayoutBinding& binding, const Descriptor& descriptor,
          uint64_t) { written = written && !IsNeverWritten(used, binding, descriptor); });
  return written;
}

void RecordSet(Recorder& recorder, PlainObject& pipeline_object, const PipelineState& pipeline,
               uint32_t index, BoundSet& bound) {
  PlainObject* object = bound.set.get();
  if (object == nullptr) {
    if (bound.pushed != nullptr)
      RecordEach(recorder, pipeline, nullptr, index, bound, *bound.pushed->layout,
                 bound.pushed->descriptors);
    return;
  }
  auto* set = static_cast<DescriptorSetState*>(object->part);
  const bool usable = object->live() && set != nullptr && set->layout != nullptr;
  if (usable && IsOfOtherLayout(pipeline, index, bound, *set->layout)) [[unlikely]]
    ReportOfOtherLayout(recorder.call(), pipeline_object, index,
                        bound.compatible == BoundSet::kDisturbed);
  const bool fits = usable && !IsIncompatible(pipeline, index, *set->layout);
  if (fits && !set->layout->early && bound.offsets.size() <= RecordedSet::kMaxOffsets &&
      NamesLive(*set) && (!set->unwritten || UsesWritten(pipeline, *object, index, bound)))
      [[likely]] {
    recorder.AppendSet({bound.offsets.data(), bound.offsets.size()}, object, bound.set.generation,
                       pipeline_object.generation.load(std::memory_order_relaxed), &pipeline_object,
                       index, static_cast<uint32_t>(bound.offsets.size()));
    return;
  }
  recorder.Append<RecordedHold>(object, bound.set.generation);
  if (!usable) return;
  if (!fits) [[unlikely]]
    return ReportIncompatible(recorder.call(), pipeline_object, *object, index);
  RecordEach(recorder, pipeline, object, index, bound, *set->layout, set->descriptors);
}

// Computes plain_at: whether the set is read when the command runs, and needs no check now.
void CheckPlain(BoundSet& bound) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  bound.plain_at = 0;
  if (PlainObject* object = bound.set.get(); object != nullptr) {
    if (object->live() && MarkPlain(*object) == released) bound.plain_at = released;
  } else if (bound.set.object == nullptr && bound.pushed == nullptr) {
    bound.plain_at = released;
  }
}

[[gnu::noinline, gnu::cold]] void ReportNoPipeline(Recorder& recorder, VkPipelineBindPoint point) {
  const bool compute = point == VK_PIPELINE_BIND_POINT_COMPUTE;
  const bool graphics = point == VK_PIPELINE_BIND_POINT_GRAPHICS;
  const char* number = "08606";
  if (recorder.call().device().features.shader_objects && (compute || graphics))
    number = compute ? "10743" : "08684";
  const char* needed = compute    ? "compute pipeline"
                       : graphics ? "graphics pipeline"
                                  : "ray tracing pipeline";
  const Bindings& bindings = recorder.state().bindings;
  ReportSync(recorder.call(), *recorder.state().object, rules::SyncStateUse::Fault::kNoPipeline,
             absl::StrCat(needed, " is bound", bindings.SinceUndone()), number,
             {bindings.undone_by, bindings.undone_at});
}

[[gnu::noinline, gnu::cold]] void CheckMissingSets(Recorder& recorder, const PlainObject& pipeline,
                                                   uint32_t missing) {
  const CommandBufferState& state = recorder.state();
  // With the feature a draw or dispatch that does not run needs no push constants.
  if (recorder.call().device().features.maintenance4 &&
      (MayBeSkipped(recorder) || !RunsSurely(recorder.call().info())))
    missing &= ~kPushConstants;
  ReportMissingSets(recorder.call(), pipeline, missing, state.bindings);
}

}  // namespace

void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point) {
  BindPoint& bound = recorder.state().bindings.At(point);
  // Read before any check.
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  PlainObject* object = bound.pipeline.get();
  if (object == nullptr) {
    if (!bound.occupied) [[unlikely]]
      ReportNoPipeline(recorder, point);
    return;
  }
  recorder.Hold(*object);
  if (!object->live()) return;
  const PipelineState& pipeline = PipelineOf(*object);
  if (pipeline.incomplete) {
    recorder.state().unseen_writes = true;
  } else {
    bound.plain_at = released;
  }
  if (const uint32_t missing = bound.MissingSets(); missing != 0) [[unlikely]]
    CheckMissingSets(recorder, *object, missing);
  uint32_t index = 0;
  for (BoundSet& set : bound.sets) {
    RecordSet(recorder, *object, pipeline, index++, set);
    if (set.plain_at != released) CheckPlain(set);
  }
}

}  // namespace gpusan::vulkan
