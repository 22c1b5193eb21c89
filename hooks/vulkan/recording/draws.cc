// See the header. Which vertices a draw reads is up to its indices: the bound range counts as read.
#include "hooks/vulkan/recording/draws.h"

#include <algorithm>

#include "hooks/vulkan/objects/buffers.h"
#include "hooks/vulkan/objects/memory.h"
#include "hooks/vulkan/recording/attachment_uses.h"
#include "hooks/vulkan/recording/pass_checks.h"
#include "hooks/vulkan/recording/shader_accesses.h"

namespace gpusan::vulkan {
namespace {

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

void RecordDraw(Recorder& recorder, bool indexed) {
  recorder.NeedInside();
  Bindings& bindings = recorder.state().bindings;
  const PlainObject* object = bindings.graphics.pipeline.get();
  if (object != nullptr && object->live()) {
    const PipelineState& pipeline = PipelineOf(*object);
    for (uint32_t i = 0; i < bindings.vertex.size() && i < 32; ++i) {
      if ((pipeline.vertex_bindings >> i & 1) == 0) continue;
      RecordInput(recorder, bindings.vertex[i], VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                  VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT);
    }
    PassInstance& pass = recorder.state().pass;
    pass.ordered_inputs = pipeline.ordered_inputs;
    CheckPipeline(recorder.call(), pass, *object, pipeline);
  }
  if (indexed) {
    RecordInput(recorder, bindings.index, VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
                VK_ACCESS_2_INDEX_READ_BIT);
  }
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_GRAPHICS);
  // Last: a write stands for what it covers, which reads of input attachments are compared with.
  if (object != nullptr && object->live()) {
    const PipelineState& pipeline = PipelineOf(*object);
    RecordAttachmentUses(recorder, pipeline.UsesOf(bindings), true);
  }
}

// Records a read of draw parameters. `certain`: whether the device reads all of the bytes.
void RecordIndirect(VkCall& call, Recorder& recorder, VkBuffer handle, uint64_t offset,
                    uint64_t bytes, const char* argument, bool certain = true,
                    uint64_t access = VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT) {
  Resource* buffer = UseBuffer(call, handle, argument);
  if (buffer == nullptr) return;
  CheckBoundOnce(call, *buffer, argument);
  CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                   "VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT", argument);
  recorder
      .Use(*buffer, Region::Linear(offset, bytes), VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, access)
      .shader = !certain;
}

uint64_t IndirectBytes(uint32_t count, uint32_t stride, uint64_t one) {
  return count == 0 ? 0 : (uint64_t{count} - 1) * stride + one;
}

// `one`: the size of the parameters of one draw [bytes].
void DrawIndirect(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, uint64_t offset,
                  uint32_t count, uint32_t stride, uint64_t one, bool indexed) {
  Recorder recorder(call, commands);
  if (!recorder || count == 0) return;
  RecordIndirect(call, recorder, buffer, offset, IndirectBytes(count, stride, one), "buffer");
  RecordDraw(recorder, indexed);
}

// `most`: the largest number of draws.
void DrawIndirectCount(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, uint64_t offset,
                       VkBuffer counts, uint64_t counts_offset, uint32_t most, uint32_t stride,
                       uint64_t one, bool indexed) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  RecordIndirect(call, recorder, counts, counts_offset, 4, "countBuffer");
  // The device reads the draw count, which may be 0: no bytes are certainly read.
  RecordIndirect(call, recorder, buffer, offset, IndirectBytes(most, stride, one), "buffer", false);
  RecordDraw(recorder, indexed);
}

// The parameters of one draw of mesh shaders; two words with VK_NV_mesh_shader.
constexpr uint64_t kMeshTasks = sizeof(VkDrawMeshTasksIndirectCommandEXT);
constexpr uint64_t kMeshTasksNV = sizeof(VkDrawMeshTasksIndirectCommandNV);

Bindings* BindingsOf(VkCall& call, VkCommandBuffer commands) {
  CommandBufferState* state = StateOf(call, commands);
  return state != nullptr ? &state->bindings : nullptr;
}

}  // namespace

void CmdSetDepthTestEnable::Before(VkCall& call, VkCommandBuffer commands, VkBool32 enable) {
  if (Bindings* bindings = BindingsOf(call, commands)) bindings->dynamic.depth_test = enable;
}
void CmdSetDepthWriteEnable::Before(VkCall& call, VkCommandBuffer commands, VkBool32 enable) {
  if (Bindings* bindings = BindingsOf(call, commands)) bindings->dynamic.depth_write = enable;
}
void CmdSetStencilTestEnable::Before(VkCall& call, VkCommandBuffer commands, VkBool32 enable) {
  if (Bindings* bindings = BindingsOf(call, commands)) bindings->dynamic.stencil_test = enable;
}

void CmdBindVertexBuffers::Before(VkCall& call, VkCommandBuffer commands, uint32_t first,
                                  uint32_t count, const VkBuffer* buffers,
                                  const VkDeviceSize* offsets) {
  CmdBindVertexBuffers2().Before(call, commands, first, count, buffers, offsets, nullptr, nullptr);
}

