// Draws: the buffers and shaders that they use.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

struct CmdBindVertexBuffers {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const VkBuffer* buffers, const VkDeviceSize* offsets);
};
struct CmdBindVertexBuffers2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const VkBuffer* buffers, const VkDeviceSize* offsets, const VkDeviceSize* sizes,
              const VkDeviceSize* strides);
};
struct CmdBindIndexBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkIndexType type);
};
// `handle` may be VK_NULL_HANDLE, `bytes` VK_WHOLE_SIZE.
void BindIndexBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer handle, VkDeviceSize offset,
                     VkDeviceSize bytes, VkIndexType type);
// The size of an index [bytes]; 0 for VK_INDEX_TYPE_NONE_KHR and for unknown types.
uint32_t IndexBytes(VkIndexType type);
struct CmdDraw {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t vertices, uint32_t instances,
              uint32_t first_vertex, uint32_t first_instance);
};
struct CmdDrawIndexed {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t indices, uint32_t instances,
              uint32_t first_index, int32_t vertex_offset, uint32_t first_instance);
};
struct CmdDrawIndirect {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              uint32_t count, uint32_t stride);
};
struct CmdDrawIndexedIndirect {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              uint32_t count, uint32_t stride);
};
struct CmdDrawIndirectCount {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkBuffer counts, VkDeviceSize counts_offset, uint32_t most, uint32_t stride);
};
struct CmdDrawIndexedIndirectCount {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkBuffer counts, VkDeviceSize counts_offset, uint32_t most, uint32_t stride);
};
// The parameters and the number of draws are in memory that the command names by its address.
template <bool indexed>
struct CmdDrawIndirectAt {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
template <bool indexed>
struct CmdDrawIndirectCountAt {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
using CmdDrawIndirect2 = CmdDrawIndirectAt<false>;
using CmdDrawIndexedIndirect2 = CmdDrawIndirectAt<true>;
using CmdDrawIndirectCount2 = CmdDrawIndirectCountAt<false>;
using CmdDrawIndexedIndirectCount2 = CmdDrawIndirectCountAt<true>;
// The number of vertices is computed from the byte counter that transform feedback wrote.
struct CmdDrawIndirectByteCount {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t instances, uint32_t first_instance,
              VkBuffer counter, VkDeviceSize offset, uint32_t counter_offset, uint32_t stride);
};
struct CmdDrawMulti {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkMultiDrawInfoEXT* infos, uint32_t instances, uint32_t first_instance,
              uint32_t stride);
};
struct CmdDrawMultiIndexed {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkMultiDrawIndexedInfoEXT* infos, uint32_t instances, uint32_t first_instance,
              uint32_t stride, const int32_t* vertex_offset);
};
struct CmdDrawMeshTasks {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z);
};
struct CmdDrawMeshTasksNV {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t tasks, uint32_t first);
};
struct CmdDrawMeshTasksIndirect {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              uint32_t count, uint32_t stride);
};
struct CmdDrawMeshTasksIndirectNV {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              uint32_t count, uint32_t stride);
};
struct CmdDrawMeshTasksIndirectCount {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkBuffer counts, VkDeviceSize counts_offset, uint32_t most, uint32_t stride);
};
struct CmdDrawMeshTasksIndirectCountNV {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkBuffer counts, VkDeviceSize counts_offset, uint32_t most, uint32_t stride);
};

}  // namespace gpusan::vulkan
