// Accesses of compute, vertex and fragment shaders to buffers whose addresses are push constants.
#include "hooks/vulkan/commands/address_accesses.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/aliases.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "tracker/rules/events/shader_overrun.h"

namespace gpusan::vulkan {
namespace {

// The dispatch or draw that runs the shader.
struct Runs {
  const PlainObject& pipeline;
  uint64_t stage;      // VkPipelineStageFlags2
  uint64_t counts[3];  // workgroups; or vertices and instances
  bool surely = true;

  bool of_draw() const { return stage != VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT; }
};

// An address in the push constants.
struct PushedAddress {
  const Runs& runs;
  uint64_t push_offset = 0;  // [bytes]
  uint64_t address = 0;
  DeviceAddresses::Found found;  // with a buffer
};

// Reports an access that surely happens, and surely ends past the end of the buffer. Other
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
  overrun.of_draw = pushed.runs.of_draw();
  overrun.size = overrun.of_draw ? absl::StrCat(pushed.runs.counts[0], " vertices")
                                 : GroupsText(recorder.state().inputs);
  overrun.vuid = "VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819";
  rules::OnShaderOverrun(overrun, call);
}

// Whether all accesses are to the first `bytes` bytes.
bool IsInside(const LaunchUse& use, uint64_t bytes) {
  return use.ranged && use.first >= 0 && static_cast<uint64_t>(use.last) <= bytes;
}

void RecordUses(Recorder& recorder, const PushedAddress& pushed, const LaunchUses& uses) {
  Resource& buffer = *pushed.found.buffer;
  const uint64_t offset = pushed.found.offset, covered = buffer.bytes - offset;
  bool checked = false;
  for (const bool write : {false, true}) {
    Region region = Region::Linear(offset, covered);
    KnownBytes known = Narrow(uses, write, &region);
    if (known == KnownBytes::kNone) continue;
    if (!pushed.runs.surely) {
      if (known == KnownBytes::kNothing || !IsInside(write ? uses.writes : uses.reads, covered))
        continue;
      known = KnownBytes::kMaybe;
    }
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

// Sets the buffer of an address. Returns false if it is not known.
bool FindBuffer(Recorder& recorder, const PushConstants& constants, PushedAddress* pushed) {
  if (!constants.Read(pushed->push_offset, sizeof(pushed->address), &pushed->address)) return false;
  pushed->found = recorder.call().device().addresses.FindAny(pushed->address);
  return pushed->found.buffer != nullptr;
}

// `uses`: of ranges.UsesOfAddress. `constants`: those of the stage. `records(address)`: whether to
// record the accesses through the address.
template <typename Records>
void RecordEach(Recorder& recorder, const Runs& runs, const DispatchRanges& ranges,
                const std::vector<LaunchUses>& uses, const PushConstants& constants,
                Records records) {
  const auto addresses = ranges.addresses();
  for (size_t i = 0; i < addresses.size(); ++i) {
    const DispatchRanges::Address& address = addresses[i];
    PushedAddress pushed = {runs, address.offset};
    if (records(address) && FindBuffer(recorder, constants, &pushed))
      RecordUses(recorder, pushed, ranges.UsesOfAddress(uses, i));
  }
}

// Records accesses that are the same for each vertex and instance, or for each fragment.
void RecordConstantUses(Recorder& recorder, const Runs& runs, const DispatchRanges& ranges) {
  const PushConstants& constants = recorder.state().bindings.draw_constants;
  const DispatchRanges::Uses uses = ranges.UsesOf({{1, 1, 1}, {}, ranges.Pushed(constants)},
                                                  [](uint32_t, uint32_t) { return 0; });
  RecordEach(recorder, runs, ranges, *uses, constants, [](const DispatchRanges::Address& address) {
    return !address.names_vertex && !address.names_instance;
  });
}

// The vertices of a draw are numbers in a buffer, the least of which is known. The buffer at an
// address counts as accessed from that vertex on.
void RecordIndexedUses(Recorder& recorder, const Runs& runs, const DispatchRanges& ranges,
                       const std::vector<LaunchUses>& uses, const PushConstants& constants) {
  for (size_t i = 0; i < ranges.addresses().size(); ++i) {
    PushedAddress pushed = {runs, ranges.addresses()[i].offset};
    if (!ranges.addresses()[i].names_vertex || !FindBuffer(recorder, constants, &pushed)) continue;
    LaunchUses from = ranges.UsesOfAddress(uses, i);
    if (from.atomics.possible) continue;
    const uint64_t covered = pushed.found.buffer->bytes - pushed.found.offset;
    for (LaunchUse* use : {&from.reads, &from.writes}) {
      if (!IsInside(*use, covered)) continue;
      use->sure = use->exact = false;
      use->last = static_cast<int64_t>(covered);
    }
    RecordUses(recorder, pushed, from);
  }
}

void RecordVertexUses(Recorder& recorder, DrawnBy drawn, LaunchShape shape,
                      const PlainObject& object) {
  const PipelineState& pipeline = PipelineOf(object);
  const DispatchRanges& ranges = *pipeline.vertex_ranges;
  Runs runs = {object, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, {}};
  if (drawn == DrawnBy::kParameters || (drawn == DrawnBy::kIndices && pipeline.restarts)) {
    runs.surely = false;
    return RecordConstantUses(recorder, runs, ranges);
  }
  // The vertices of the last triangle may not run if some are missing.
  constexpr uint64_t kOfTriangle = 3;
  uint64_t& vertices = shape.global_size[0];
  vertices -= vertices % kOfTriangle;
  if (vertices == 0) return;
  runs.counts[0] = vertices;
  runs.counts[1] = shape.global_size[1];
  runs.counts[2] = 1;
  const PushConstants& constants = recorder.state().bindings.draw_constants;
  const std::vector<LaunchUses> uses = ranges.UsesOfDraw(shape, ranges.Pushed(constants));
  RecordEach(recorder, runs, ranges, uses, constants, [&](const DispatchRanges::Address& address) {
    return drawn == DrawnBy::kArguments || !address.names_vertex;
  });
  if (drawn != DrawnBy::kIndices) return;
  runs.surely = false;
  RecordIndexedUses(recorder, runs, ranges, uses, constants);
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
             ranges, *uses, state.bindings.push_constants,
             [](const DispatchRanges::Address&) { return true; });
}

void RecordAddressUses(Recorder& recorder, DrawnBy drawn, LaunchShape shape) {
  const PlainObject* object = recorder.state().bindings.graphics.pipeline.get();
  if (object == nullptr || !object->live() || MayBeSkipped(recorder)) return;
  const PipelineState& pipeline = PipelineOf(*object);
  if (pipeline.vertex_ranges != nullptr) RecordVertexUses(recorder, drawn, shape, *object);
  // No pixel may be covered.
  if (pipeline.fragment_ranges != nullptr)
    RecordConstantUses(recorder, {*object, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, {}, false},
                       *pipeline.fragment_ranges);
}

}  // namespace gpusan::vulkan
