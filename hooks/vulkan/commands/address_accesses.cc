// Accesses of compute and vertex shaders to buffers whose addresses are push constants.
#include "hooks/vulkan/commands/address_accesses.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "tracker/rules/shader_overrun.h"

namespace gpusan::vulkan {
namespace {

// What runs the shader.
struct Runs {
  const PlainObject& pipeline;
  uint64_t stage;      // VkPipelineStageFlags2
  uint64_t counts[3];  // workgroups; or vertices and instances

  bool of_draw() const { return stage != VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT; }
};

// An address in the push constants.
struct PushedAddress {
  const Runs& runs;
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
  overrun.pipeline = &pushed.runs.pipeline;
  overrun.resource = &buffer;
  overrun.push_offset = pushed.push_offset;
  overrun.address_offset = pushed.found.offset;
  overrun.covered = covered;
  overrun.first = bytes->first;
  overrun.last = bytes->last;
  overrun.gaps = bytes->gaps;
  overrun.write = write;
  const auto& counts = pushed.runs.counts;
  overrun.of_draw = pushed.runs.of_draw();
  overrun.size = overrun.of_draw ? absl::StrCat(counts[0], " vertices")
                                 : absl::StrCat(counts[0], " x ", counts[1], " x ", counts[2]);
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
        buffer, region, pushed.runs.stage,
        write ? VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT : VK_ACCESS_2_SHADER_STORAGE_READ_BIT,
        kNoLayout, write);
    use.shader = true;
    use.by_address = true;
    use.needs_buffer = true;
    use.sure_part = known == KnownBytes::kExactly;
    use.maybe = known == KnownBytes::kMaybe;
  }
}

// `uses`: of ranges.UsesOfAddress. `constants`: those of the stage.
void RecordEach(Recorder& recorder, const Runs& runs, const DispatchRanges& ranges,
                const std::vector<LaunchUses>& uses, const PushConstants& constants) {
  for (size_t i = 0; i < ranges.addresses().size(); ++i) {
    PushedAddress pushed = {runs, ranges.addresses()[i]};
    if (!constants.Read(pushed.push_offset, sizeof(pushed.address), &pushed.address)) continue;
    pushed.found = recorder.call().device().addresses.FindAny(pushed.address);
    if (pushed.found.buffer != nullptr) RecordUses(recorder, pushed, ranges.UsesOfAddress(uses, i));
  }
}

}  // namespace

void RecordAddressUses(Recorder& recorder) {
  const CommandBufferState& state = recorder.state();
  const PlainObject* pipeline = state.bindings.compute.pipeline.get();
  const Groups& groups = state.inputs.groups;
  if (pipeline == nullptr || !pipeline->live() || groups.x == 0 || MayBeSkipped(recorder)) return;
  const DispatchRanges& ranges = *PipelineOf(*pipeline).ranges;
  // The lengths of bound buffers are not known here.
  const DispatchRanges::Uses uses =
      ranges.UsesOf(state.inputs, [](uint32_t, uint32_t) { return 0; });
  RecordEach(recorder,
             {*pipeline, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, {groups.x, groups.y, groups.z}},
             ranges, *uses, state.bindings.push_constants);
}

void RecordAddressUses(Recorder& recorder, LaunchShape shape) {
  const CommandBufferState& state = recorder.state();
  const PlainObject* object = state.bindings.graphics.pipeline.get();
  if (object == nullptr || !object->live() || MayBeSkipped(recorder)) return;
  const PipelineState& pipeline = PipelineOf(*object);
  // The vertices of the last triangle may not run if some are missing.
  constexpr uint64_t kOfTriangle = 3;
  uint64_t& vertices = shape.global_size[0];
  vertices -= vertices % kOfTriangle;
  if (vertices == 0 || pipeline.vertex_ranges == nullptr) return;
  const PushConstants& constants = state.bindings.vertex_constants;
  const DispatchRanges& ranges = *pipeline.vertex_ranges;
  RecordEach(recorder,
             {*object, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, {vertices, shape.global_size[1], 1}},
             ranges, ranges.UsesOfDraw(shape, ranges.Pushed(constants)), constants);
}

}  // namespace gpusan::vulkan
