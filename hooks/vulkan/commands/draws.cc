// See the header. Which vertices a draw reads is up to its indices: the bound range counts as read.
#include "hooks/vulkan/commands/draws.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/commands/address_accesses.h"
#include "hooks/vulkan/commands/draw_checks.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/commands/transform_feedback.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/attachment_uses.h"
#include "hooks/vulkan/recording/pass_checks.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "hooks/vulkan/shaders/needed_state.h"
#include "hooks/vulkan/transfers/address_transfers.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

Bindings::Range RangeOf(Resource* buffer, VkDeviceSize offset, VkDeviceSize size) {
  Bindings::Range range;
  if (buffer == nullptr) return range;
  range.buffer = WeakRef<Resource>(buffer);
  const uint64_t left = buffer->bytes - std::min(buffer->bytes, offset);
  range.region = Region::Linear(offset, size == VK_WHOLE_SIZE ? left : std::min(left, size));
  return range;
}

void RecordInput(Recorder& recorder, const Bindings::Range& range, uint64_t stage,
                 uint64_t access) {
  Resource* buffer = range.buffer.get();
  if (buffer == nullptr) return;
  RecordedUse& use = recorder.Use(*buffer, range.region, stage, access);
  use.shader = true;  // the bytes depend on indices and counts
}

// `missing`: the vertex buffers that are not bound. Bits.
[[gnu::noinline, gnu::cold]] void ReportUnboundVertices(VkCall& call, const PlainObject& object,
                                                        uint32_t missing,
                                                        const Bindings& bindings) {
  ReportSync(call, object, Fault::kVertexUnbound, absl::StrCat(std::countr_zero(missing)),
             bindings.SinceUndone(), {bindings.undone_by, bindings.undone_at});
}

// Adds a finding: commands have set state of the pipeline since it was bound.
[[gnu::noinline, gnu::cold]] void ReportReplacedState(VkCall& call, const PlainObject& object,
                                                      const DrawState& draw, uint64_t replaced) {
  ReportSync(call, object, Fault::kStateReplaced, DescribeMissing(draw, replaced).command);
}

// Whether primitives are surely discarded before rasterization.
bool DiscardsSurely(const PipelineState& pipeline, const Bindings& bindings) {
  const DrawState& draw = pipeline.draw_state;
  return (draw.dynamic & kSetsDiscard) != 0
             ? (bindings.set_state & bindings.on_state & kSetsDiscard) != 0
             : (draw.on & kSetsDiscard) != 0;
}

// `captures`: whether transform feedback surely captures a primitive if it is active.
void RecordDraw(Recorder& recorder, bool indexed, bool captures = false) {
  recorder.NeedInline();
  Bindings& bindings = recorder.state().bindings;
  const PlainObject* object = bindings.graphics.pipeline.get();
  if (object != nullptr && object->live()) {
    const PipelineState& pipeline = PipelineOf(*object);
    const PipelineState::VertexBindings used = pipeline.VertexBindingsOf(bindings);
    for (uint32_t i = 0; i < bindings.vertex.size() && i < 32; ++i) {
      if ((used.read >> i & 1) == 0) continue;
      RecordInput(recorder, bindings.vertex[i], VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                  VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
    }
    if (const uint32_t missing = used.needed & ~bindings.bound_vertices; missing != 0) [[unlikely]]
      ReportUnboundVertices(recorder.call(), *object, missing, bindings);
    if ((pipeline.draw_state.dynamic & ~bindings.set_state) != 0) [[unlikely]]
      CheckUnsetState(recorder, *object, pipeline.draw_state);
    const uint64_t fixed = pipeline.draw_state.fixed & kSurelyFixed;
    if (const uint64_t replaced = bindings.set_state & fixed; replaced != 0) [[unlikely]]
      ReportReplacedState(recorder.call(), *object, pipeline.draw_state, replaced);
    PassInstance& pass = recorder.state().pass;
    pass.ordered_inputs = pipeline.ordered_inputs;
    if ((pass.read_only & pipeline.enabled_writes) != 0) [[unlikely]]
      CheckReadOnly(recorder.call(), pass.read_only, *object, pipeline, bindings);
    if (!recorder.state().queries.empty()) [[unlikely]]
      CheckDrawInQueries(recorder.call(), recorder.state(), DiscardsSurely(pipeline, bindings));
    CheckPipeline(recorder.call(), pass, *object, pipeline);
  } else if (object == nullptr) {
    CheckShaders(recorder);
  }
  if (indexed) {
    if (!bindings.index_bound && !recorder.call().device().draws_without_indices) [[unlikely]]
      ReportSync(recorder.call(), *recorder.state().object, Fault::kIndexUnbound,
                 bindings.SinceUndone(), "", {bindings.undone_by, bindings.undone_at});
    RecordInput(recorder, bindings.index, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
                VK_ACCESS_2_INDEX_READ_BIT);
  }
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_GRAPHICS);
  // After all other accesses: a write replaces the accesses that it covers in the history, but
  // reads of input attachments are compared with these.
  if (object != nullptr && object->live()) {
    const PipelineState& pipeline = PipelineOf(*object);
    RecordAttachmentUses(recorder, pipeline.UsesOf(bindings), true);
  }
  if (recorder.state().feedback) [[unlikely]]
    RecordCaptures(recorder, captures);
}

