// Replay: what shaders access through descriptor sets, with the writes that surely happen.
#include <bit>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/shaders/set_checks.h"
#include "hooks/vulkan/shaders/shader_uses.h"
#include "hooks/vulkan/submission/replayer.h"
#include "tracker/rules/events/shader_overrun.h"

namespace gpusan::vulkan {
namespace {

// Describes the accesses of a dispatch that surely happen behind the bytes that the descriptor
// covers, of its writes if there are any; nullopt: there are none. The event lacks the size of the
// dispatch.
[[gnu::noinline, gnu::cold]] std::optional<rules::ShaderOverrun> FindOverrun(
    const RecordedSet& record, const PipelineBinding& used, const LayoutBinding& binding,
    const Descriptor& descriptor, const LaunchUses& uses) {
  const Resource* buffer = descriptor.resource.get();
  if (descriptor.extent.is_image || !descriptor.extent.region.linear() || buffer == nullptr ||
      buffer->adopted)
    return std::nullopt;
  const uint64_t covered = descriptor.extent.region.width;
  std::optional<SureBytes> bytes = FindPastTheEnd(uses.writes, covered);
  const bool write = bytes.has_value();
  if (!write) bytes = FindPastTheEnd(uses.reads, covered);
  if (!bytes) return std::nullopt;
  rules::ShaderOverrun overrun;
  overrun.pipeline = record.pipeline;
  overrun.resource = buffer;
  overrun.set = used.set;
  overrun.binding = used.binding;
  overrun.covered = covered;
  overrun.first = bytes->first;
  overrun.last = bytes->last;
  overrun.gaps = bytes->gaps;
  overrun.write = write;
  const bool uniform = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                       binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
  overrun.vuid =
      CommandVuid(record.call->name, uniform ? "uniformBuffers-06935" : "storageBuffers-06936");
  return overrun;
}

// The first of the bytes that each invocation reads: a contiguous range inside of the descriptor.
// `offset`: the dynamic offset. The region is empty if there is none.
Region SurelyRead(const PipelineBinding& used, const Extent& extent, uint64_t offset) {
  if (used.specialized || extent.is_image || !extent.region.linear()) return {};
  const auto first = static_cast<uint64_t>(std::countr_zero(used.sure_words));
  const auto count = static_cast<uint64_t>(std::countr_one(used.sure_words >> first));
  if ((first + count) * sizeof(uint32_t) > extent.region.width) return {};
  return Region::Linear(extent.region.offset + offset + first * sizeof(uint32_t),
                        count * sizeof(uint32_t));
}

}  // namespace

void Replayer::UseSet(const RecordedSet& record) {
  if (!Hold(record.set, record.generation, record)) return;
  const auto& set = static_cast<const DescriptorSetState&>(*record.set->part);
  if (record.pipeline->generation.load(std::memory_order_relaxed) != record.pipeline_generation)
    return;
  const PipelineState& pipeline = PipelineOf(*record.pipeline);
  if (IsIncompatible(pipeline, record.index, *set.layout)) [[unlikely]] {
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    return ReportIncompatible(made, *record.pipeline, *record.set, record.index);
  }
  if (record.call != last_dispatch_) {
    last_dispatch_ = record.call;
    runs_surely_ = RunsSurely(*record.call);
  }
  const DispatchUses uses(pipeline, inputs_, record.index, *set.layout, set.descriptors);
  ForEachUsed(
      pipeline, record.index, *set.layout, set.descriptors, {record.offsets(), record.offset_count},
      [&](const PipelineBinding& used, const LayoutBinding& binding, const Descriptor& descriptor,
          uint64_t offset) { UseDescriptor(record, used, binding, descriptor, offset, uses); });
}

[[gnu::always_inline]] inline RecordedUse Replayer::UseThrough(const RecordedSet& record,
                                                               const PipelineBinding& used,
                                                               const Descriptor& descriptor) const {
  RecordedUse use{record};
  use.kind = RecordKind::kUse;
  use.generation = descriptor.resource.generation;
  use.layout = used.array ? kNoLayout : descriptor.layout;
  use.stage = used.stages;
  use.shader = true;
  use.unordered = used.array;
  use.of_subpass = used.interlocked;
  use.content_used = runs_surely_ && UsesContent(used, descriptor, queue_.device.features);
  return use;
}

void Replayer::CheckOverrun(const RecordedSet& record, const PipelineBinding& used,
                            const LayoutBinding& binding, const Descriptor& descriptor,
                            const DispatchUses& uses) const {
  const LaunchUses* known = uses.Find(used);
  if (known == nullptr) return;
  auto overrun = FindOverrun(record, used, binding, descriptor, *known);
  if (!overrun) return;
  overrun->size = GroupsText(inputs_);
  Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
  rules::OnShaderOverrun(*overrun, made);
}

void Replayer::UseDescriptor(const RecordedSet& record, const PipelineBinding& used,
                             const LayoutBinding& binding, const Descriptor& descriptor,
                             uint64_t offset, const DispatchUses& uses) {
  if (descriptor.written_at >= ended_at_ && !used.array && !binding.update_after_bind &&
      ended_at_ != 0 && !late_write_known_) [[unlikely]]
    ReportLateWrite(record, binding.binding);
  if (descriptor.seen_through && !used.array) {
    for (const WeakRef<PlainObject>& held : {descriptor.view, descriptor.sampler}) {
      if (held.object != nullptr) Hold(held.object, held.generation, record);
    }
  }
  if (MayBeUnnormalized(used) && runs_surely_) [[unlikely]] {
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    CheckUnnormalized(made, record.set, used, descriptor);
  }
  if (descriptor.resource.object == nullptr || IsSamplerAlone(used)) {
    if (IsNeverWritten(used, binding, descriptor)) [[unlikely]] {
      Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
      ReportNeverWritten(made, *record.set, used);
    }
    return;
  }
  // It is unknown which descriptors of an array are used: they count for lifetime only.
  Resource* resource =
      used.array ? descriptor.resource.get()
                 : Live(descriptor.resource.object, descriptor.resource.generation, record);
  if (resource == nullptr || !resource->live()) return;
  const ShaderAccess shader = ShaderAccessOf(used, binding.type);
  RecordedUse use = UseThrough(record, used, descriptor);
  use.resource = resource;
  if (use.content_used && IsOfOtherShape(used, descriptor)) [[unlikely]] {
    Call made(tracker_, *record.call, call_.words(), nullptr, nullptr, record.site, label_);
    ReportOfOtherShape(made, record.set, used, descriptor);
  }
  // Before the access to all bytes that the shader may write: in the history, that access replaces
  // the accesses before it.
  Extent written = descriptor.extent;
  if (!used.written.empty() && runs_surely_ && !uses.may_not_run() &&
      uses.Narrow(used, true, &written) != KnownBytes::kExactly) [[unlikely]] {
    RecordedUse sure = use;
    sure.access = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    sure.write = sure.sure_part = true;
    sure.shader = false;
    ForEachWritten(used, descriptor, offset, [&](const Region& region) {
      ScopedAccess access = AccessOf(sure);
      access.extent = region;
      Use(*resource, sure, access);
    });
  }
  if (!used.texels.empty() && runs_surely_ && PipelineOf(*record.pipeline).stores_texels)
      [[unlikely]]
    UseTexels(used, descriptor, use);
  bool checked = false;  // against the end of the descriptor
  for (const bool write : {false, true}) {
    if (!(write ? shader.writes : shader.reads)) continue;
    Extent extent = descriptor.extent;
    const KnownBytes bytes = uses.Narrow(used, write, &extent);
    if (bytes == KnownBytes::kNone) continue;
    if (bytes == KnownBytes::kNothing && !checked && runs_surely_ && !queue_.device.robust_vertices)
        [[unlikely]] {
      checked = true;
      CheckOverrun(record, used, binding, descriptor, uses);
    }
    use.sure_part = bytes == KnownBytes::kExactly;
    use.maybe = bytes == KnownBytes::kMaybe || uses.may_not_run() || !runs_surely_;
    use.access = write ? VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : shader.read;
    use.write = write;
    ScopedAccess access = AccessOf(use);
    access.extent = extent;
    if (offset != 0) access.extent.region.offset += offset;
    if (used.sure_words != 0 && !write && !use.maybe)
      sure_read_ = SurelyRead(used, descriptor.extent, offset);
    Use(*resource, use, access);
    sure_read_ = {};
  }
}

// Before the access to all texels, as above.
void Replayer::UseTexels(const PipelineBinding& used, const Descriptor& descriptor,
                         const RecordedUse& use) {
  RecordedUse sure = use;
  sure.access = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
  sure.write = sure.sure_part = true;
  sure.shader = sure.content_used = false;
  sure.layout = kNoLayout;
  for (const ShaderTexels& texels : used.texels) {
    const auto part = WrittenPart(used, texels, descriptor, inputs_);
    if (!part) continue;
    ScopedAccess access = AccessOf(sure);
    access.extent = *part;
    Use(*use.resource, sure, access);
  }
}

void Replayer::ReportLateWrite(const RecordedSet& record, uint32_t binding) {
  late_write_known_ = true;
  rules::DescriptorUse use;
  use.fault = rules::DescriptorUse::Fault::kWrittenAfterRecording;
  use.set = record.set;
  use.binding = binding;
  use.recorder = record.call;
  use.recorded_at = record.site;
  use.vuid = InvalidCommandsVuid(call_.info().name);
  rules::OnDescriptorUse(use, call_);
}

}  // namespace gpusan::vulkan
