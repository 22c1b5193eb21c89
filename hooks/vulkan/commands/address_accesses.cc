// Accesses of compute shaders to buffers whose addresses are push constants.
#include "hooks/vulkan/commands/address_accesses.h"

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "tracker/rules/shader_overrun.h"

namespace gpusan::vulkan {
namespace {

// An address in the push constants.
struct PushedAddress {
  const PlainObject& pipeline;
  uint64_t push_offset = 0;  // [bytes]
  uint64_t address = 0;
  DeviceAddresses::Found found;  // with a buffer
};

// Reports an access that surely happens, and surely ends behind the end of the buffer. Other
// buffers may have the bytes there.
[[gnu::noinline, gnu::cold]] void CheckEnd(Recorder& recorder, const PushedAddress& pushed,
                                           const LaunchUses& uses) {
  VkCall& call = recorder.call();
  const Resource& buffer = *pushed.found.buffer;
  const uint64_t covered = buffer.bytes - pushed.found.offset;
  std::optional<SureBytes> bytes = FindPastTheEnd(uses.writes, covered);
  const bool write = bytes.has_value();
  if (!write) bytes = FindPastTheEnd(uses.reads, covered);
  if (!bytes) return;
  const auto end = static_cast<uint64_t>(bytes->last);
  if (buffer.adopted || MayBelongToOther(buffer, buffer.bytes, pushed.found.offset + end) ||
      call.device().addresses.Find(pushed.address + end - 1).buffer != nullptr)
    return;
  rules::ShaderOverrun overrun;
  overrun.pipeline = &pushed.pipeline;
  overrun.resource = &buffer;
  overrun.push_offset = pushed.push_offset;
  overrun.address_offset = pushed.found.offset;
  overrun.covered = covered;
  overrun.first = bytes->first;
  overrun.last = bytes->last;
  overrun.gaps = bytes->gaps;
  overrun.write = write;
  const Groups& groups = recorder.state().inputs.groups;
  overrun.size = absl::StrCat(groups.x, " x ", groups.y, " x ", groups.z);
  overrun.vuid = "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819";
  rules::OnShaderOverrun(overrun, call);
}

void RecordUses(Recorder& recorder, const PushedAddress& pushed, const LaunchUses& uses) {
  Resource& buffer = *pushed.found.buffer;
  const uint64_t offset = pushed.found.offset;
  bool checked = false;
  for (const bool write : {false, true}) {
    Region region = Region::Linear(offset, buffer.bytes - offset);
    const KnownBytes known = Narrow(uses, write, &region);
    if (known == KnownBytes::kNone) continue;
    if (known == KnownBytes::kNothing) {
      if (!checked && buffer.live()) CheckEnd(recorder, pushed, uses);
      checked = true;
      continue;
    }
    RecordedUse& use = recorder.Use(
        buffer, region, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
        write ? VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
        kNoLayout, write);
    use.shader = true;
    use.by_address = true;
    use.needs_buffer = true;
    use.sure_part = known == KnownBytes::kExactly;
    use.maybe = known == KnownBytes::kMaybe;
  }
}

}  // namespace

void RecordAddressUses(Recorder& recorder) {
  const CommandBufferState& state = recorder.state();
  const PlainObject* pipeline = state.bindings.compute.pipeline.get();
  if (pipeline == nullptr || !pipeline->live() || state.inputs.groups.x == 0 ||
      MayBeSkipped(recorder))
    return;
  const DispatchRanges& ranges = *PipelineOf(*pipeline).ranges;
  // The lengths of bound buffers are not known here.
  const DispatchRanges::Uses uses =
      ranges.UsesOf(state.inputs, [](uint32_t, uint32_t) { return 0; });
  for (size_t i = 0; i < ranges.addresses().size(); ++i) {
    PushedAddress pushed = {*pipeline, ranges.addresses()[i]};
    if (!state.bindings.push_constants.Read(pushed.push_offset, sizeof(pushed.address),
                                            &pushed.address))
      continue;
    pushed.found = recorder.call().device().addresses.FindAny(pushed.address);
    if (pushed.found.buffer != nullptr) RecordUses(recorder, pushed, ranges.UsesOfAddress(uses, i));
  }
}

}  // namespace gpusan::vulkan