// The buffer that the parameters of draws are in; nullptr if it cannot be read; the finding is
// added then. The ends of valid usages: `aligned` for the offset, `inside` for the range.
Resource* UseParameters(VkCall& call, VkBuffer handle, uint64_t offset, uint64_t bytes,
                        const char* argument, const char* aligned, const char* inside) {
  Resource* buffer = UseBuffer(call, handle, argument);
  if (buffer == nullptr) return nullptr;
  CheckBoundOnce(call, *buffer, argument);
  CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                   "VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT", argument);
  CheckAligned(call, *buffer, "offset", offset, 4, aligned);
  return HasBytes(call, *buffer, offset, bytes, inside) ? buffer : nullptr;
}

// Records a read of draw parameters. `certain`: whether the device reads all of the bytes.
void RecordParameters(Recorder& recorder, Resource* buffer, uint64_t offset, uint64_t bytes,
                      bool certain = true) {
  if (buffer == nullptr) return;
  RecordedUse& use =
      recorder.Use(*buffer, Region::Linear(offset, bytes), VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                   VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
  use.shader = !certain;
  use.maybe = MayBeSkipped(recorder);
}

// The size of the parameters of one draw [bytes], and the ends of the valid usages of commands with
// several draws.
struct DrawKind {
  uint64_t bytes;
  bool indexed;
  const char *stride, *one, *several;       // with a number of draws
  const char *count_stride, *count_inside;  // with a buffer for it
};
constexpr DrawKind kVertices = {sizeof(VkDrawIndirectCommand),
                                false,
                                "drawCount-00476",
                                "drawCount-00487",
                                "drawCount-00488",
                                "stride-03110",
                                "maxDrawCount-03111"};
constexpr DrawKind kIndices = {sizeof(VkDrawIndexedIndirectCommand),
                               true,
                               "drawCount-00528",
                               "drawCount-00539",
                               "drawCount-00540",
                               "stride-03142",
                               "maxDrawCount-03143"};
constexpr DrawKind kMeshTasks = {sizeof(VkDrawMeshTasksIndirectCommandEXT),
                                 false,
                                 "drawCount-07088",
                                 "drawCount-07089",
                                 "drawCount-07090",
                                 "stride-07096",
                                 "maxDrawCount-07097"};
constexpr DrawKind kMeshTasksNV = {sizeof(VkDrawMeshTasksIndirectCommandNV),
                                   false,
                                   "drawCount-02146",
                                   "drawCount-02156",
                                   "drawCount-02157",
                                   "stride-02182",
                                   "maxDrawCount-02183"};

uint64_t ParameterBytes(uint32_t count, uint32_t stride, const DrawKind& kind) {
  return count == 0 ? 0 : (uint64_t{count} - 1) * stride + kind.bytes;
}

// Adds a finding if the device cannot execute that many draws of one command.
void CheckDrawCount(VkCall& call, uint32_t count) {
  const Device& device = call.device();
  const std::string name(CoreName(call.info().name));
  if (!device.features.core.multiDrawIndirect) {
    ReportFeature(call, absl::StrCat("the drawCount ", count), "multiDrawIndirect",
                  absl::StrCat(name, "-drawCount-02718"));
  } else if (count > device.limits.maxDrawIndirectCount) {
    ReportLimit(call, absl::StrCat("the drawCount ", count), "maxDrawIndirectCount",
                device.limits.maxDrawIndirectCount, absl::StrCat(name, "-drawCount-02719"));
  }
}

// Adds a finding if the parameters of consecutive draws are misaligned or overlap.
void CheckStride(VkCall& call, const Resource& buffer, uint32_t stride, const DrawKind& kind,
                 const char* vuid) {
  if (stride >= kind.bytes) [[likely]]
    return CheckAligned(call, buffer, "stride", stride, 4, vuid);
  ReportSync(call, buffer, Fault::kStrideOfParameters, absl::StrCat(stride),
             absl::StrCat(std::string(CoreName(call.info().name)), "-", vuid));
}

void DrawIndirect(VkCall& call, VkCommandBuffer commands, VkBuffer handle, uint64_t offset,
                  uint32_t count, uint32_t stride, const DrawKind& kind) {
  Recorder recorder(call, commands);
  if (!recorder || count == 0) return;
  if (count > 1) CheckDrawCount(call, count);
  const uint64_t bytes = ParameterBytes(count, stride, kind);
  Resource* buffer = UseParameters(call, handle, offset, bytes, "buffer", "offset-02710",
                                   count == 1 ? kind.one : kind.several);
  if (buffer != nullptr && count > 1) CheckStride(call, *buffer, stride, kind, kind.stride);
  RecordParameters(recorder, buffer, offset, bytes);
  RecordDraw(recorder, kind.indexed);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(recorder, DrawnBy::kParameters, {});
}

// `most`: the largest number of draws.
void DrawIndirectCount(VkCall& call, VkCommandBuffer commands, VkBuffer handle, uint64_t offset,
                       VkBuffer counts_handle, uint64_t counts_offset, uint32_t most,
                       uint32_t stride, const DrawKind& kind) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  Resource* counts = UseParameters(call, counts_handle, counts_offset, 4, "countBuffer",
                                   "countBufferOffset-02716", "countBufferOffset-04129");
  RecordParameters(recorder, counts, counts_offset, 4);
  const uint64_t bytes = ParameterBytes(most, stride, kind);
  // Without draws any offset is allowed.
  Resource* buffer = UseParameters(call, handle, most == 0 ? 0 : offset, bytes, "buffer",
                                   "offset-02710", kind.count_inside);
  if (buffer != nullptr && most > 1) CheckStride(call, *buffer, stride, kind, kind.count_stride);
  // The device reads the draw count, which may be 0: no bytes are certainly read.
  RecordParameters(recorder, buffer, offset, bytes, false);
  RecordDraw(recorder, kind.indexed);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(recorder, DrawnBy::kParameters, {});
}

