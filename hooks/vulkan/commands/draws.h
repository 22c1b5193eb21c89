// Draws: the buffers and shaders that they use.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

struct CmdBindVertexBuffers {
  BeforeOf<PFN_vkCmdBindVertexBuffers> Before;
};
struct CmdBindVertexBuffers2 {
  BeforeOf<PFN_vkCmdBindVertexBuffers2> Before;
};
struct CmdBindIndexBuffer {
  BeforeOf<PFN_vkCmdBindIndexBuffer> Before;
};
// `handle` may be VK_NULL_HANDLE, `bytes` VK_WHOLE_SIZE.
void BindIndexBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer handle, VkDeviceSize offset,
                     VkDeviceSize bytes, VkIndexType type);
// The size of an index [bytes]; 0 for VK_INDEX_TYPE_NONE_KHR and for unknown types.
uint32_t IndexBytes(VkIndexType type);
struct CmdDraw {
  BeforeOf<PFN_vkCmdDraw> Before;
};
struct CmdDrawIndexed {
  BeforeOf<PFN_vkCmdDrawIndexed> Before;
};
struct CmdDrawIndirect {
  BeforeOf<PFN_vkCmdDrawIndirect> Before;
};
struct CmdDrawIndexedIndirect {
  BeforeOf<PFN_vkCmdDrawIndexedIndirect> Before;
};
struct CmdDrawIndirectCount {
  BeforeOf<PFN_vkCmdDrawIndirectCount> Before;
};
struct CmdDrawIndexedIndirectCount {
  BeforeOf<PFN_vkCmdDrawIndexedIndirectCount> Before;
};
// The parameters and the number of draws are in memory that the command names by its address.
enum class DrawsOf { kVertices, kIndices, kMeshTasks };
template <DrawsOf what>
struct CmdDrawIndirectAt {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
template <DrawsOf what>
struct CmdDrawIndirectCountAt {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
using CmdDrawIndirect2 = CmdDrawIndirectAt<DrawsOf::kVertices>;
using CmdDrawIndexedIndirect2 = CmdDrawIndirectAt<DrawsOf::kIndices>;
using CmdDrawMeshTasksIndirect2 = CmdDrawIndirectAt<DrawsOf::kMeshTasks>;
using CmdDrawIndirectCount2 = CmdDrawIndirectCountAt<DrawsOf::kVertices>;
using CmdDrawIndexedIndirectCount2 = CmdDrawIndirectCountAt<DrawsOf::kIndices>;
using CmdDrawMeshTasksIndirectCount2 = CmdDrawIndirectCountAt<DrawsOf::kMeshTasks>;
// The number of vertices is computed from the byte counter that transform feedback wrote.
struct CmdDrawIndirectByteCount {
  BeforeOf<PFN_vkCmdDrawIndirectByteCountEXT> Before;
};
struct CmdDrawMulti {
  BeforeOf<PFN_vkCmdDrawMultiEXT> Before;
};
struct CmdDrawMultiIndexed {
  BeforeOf<PFN_vkCmdDrawMultiIndexedEXT> Before;
};
struct CmdDrawMeshTasks {
  BeforeOf<PFN_vkCmdDrawMeshTasksEXT> Before;
};
struct CmdDrawMeshTasksNV {
  BeforeOf<PFN_vkCmdDrawMeshTasksNV> Before;
};
struct CmdDrawMeshTasksIndirect {
  BeforeOf<PFN_vkCmdDrawMeshTasksIndirectEXT> Before;
};
struct CmdDrawMeshTasksIndirectNV {
  BeforeOf<PFN_vkCmdDrawMeshTasksIndirectNV> Before;
};
struct CmdDrawMeshTasksIndirectCount {
  BeforeOf<PFN_vkCmdDrawMeshTasksIndirectCountEXT> Before;
};
struct CmdDrawMeshTasksIndirectCountNV {
  BeforeOf<PFN_vkCmdDrawMeshTasksIndirectCountNV> Before;
};

}  // namespace gpusan::vulkan
