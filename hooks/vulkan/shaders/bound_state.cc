// The state that is bound in a command buffer while it is recorded.
#include "hooks/vulkan/shaders/bound_state.h"

#include <algorithm>
#include <bit>

#include "absl/strings/str_cat.h"
#include "hooks/common/guard.h"
#include "hooks/vulkan/call/dynamic_states.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

void BoundSet::Clear() {
  const ReentryGuard guard;  // fast paths call it without a guard
  plain_at = compatible = 0;
  set = WeakRef<PlainObject>();
  pushed.reset();
  offsets.clear();
}

void PushedWords::Add(const PushedRange& range) {
  constexpr uint32_t kWords = 64;
  const uint32_t first = std::min(range.offset / 4, kWords);
  const uint32_t count = std::min(range.size / 4, kWords - first);
  if (count == 0) return;
  const PushWords words = (~PushWords{0} >> (kWords - count)) << first;
  for (size_t i = 0; i < kStages; ++i) {
    if ((range.stages >> i & 1) != 0) words_[i] |= words;
  }
}

void PushedWords::AddAll() {
  for (PushWords& words : words_) words = ~PushWords{0};
}

PushWords PushedWords::Missing(const PushNeed& need) const {
  const auto stage = static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(need.stage)));
  if (stage >= kStages) return 0;
  const PushWords missing = need.words & ~words_[stage];
  return need.some && missing != need.words ? 0 : missing;
}

uint32_t BindPoint::MissingSets() const {
  if (unknown_sets) return 0;
  uint32_t missing = needed_sets;
  for (size_t i = 0; i < sets.size() && i < 31; ++i) {
    if (sets[i].set.object != nullptr || sets[i].pushed != nullptr) missing &= ~(uint32_t{1} << i);
  }
  return missing;
}

void Bindings::Clear() {
  for (BindPoint* point : {&compute, &graphics, &other}) {
    point->pipeline = WeakRef<PlainObject>();
    point->plain_at = point->needed_sets = 0;
    point->unknown_sets = point->occupied = false;
    for (BoundSet& set : point->sets) set.Clear();
  }
  ForgetInputs();
  captures.clear();
  bound_vertices = 0;
  index_bound = false;
  pushed = PushedRange();
  pushed_words.Clear();
  ForgetPushConstants();
  supplied = 0;
  set_state = on_state = 0;
  viewports = scissors = 0;
  shader_stages = named_stages = 0;
  undone_by = nullptr;
}

void Bindings::Undo(const CallInfo& by, SiteId at) {
  Clear();
  undone_by = &by;
  undone_at = at;
}

std::string Bindings::SinceUndone() const {
  if (undone_by == nullptr) return "";
  return absl::StrCat(" since ", undone_by->name, ", which makes all earlier state undefined");
}

void Bindings::NotePushed(const PushedRange& range, const void* values) {
  // Those of another layout may be undefined.
  if (range.layout != pushed.layout || values == nullptr) ForgetPushConstants();
  if (values != nullptr) {
    KeepPushed(range, values);
    pushed_words.Add(range);
  } else {
    pushed_words.AddAll();
  }
  pushed = range;
  supplied = kPushConstants;
  for (BindPoint* point : {&compute, &graphics, &other}) {
    if ((point->needed_sets & kPushConstants) != 0) FindUnpushed(point);
  }
}

void Bindings::FindUnpushed(BindPoint* point) const {
  point->needed_sets &= ~kPushConstants;
  const PlainObject* pipeline = point->pipeline.get();
  if (pipeline == nullptr || !pipeline->live()) return;
  for (const PushNeed& need : PipelineOf(*pipeline).push_needs) {
    if (pushed_words.Missing(need) != 0) point->needed_sets |= kPushConstants;
  }
}

void Bindings::SetStrides(uint32_t first, uint32_t count, const VkDeviceSize* strides) {
  // A pipeline with static strides, or vkCmdSetVertexInputEXT, has made earlier ones undefined.
  if (!strides_known || (set_state & kSetsStrides) == 0) {
    for (Range& range : vertex) range.stride = kUnknownStride;
  }
  for (uint32_t i = 0; i < count && first + i < vertex.size(); ++i) {
    const VkDeviceSize stride = strides != nullptr ? strides[i] : kUnknownStride;
    vertex[first + i].stride =
        static_cast<uint32_t>(std::min<VkDeviceSize>(stride, kUnknownStride));
  }
  if (strides == nullptr) return;
  // Whether they replace those of vkCmdSetVertexInputEXT is up to the pipeline.
  for (VertexInput& input : inputs) {
    if (input.binding >= first && input.binding - first < count) input.stride = kUnknownStride;
  }
  strides_known = true;
  set_state |= kSetsStrides;
}

uint32_t Bindings::StrideOf(uint32_t binding) const {
  const bool known = strides_known && (set_state & kSetsStrides) != 0 && binding < vertex.size();
  return known ? vertex[binding].stride : kUnknownStride;
}

void Bindings::ForgetInputs() {
  vertex.clear();
  inputs.clear();
  strides_known = false;
  index = Range();
  index_bytes = 0;
  bound_vertices = ~uint32_t{0};
  index_bound = true;
  set_state |= kSetsStrides;
}

void Bindings::ForgetAll() {
  ForgetInputs();
  NotePushed({}, nullptr);
  set_state = ~uint64_t{0};
  viewports = scissors = 0;
  on_state = kSetsDiscard;
  named_stages = ~VkShaderStageFlags{0};
  for (BindPoint* point : {&compute, &graphics, &other})
    point->unknown_sets = point->occupied = true;
}

PassInstance::Attachment* PassInstance::Find(uint32_t index) {
  for (Attachment& attachment : attachments) {
    if (attachment.index == index && attachment.image.get() != nullptr) return &attachment;
  }
  return nullptr;
}

bool PassInstance::OnlyReads(const Resource& image, const ImagePart& part) const {
  if (pass_info == nullptr) return false;
  bool reads = false;
  if (inherited) {
    // Whichever it is.
    for (const RenderPassInfo::Use& use : pass_info->subpasses[subpass].uses) {
      if (!use.input) continue;
      if (use.writable) return false;
      reads = true;
    }
    return reads;
  }
  for (const Attachment& attachment : attachments) {
    if (attachment.image.get() != &image || !Overlaps(attachment.part, part)) continue;
    for (const RenderPassInfo::Use& use : pass_info->subpasses[subpass].uses) {
      if (use.attachment != attachment.index) continue;
      if (use.writable) return false;
      reads |= use.input;
    }
  }
  return reads;
}

bool PassInstance::ReadsAndWrites(const Resource& image, const ImagePart& part) const {
  if (inherited || (pass_info != nullptr && pass_info->subpasses[subpass].ordered_inputs))
    return false;
  for (const Attachment& attachment : attachments) {
    if (attachment.image.get() != &image || !Overlaps(attachment.part, part)) continue;
    if (pass_info == nullptr) {
      if (attachment.local_read) return !ordered_inputs;
      continue;
    }
    for (const RenderPassInfo::Use& use : pass_info->subpasses[subpass].uses) {
      if (use.attachment == attachment.index && use.input && use.writable) return true;
    }
  }
  return false;
}

void PassInstance::Clear() {
  attachments.clear();
  pass_info.reset();
  formats.Clear();
  compatibility = framebuffer = 0;
  area = {};
  subpass = layers = read_only = 0;
  flags = 0;
  kind = Kind::kNone;
  begun = is_inline = only_secondaries = ordered_inputs = inherited = false;
}

}  // namespace gpusan::vulkan