// Elements of vertex buffers that a draw reads; `count` 0: unknown.
struct Elements {
  uint64_t first = 0, count = 0;
};

constexpr uint32_t kOfTriangle = 3;  // fewer vertices may draw nothing

// An input of the bound pipeline, and the buffer that it reads.
struct BoundInput {
  const VertexInput& input;
  const Bindings::Range& range;
  uint32_t stride;  // may be kUnknownStride
};

BoundInput BoundInputOf(const VertexInput& input, const Bindings& bindings) {
  return {input, bindings.vertex[input.binding],
          input.dynamic_stride ? bindings.StrideOf(input.binding) : input.stride};
}

// Whether the draw surely reads an attribute at an offset that is no multiple of its unit.
bool ReadsMisaligned(const BoundInput& bound, const Elements& read) {
  const uint64_t mask = bound.input.unit.bytes - 1u;
  const uint64_t offset = bound.range.region.offset + bound.input.offset;
  const bool first = ((offset + read.first * bound.stride) & mask) != 0;
  const bool steps = (bound.stride & mask) != 0;
  return steps ? read.count != 0 && (first || read.count > 1) : first;
}

[[gnu::noinline, gnu::cold]] void ReportMisalignedVertex(VkCall& call, const BoundInput& bound) {
  const VertexInput& input = bound.input;
  const Resource* buffer = bound.range.buffer.get();
  if (call.device().features.legacy_vertices || buffer == nullptr || !buffer->live()) return;
  // The valid usage is about the address on the device.
  const ScopedState& state = ScopedOf(*buffer);
  if (!state.bound || state.memory_offset % input.unit.bytes != 0) return;
  const uint64_t offset = bound.range.region.offset + input.offset;
  const std::string place = absl::StrCat("offset of an attribute in vertex buffer ", input.binding,
                                         " with the stride ", bound.stride, ":");
  ReportAlignment(call, *buffer, place.c_str(), offset, input.unit.bytes,
                  input.unit.packed ? "format-10389" : "format-10390");
}

