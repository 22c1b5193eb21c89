// Expands the stage and access masks of barriers (Vulkan 1.3 §7.1).
#include "hooks/vulkan/words/sync_masks.h"

#include <iterator>

namespace gpusan::vulkan {
namespace {

// Stages in logical order (Vulkan 1.3 §7.1.2). The stages of one entry are unordered.
constexpr VkPipelineStageFlags2 kGraphicsOrder[] = {
    VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
    VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV,
    VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV,
    VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
    VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
    VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT,
    VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT,
    VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT,
    VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT,
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
};

constexpr uint64_t kGraphicsStages = [] {
  uint64_t all = VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT |
                 VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT;
  for (VkPipelineStageFlags2 stage : kGraphicsOrder) all |= stage;
  return all;
}();
constexpr uint64_t kTransferStages = VK_PIPELINE_STAGE_2_COPY_BIT |
                                     VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                                     VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr uint64_t kWrites =
    VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
    VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT |
    VK_ACCESS_2_HOST_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT |
    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
    VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |
    VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR | VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV |
    VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR | kVideoEncodeWrite |
    VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT | VK_ACCESS_2_OPTICAL_FLOW_WRITE_BIT_NV;

// Replaces groups by their members; the group's own bit stays for stages without a bit of their
// own.
uint64_t Members(VkPipelineStageFlags2 stages) {
  if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0)
    stages |= kAnyStage | (stages & VK_PIPELINE_STAGE_2_HOST_BIT);
  if ((stages & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT) != 0) stages |= kGraphicsStages;
  if ((stages & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT) != 0) stages |= kTransferStages;
  if ((stages & VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT) != 0)
    stages |= VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
  if ((stages & VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT) != 0) {
    stages |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
              VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
              VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
              VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV |
              VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV;
  }
  // Copies of acceleration structures are part of the build stage.
  if ((stages & VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR) != 0)
    stages |= VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
  return stages & ~(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
}

uint64_t AccessMembers(VkAccessFlags2 access) {
  if ((access & VK_ACCESS_2_MEMORY_READ_BIT) != 0) access |= ~kWrites;
  if ((access & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0) access |= kWrites;
  // Uniform buffers are not among what SHADER_READ covers (Vulkan 1.3 §7.1.3).
  constexpr uint64_t kShaderReads = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |
                                    VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
                                    VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR;
  if ((access & VK_ACCESS_2_SHADER_READ_BIT) != 0) access |= kShaderReads;
  // Builds of acceleration structures read their inputs as SHADER_READ: any of its parts covers
  // them.
  if ((access & kShaderReads) != 0) access |= VK_ACCESS_2_SHADER_READ_BIT;
  // vkCmdDrawIndirectByteCountEXT reads a counter as INDIRECT_COMMAND_READ (Vulkan 1.4, its
  // description). Older descriptions name no access.
  if ((access & VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT) != 0)
    access |= VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
  if ((access & VK_ACCESS_2_SHADER_WRITE_BIT) != 0) access |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
  return access;
}

uint64_t WithEarlier(uint64_t stages) {
  constexpr uint64_t kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  if ((stages & kCompute) != 0) stages |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  bool later = false;
  for (size_t i = std::size(kGraphicsOrder); i-- > 0;) {
    if (later) stages |= kGraphicsOrder[i];
    later = later || (stages & kGraphicsOrder[i]) != 0;
  }
  return stages;
}

uint64_t WithLater(uint64_t stages) {
  if ((stages & VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT) != 0)
    stages |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  bool earlier = false;
  for (VkPipelineStageFlags2 stage : kGraphicsOrder) {
    if (earlier) stages |= stage;
    // Compute is not part of the graphics pipeline: the stage added above does not include it.
    earlier = earlier || (stages & stage) != 0;
  }
  return stages;
}

// Expands the stages of a first scope to the stages that precede them.
uint64_t ExpandSource(VkPipelineStageFlags2 stages) {
  // BOTTOM_OF_PIPE includes all stages.
  if ((stages & VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT) != 0)
    stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  return WithEarlier(Members(stages)) | kWholeBatch | kUnusedTransition;
}

// Expands the stages of a second scope to the stages that follow them.
uint64_t ExpandTarget(VkPipelineStageFlags2 stages) {
  if ((stages & VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) != 0)
    stages |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  return WithLater(Members(stages));
}

}  // namespace

uint64_t UnsupportedStages(uint64_t stages, VkQueueFlags family) {
  // Stages of other extensions are omitted, because further queue capabilities may support them.
  constexpr uint64_t kGraphics =
      VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
      VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
      VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
      VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
      VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
      VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
      VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
      VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |
      VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
      VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT |
      VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |
      VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV;
  uint64_t unsupported = 0;
  if ((family & VK_QUEUE_GRAPHICS_BIT) == 0) unsupported |= kGraphics;
  if ((family & VK_QUEUE_COMPUTE_BIT) == 0) unsupported |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  if ((family & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) == 0)
    unsupported |=
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
  return stages & unsupported;
}

namespace {

constexpr uint64_t kTests =
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr uint64_t kColor = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr uint64_t kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr uint64_t kNoShader =
    VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
    VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | kTests | kColor |
    VK_PIPELINE_STAGE_2_HOST_BIT | kTransferStages | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr uint64_t kTransfers = kTransferStages | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
constexpr uint64_t kShaders =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
    VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
    VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | kFragment | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
// Stages of extensions that make accesses of their own and no others.
constexpr uint64_t kConditional = VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
constexpr uint64_t kDensity = VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT;
constexpr uint64_t kFeedback = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT;
constexpr uint64_t kVideo = VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR | kVideoEncodeStage;
constexpr uint64_t kKnown = kNoShader | kShaders | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT |
                            VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | kConditional | kDensity |
                            kFeedback | kVideo;
// An access, the stages that make it, and the number of the valid usage that requires one of them.
struct AccessRow {
  uint64_t access, stages;
  const char* vuid;
};
constexpr AccessRow kAccessRows[] = {
    {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, "03900"},
    {VK_ACCESS_2_INDEX_READ_BIT,
     VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, "03901"},
    {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT,
     VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
     "03902"},
    {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, kFragment, "03903"},
    {VK_ACCESS_2_UNIFORM_READ_BIT, kShaders, "03904"},
    {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, kShaders, "03905"},
    {VK_ACCESS_2_SHADER_STORAGE_READ_BIT, kShaders, "03906"},
    {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, kShaders, "03907"},
    {VK_ACCESS_2_SHADER_READ_BIT, kShaders, "07454"},
    {VK_ACCESS_2_SHADER_WRITE_BIT, kShaders, "03909"},
    // Fragment shaders may read attachments with extensions.
    {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, kColor | kFragment, "03910"},
    {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, kColor, "03911"},
    {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, kTests | kFragment, "03912"},
    {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, kTests, "03913"},
    {VK_ACCESS_2_TRANSFER_READ_BIT, kTransfers, "03914"},
    {VK_ACCESS_2_TRANSFER_WRITE_BIT, kTransfers, "03915"},
    {VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, kConditional, "03918"},
    {VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, kDensity, "03919"},
    {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, kFeedback, "03920"},
    {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT,
     kFeedback | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, "04747"},
    {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, kFeedback, "03922"},
    {VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT, kColor | kFragment, "03926"},
    {VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR, VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR, "04858"},
    {VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR, VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR, "04859"},
    {kVideoEncodeRead, kVideoEncodeStage, "04860"},
    {kVideoEncodeWrite, kVideoEncodeStage, "04861"},
    {VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT, kShaders, "08118"},
    {kHeapReads, kShaders, "11294"},
    {kTileRead, kFragment | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, "10670"},
    {kTileWrite, kFragment | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, "10671"},
    // No known stage makes them.
    {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, 0, "07272"},
    {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, kShaders, "03927"},
    {VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, 0, "03928"},
    {VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV, 0, "03924"},
    {VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV, 0, "03925"},
    {VK_ACCESS_2_INVOCATION_MASK_READ_BIT_HUAWEI, 0, "04994"},
    {VK_ACCESS_2_OPTICAL_FLOW_READ_BIT_NV, 0, "07455"},
    {VK_ACCESS_2_OPTICAL_FLOW_WRITE_BIT_NV, 0, "07456"},
    {VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT, 0, "07457"},
    {VK_ACCESS_2_MICROMAP_READ_BIT_EXT, 0, "07458"},
    {kDecompressionRead, 0, "11771"},
    {kDecompressionWrite, 0, "11772"},
    {VK_ACCESS_2_HOST_READ_BIT, VK_PIPELINE_STAGE_2_HOST_BIT, "03916"},
    {VK_ACCESS_2_HOST_WRITE_BIT, VK_PIPELINE_STAGE_2_HOST_BIT, "03917"},
};

}  // namespace

UnsupportedAccess FindUnsupportedAccess(uint64_t stages, uint64_t access) {
  constexpr uint64_t kHost = VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT;
  constexpr uint64_t kGroups = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |
                               VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT |
                               VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT;
  // ALL_COMMANDS includes all stages but the host's. Unknown stages may make any access.
  if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0 || (stages & ~(kKnown | kGroups)) != 0)
    access &= kHost;
  if ((stages & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT) != 0) stages |= kGraphicsStages;
  if ((stages & VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT) != 0)
    stages |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
  for (const AccessRow& row : kAccessRows) {
    if ((access & row.access) != 0 && (stages & row.stages) == 0) return {row.access, row.vuid};
  }
  return {};
}

uint64_t WithoutMembers(uint64_t stages) {
  if ((stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0)
    return VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | (stages & VK_PIPELINE_STAGE_2_HOST_BIT);
  uint64_t members = 0;
  for (const uint64_t group :
       {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT}) {
    const uint64_t all = Members(group) & ~group;
    if ((stages & group) != 0 && (stages & all) == all) members |= all;
  }
  return stages & ~members;
}

bool IsWrite(VkAccessFlags2 access) { return (access & kWrites) != 0; }

uint64_t ExpandWait(VkPipelineStageFlags2 stages) {
  constexpr VkPipelineStageFlags2 kAll =
      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
  return ExpandTarget(stages) | ((stages & kAll) != 0 ? kWholeBatch : 0);
}

uint64_t ExpandSignal(VkPipelineStageFlags2 stages) {
  constexpr VkPipelineStageFlags2 kAll =
      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
  // Programs that name no stage mean all of them.
  return stages == 0 || (stages & kAll) != 0 ? ~uint64_t{0} : ExpandSource(stages);
}

ScopeBarrier Expand(const GivenMasks& masks) {
  ScopeBarrier barrier;
  barrier.source_order = ExpandSource(masks.source_stages);
  barrier.source_stages = Members(masks.source_stages);
  barrier.source_access = AccessMembers(masks.source_access);
  barrier.target_order = ExpandTarget(masks.target_stages);
  barrier.target_stages = Members(masks.target_stages);
  barrier.target_access = AccessMembers(masks.target_access);
  return barrier;
}

}  // namespace gpusan::vulkan