void CmdBindVertexBuffers2::Before(VkCall& call, VkCommandBuffer commands, uint32_t first,
                                   uint32_t count, const VkBuffer* buffers,
                                   const VkDeviceSize* offsets, const VkDeviceSize* sizes,
                                   const VkDeviceSize*) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr || !Bindings::IsSlotRange(first, count)) return;
  std::vector<Bindings::Range>& vertex = state->bindings.vertex;
  if (vertex.size() < first + count) vertex.resize(first + count);
  for (uint32_t i = 0; i < count; ++i) {
    Resource* buffer =
        buffers[i] != VK_NULL_HANDLE ? UseBuffer(call, buffers[i], "pBuffers[]") : nullptr;
    if (buffer != nullptr) {
      CheckBoundOnce(call, *buffer, "pBuffers[]");
      CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                       "VK_BUFFER_USAGE_VERTEX_BUFFER_BIT", "pBuffers[]");
    }
    vertex[first + i] = RangeOf(buffer, offsets[i], sizes != nullptr ? sizes[i] : VK_WHOLE_SIZE);
  }
}

void CmdBindIndexBuffer::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                VkDeviceSize offset, VkIndexType) {
  BindIndexBuffer(call, commands, buffer, offset, VK_WHOLE_SIZE);
}

void BindIndexBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer handle, VkDeviceSize offset,
                     VkDeviceSize bytes) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  Resource* buffer = handle != VK_NULL_HANDLE ? UseBuffer(call, handle, "buffer") : nullptr;
  if (buffer != nullptr) {
    CheckBoundOnce(call, *buffer, "buffer");
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
                     "VK_BUFFER_USAGE_INDEX_BUFFER_BIT", "buffer");
  }
  state->bindings.index = RangeOf(buffer, offset, bytes);
}

void CmdDraw::Before(VkCall& call, VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
                     uint32_t, uint32_t) {
  if (vertices == 0 || instances == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, false);
}

void CmdDrawIndexed::Before(VkCall& call, VkCommandBuffer commands, uint32_t indices,
                            uint32_t instances, uint32_t, int32_t, uint32_t) {
  if (indices == 0 || instances == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, true);
}

void CmdDrawIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                             VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, sizeof(VkDrawIndirectCommand), false);
}
void CmdDrawIndexedIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                    VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, sizeof(VkDrawIndexedIndirectCommand),
               true);
}
void CmdDrawIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                  VkDeviceSize offset, VkBuffer counts, VkDeviceSize counts_offset,
                                  uint32_t most, uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride,
                    sizeof(VkDrawIndirectCommand), false);
}
void CmdDrawIndexedIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset, VkBuffer counts,
                                         VkDeviceSize counts_offset, uint32_t most,
                                         uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride,
                    sizeof(VkDrawIndexedIndirectCommand), true);
}

void CmdDrawIndirectByteCount::Before(VkCall& call, VkCommandBuffer commands, uint32_t instances,
                                      uint32_t, VkBuffer counter, VkDeviceSize offset, uint32_t,
                                      uint32_t) {
  Recorder recorder(call, commands);
  if (!recorder || instances == 0) return;
  RecordIndirect(call, recorder, counter, offset, 4, "counterBuffer", true,
                 VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT);
  RecordDraw(recorder, false);
}

void CmdDrawMulti::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                          const VkMultiDrawInfoEXT*, uint32_t instances, uint32_t, uint32_t) {
  if (count == 0 || instances == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, false);
}
void CmdDrawMultiIndexed::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                 const VkMultiDrawIndexedInfoEXT*, uint32_t instances, uint32_t,
                                 uint32_t, const int32_t*) {
  if (count == 0 || instances == 0) return;
  if (Recorder recorder(call, commands); recorder) RecordDraw(recorder, true);
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
  DrawIndirect(call, commands, buffer, offset, count, stride, kMeshTasks, false);
}
void CmdDrawMeshTasksIndirectNV::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                        VkDeviceSize offset, uint32_t count, uint32_t stride) {
  DrawIndirect(call, commands, buffer, offset, count, stride, kMeshTasksNV, false);
}
void CmdDrawMeshTasksIndirectCount::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                           VkDeviceSize offset, VkBuffer counts,
                                           VkDeviceSize counts_offset, uint32_t most,
                                           uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride, kMeshTasks,
                    false);
}
void CmdDrawMeshTasksIndirectCountNV::Before(VkCall& call, VkCommandBuffer commands,
                                             VkBuffer buffer, VkDeviceSize offset, VkBuffer counts,
                                             VkDeviceSize counts_offset, uint32_t most,
                                             uint32_t stride) {
  DrawIndirectCount(call, commands, buffer, offset, counts, counts_offset, most, stride,
                    kMeshTasksNV, false);
}

}  // namespace gpusan::vulkan