[[gnu::noinline, gnu::cold]] void ReportSmallStride(VkCall& call, const PlainObject& object,
                                                    const BoundInput& bound) {
  ReportSync(call, object, Fault::kStrideTooSmall,
             absl::StrCat(bound.stride, " of vertex buffer binding ", bound.input.binding),
             absl::StrCat(bound.input.bytes));
}

// Adds a finding, and returns false, if the draw reads the input past the end of its buffer, at
// an address that its format does not allow, or with a dynamic stride that lets elements overlap.
bool CheckInput(Recorder& recorder, const PlainObject& pipeline, const BoundInput& bound,
                const Elements& read) {
  const VertexInput& input = bound.input;
  if (bound.stride == kUnknownStride) [[unlikely]]
    return true;
  if (input.dynamic_stride && bound.stride != 0 && bound.stride < input.bytes) [[unlikely]] {
    ReportSmallStride(recorder.call(), pipeline, bound);
    return false;
  }
  if (ReadsMisaligned(bound, read)) [[unlikely]]
    ReportMisalignedVertex(recorder.call(), bound);
  if (read.count == 0 || recorder.call().device().robust_vertices) return true;
  const uint64_t bytes = (read.first + read.count - 1) * bound.stride + input.bytes;
  if (bytes <= bound.range.region.width) [[likely]]
    return true;
  const Resource* buffer = bound.range.buffer.get();
  if (buffer == nullptr || !buffer->live() || bound.range.region.width == 0) return true;
  ReportBufferBytes(recorder.call(), *buffer, bound.range.region.offset, bytes, "None-02721");
  return false;
}

// The same for all inputs, up to the first finding.
void CheckVertices(Recorder& recorder, const Elements& vertices, const Elements& instances) {
  const Bindings& bindings = recorder.state().bindings;
  const PlainObject* object = bindings.graphics.pipeline.get();
  if (object == nullptr || !object->live()) return;
  bool fits = true;
  PipelineOf(*object).ForEachInput(bindings, [&](const VertexInput& input) {
    if (input.binding >= bindings.vertex.size()) return;
    const Elements& read = input.per_instance ? instances : vertices;
    fits = fits && CheckInput(recorder, *object, BoundInputOf(input, bindings), read);
  });
}

// The result of the draw depends on bytes of a bound buffer: records that they must have been
// written, unless they were already.
void NeedContent(Recorder& recorder, const Bindings::Range& range, const Region& region,
                 uint64_t stage, uint64_t access) {
  Resource* buffer = range.buffer.get();
  if (buffer == nullptr || !buffer->live() || region.empty() || region.end() > range.region.end() ||
      buffer->init.SurelyCovered(region) || MayBeWrittenUnseen(*buffer)) [[likely]]
    return;
  RecordedUse& use = recorder.Use(*buffer, region, stage, access);
  use.unordered = true;
  use.by_address = true;  // the read of the whole range reports a destroyed buffer
}

// Records which bytes of the vertex and index buffers must have been written. `vertices`: count 0
// for an indexed draw, which may read any vertices. `indices`: in bytes after the offset of the
// index buffer.
void NeedInputs(Recorder& recorder, const Elements& vertices, const Elements& instances,
                const Elements& indices) {
  const Bindings& bindings = recorder.state().bindings;
  const PlainObject* object = bindings.graphics.pipeline.get();
  if (object == nullptr || !object->live() || MayBeSkipped(recorder)) return;
  bool indexed = false;
  const PipelineState& pipeline = PipelineOf(*object);
  pipeline.ForEachInput(bindings, [&](const VertexInput& input) {
    if ((!input.position && (pipeline.position_locations >> (input.location & 63) & 1) == 0) ||
        input.binding >= bindings.vertex.size())
      return;
    const Elements& read = input.per_instance ? instances : vertices;
    indexed |= !input.per_instance;
    const BoundInput bound = BoundInputOf(input, bindings);
    Region region = bound.range.region;
    if (read.count != 0) {
      if (bound.stride == kUnknownStride) return;
      region = Region::Linear(region.offset + read.first * bound.stride,
                              (read.count - 1) * bound.stride + input.bytes);
    }
    NeedContent(recorder, bound.range, region, VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
  });
  if (indexed && indices.count != 0)
    NeedContent(recorder, bindings.index,
                Region::Linear(bindings.index.region.offset + indices.first, indices.count),
                VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT);
}

// The draw reads `bytes` bytes of the index buffer, which has fewer.
[[gnu::noinline, gnu::cold]] void ReportIndices(VkCall& call, const Bindings::Range& index,
                                                uint64_t bytes) {
  const Resource* buffer = index.buffer.get();
  if (buffer == nullptr || !buffer->live() || index.region.width == 0) return;
  ReportBufferBytes(call, *buffer, index.region.offset, bytes, "robustBufferAccess2-08798");
}

// Adds a finding if the draw reads past the end of the index buffer.
void CheckIndices(Recorder& recorder, const Elements& indices) {
  const Bindings& bindings = recorder.state().bindings;
  const uint64_t end = (indices.first + indices.count) * bindings.index_bytes;
  if (end > bindings.index.region.width && !recorder.call().device().robust_indices) [[unlikely]]
    ReportIndices(recorder.call(), bindings.index, end);
}

// Of several draws the elements of that one which reads furthest; no elements if none reads any.
// `infos`: Info, `stride` bytes apart.
template <typename Info>
Elements Furthest(uint32_t count, const Info* infos, uint32_t stride, uint32_t Info::*first,
                  uint32_t Info::*elements) {
  Elements furthest;
  const auto* at = reinterpret_cast<const std::byte*>(infos);
  for (uint32_t i = 0; infos != nullptr && i < count; ++i, at += stride) {
    const auto* info = reinterpret_cast<const Info*>(at);
    const Elements read = {info->*first, info->*elements};
    if (read.count != 0 && read.first + read.count > furthest.first + furthest.count)
      furthest = read;
  }
  return furthest;
}

}  // namespace

uint32_t IndexBytes(VkIndexType type) {
  switch (type) {
    case VK_INDEX_TYPE_UINT16:
      return 2;
    case VK_INDEX_TYPE_UINT32:
      return 4;
    case VK_INDEX_TYPE_UINT8_EXT:
      return 1;
    default:
      return 0;
  }
}

namespace {

// Reports a binding of no buffer that the device does not allow, or that has an offset.
[[gnu::cold]] void CheckNullVertices(VkCall& call, const CommandBufferState& state,
                                     uint64_t offset) {
  const bool second = std::string_view(call.info().name).starts_with("vkCmdBindVertexBuffers2");
  if (!call.device().features.null_descriptors) {
    ReportSync(call, *state.object, rules::SyncStateUse::Fault::kNullVertices,
               "without the feature", second ? "pBuffers-04111" : "pBuffers-04001");
  } else if (offset != 0) {
    ReportSync(call, *state.object, rules::SyncStateUse::Fault::kNullVertices,
               absl::StrCat("with the offset ", offset),
               second ? "pBuffers-04112" : "pBuffers-04002");
  }
}

// `sizes`: may be nullptr. `offset_vuid`: of offsets past the end of a buffer; nullptr: allowed.
void BindVertexBuffers(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
                       const VkBuffer* buffers, const VkDeviceSize* offsets,
                       const VkDeviceSize* sizes, const char* offset_vuid) {
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr || !Bindings::IsSlotRange(first, count)) return;
  std::vector<Bindings::Range>& vertex = state->bindings.vertex;
  for (uint32_t i = first; i < std::min(first + count, 32u); ++i)
    state->bindings.bound_vertices |= uint32_t{1} << i;
  if (vertex.size() < first + count) vertex.resize(first + count);
  for (uint32_t i = 0; i < count; ++i) {
    Resource* buffer =
        buffers[i] != VK_NULL_HANDLE ? UseBuffer(call, buffers[i], "pBuffers[]") : nullptr;
    if (buffers[i] == VK_NULL_HANDLE) [[unlikely]]
      CheckNullVertices(call, *state, offsets[i]);
    if (buffer != nullptr) {
      CheckBoundOnce(call, *buffer, "pBuffers[]");
      CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                       "VK_BUFFER_USAGE_VERTEX_BUFFER_BIT", "pBuffers[]");
      if (offset_vuid != nullptr) HasBytes(call, *buffer, offsets[i], 1, offset_vuid);
      if (sizes != nullptr && sizes[i] != VK_WHOLE_SIZE && offsets[i] < buffer->bytes)
        HasBytes(call, *buffer, offsets[i], sizes[i], "pSizes-03358");
    }
    const uint32_t stride = vertex[first + i].stride;
    vertex[first + i] = RangeOf(buffer, offsets[i], sizes != nullptr ? sizes[i] : VK_WHOLE_SIZE);
    vertex[first + i].stride = stride;
  }
}

}  // namespace

void CmdBindVertexBuffers::Before(VkCall& call, VkCommandBuffer commands, uint32_t first,
                                  uint32_t count, const VkBuffer* buffers,
                                  const VkDeviceSize* offsets) {
  BindVertexBuffers(call, commands, first, count, buffers, offsets, nullptr, "pOffsets-00626");
}

void CmdBindVertexBuffers2::Before(VkCall& call, VkCommandBuffer commands, uint32_t first,
                                   uint32_t count, const VkBuffer* buffers,
                                   const VkDeviceSize* offsets, const VkDeviceSize* sizes,
                                   const VkDeviceSize* strides) {
  BindVertexBuffers(call, commands, first, count, buffers, offsets, sizes,
                    sizes != nullptr ? "pOffsets-03357" : nullptr);
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr || !Bindings::IsSlotRange(first, count)) return;
  state->bindings.SetStrides(first, count, strides);
  const uint32_t most = call.device().limits.maxVertexInputBindingStride;
  for (uint32_t i = 0; strides != nullptr && most != 0 && i < count; ++i) {
    if (strides[i] <= most) [[likely]]
      continue;
    return ReportSync(call, *state->object, Fault::kStrideTooLarge, absl::StrCat(strides[i]),
                      absl::StrCat(most));
  }
}

void CmdBindIndexBuffer::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                VkDeviceSize offset, VkIndexType type) {
  BindIndexBuffer(call, commands, buffer, offset, VK_WHOLE_SIZE, type);
}

void BindIndexBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer handle, VkDeviceSize offset,
                     VkDeviceSize bytes, VkIndexType type) {
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr) return;
  Resource* buffer = handle != VK_NULL_HANDLE ? UseBuffer(call, handle, "buffer") : nullptr;
  if (buffer != nullptr) {
    CheckBoundOnce(call, *buffer, "buffer");
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                     "VK_BUFFER_USAGE_INDEX_BUFFER_BIT", "buffer");
    if (HasBytes(call, *buffer, offset, 1, "offset-08782") && bytes != VK_WHOLE_SIZE)
      HasBytes(call, *buffer, offset, bytes, "size-08768");
    if (const uint32_t one = IndexBytes(type); one != 0)
      CheckAligned(call, *buffer, "offset", offset, one, "offset-08783");
    if (type == VK_INDEX_TYPE_UINT8_EXT && !call.device().byte_indices) [[unlikely]] {
      ReportFeature(call, "the indexType VK_INDEX_TYPE_UINT8", "indexTypeUint8",
                    absl::StrCat(std::string(CoreName(call.info().name)), "-indexType-08787"));
    }
  }
  state->bindings.index = RangeOf(buffer, offset, bytes);
  state->bindings.index_bound = true;
  state->bindings.index_bytes = IndexBytes(type);
}

void CmdDraw::Before(VkCall& call, VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
                     uint32_t first_vertex, uint32_t first_instance) {
  if (vertices == 0 || instances == 0) return;
  Recorder recorder(call, commands);
  if (!recorder) return;
  const Elements read = {first_vertex, vertices}, of_instances = {first_instance, instances};
  CheckVertices(recorder, read, of_instances);
  RecordDraw(recorder, false, vertices >= kOfTriangle);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(recorder, DrawnBy::kArguments,
                      {{vertices, instances, 1}, {first_vertex, first_instance, 0}});
  if (vertices >= kOfTriangle) NeedInputs(recorder, read, of_instances, {});
}

void CmdDrawIndexed::Before(VkCall& call, VkCommandBuffer commands, uint32_t indices,
                            uint32_t instances, uint32_t first, int32_t vertex,
                            uint32_t first_instance) {
  if (indices == 0 || instances == 0) return;
  Recorder recorder(call, commands);
  if (!recorder) return;
  CheckIndices(recorder, {first, indices});
  const Elements of_instances = {first_instance, instances};
  CheckVertices(recorder, {}, of_instances);
  RecordDraw(recorder, true);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(
        recorder, vertex < 0 ? DrawnBy::kParameters : DrawnBy::kIndices,
        {{indices, instances, 1}, {static_cast<uint32_t>(vertex), first_instance, 0}});
  if (indices >= kOfTriangle) {
    const uint64_t bytes = recorder.state().bindings.index_bytes;
    NeedInputs(recorder, {}, of_instances, {first * bytes, indices * bytes});
  }
}

void CmdDrawIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                             VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, kVertices);
}
void CmdDrawIndexedIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                    VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, kIndices);
}
void CmdDrawIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                  VkDeviceSize offset, VkBuffer counts, VkDeviceSize counts_offset,
                                  uint32_t most, uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride, kVertices);
}
void CmdDrawIndexedIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset, VkBuffer counts,
                                         VkDeviceSize counts_offset, uint32_t most,
                                         uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride, kIndices);
}

namespace {

// The same for parameters at an address.
void RecordParametersAt(Recorder& recorder, uint64_t address, uint64_t bytes, bool certain) {
  RecordedUse* use = UseAddressed(recorder, {address, bytes}, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                                  VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
  if (use == nullptr) return;
  use->shader = !certain;
  use->maybe = MayBeSkipped(recorder);
}

}  // namespace

template <DrawsOf what>
void CmdDrawIndirectAt<what>::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info = later::Read<later::VkDrawIndirect2InfoKHR>(call, argument, "pInfo");
  Recorder recorder(call, commands);
  if (!recorder || info == nullptr || info->drawCount == 0) return;
  const auto& range = info->addressRange;
  const DrawKind& kind = what == DrawsOf::kIndices    ? kIndices
                         : what == DrawsOf::kVertices ? kVertices
                                                      : kMeshTasks;
  const uint64_t bytes = SaturatingMultiply(info->drawCount - 1, range.stride) + kind.bytes;
  RecordParametersAt(recorder, range.address, std::min(bytes, range.size), true);
  RecordDraw(recorder, kind.indexed);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(recorder, DrawnBy::kParameters, {});
}
template <DrawsOf what>
void CmdDrawIndirectCountAt<what>::Before(VkCall& call, VkCommandBuffer commands,
                                          const void* argument) {
  const auto* info = later::Read<later::VkDrawIndirectCount2InfoKHR>(call, argument, "pInfo");
  Recorder recorder(call, commands);
  if (!recorder || info == nullptr) return;
  RecordParametersAt(recorder, info->countAddressRange.address, 4, true);
  RecordParametersAt(recorder, info->addressRange.address, info->addressRange.size, false);
  RecordDraw(recorder, what == DrawsOf::kIndices);
  if (recorder.state().bindings.graphics.by_address) [[unlikely]]
    RecordAddressUses(recorder, DrawnBy::kParameters, {});
}
template struct CmdDrawIndirectAt<DrawsOf::kVertices>;
template struct CmdDrawIndirectAt<DrawsOf::kIndices>;
template struct CmdDrawIndirectAt<DrawsOf::kMeshTasks>;
template struct CmdDrawIndirectCountAt<DrawsOf::kVertices>;
template struct CmdDrawIndirectCountAt<DrawsOf::kIndices>;
template struct CmdDrawIndirectCountAt<DrawsOf::kMeshTasks>;

void CmdDrawIndirectByteCount::Before(VkCall& call, VkCommandBuffer commands, uint32_t instances,
                                      uint32_t, VkBuffer counter, VkDeviceSize offset, uint32_t,
                                      uint32_t) {
  Recorder recorder(call, commands);
  if (!recorder || instances == 0) return;
  Resource* buffer = UseParameters(call, counter, offset, 0, "counterBuffer",
                                   "counterBufferOffset-04568", "counterBufferOffset-04568");
  RecordParameters(recorder, buffer, offset, 4);
  RecordDraw(recorder, false);
}

void CmdDrawMulti::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                          const VkMultiDrawInfoEXT* infos, uint32_t instances,
                          uint32_t first_instance, uint32_t stride) {
  if (count == 0 || instances == 0) return;
  Recorder recorder(call, commands);
  if (!recorder) return;
  const Elements read = Furthest(count, infos, stride, &VkMultiDrawInfoEXT::firstVertex,
                                 &VkMultiDrawInfoEXT::vertexCount);
  if (read.count != 0) CheckVertices(recorder, read, {first_instance, instances});
  RecordDraw(recorder, false);
}
void CmdDrawMultiIndexed::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                 const VkMultiDrawIndexedInfoEXT* infos, uint32_t instances,
                                 uint32_t first_instance, uint32_t stride, const int32_t*) {
  if (count == 0 || instances == 0) return;
  Recorder recorder(call, commands);
  if (!recorder) return;
  const Elements read = Furthest(count, infos, stride, &VkMultiDrawIndexedInfoEXT::firstIndex,
                                 &VkMultiDrawIndexedInfoEXT::indexCount);
  if (read.count != 0) {
    CheckIndices(recorder, read);
    CheckVertices(recorder, {}, {first_instance, instances});
  }
  RecordDraw(recorder, true);
}

void CmdDrawMeshTasks::Before(VkCall& call, VkCommandBuffer commands, uint32_t x, uint32_t y,
                              uint32_t z) {
  if (x == 0 || y == 0 || z == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, false);
}
void CmdDrawMeshTasksNV::Before(VkCall& call, VkCommandBuffer commands, uint32_t tasks, uint32_t) {
  if (tasks == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, false);
}
void CmdDrawMeshTasksIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                      VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, kMeshTasks);
}
void CmdDrawMeshTasksIndirectNV::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                        VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, kMeshTasksNV);
}
void CmdDrawMeshTasksIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                           VkDeviceSize offset, VkBuffer counts,
                                           VkDeviceSize counts_offset, uint32_t most,
                                           uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride,
                    kMeshTasks);
}
void CmdDrawMeshTasksIndirectCountNV::Before(VkCall& call, VkCommandBuffer commands,
                                             VkBuffer buffer, VkDeviceSize offset, VkBuffer counts,
                                             VkDeviceSize counts_offset, uint32_t most,
                                             uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride,
                    kMeshTasksNV);
}

}  // namespace gpusan::vulkan
