// The features of a device that decide which masks, queries and command buffers its commands may
// name.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace gpusan::vulkan {

struct Features {
  VkPhysicalDeviceFeatures core = {};  // of Vulkan 1.0
  // Samplers may have VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE.
  bool mirror_clamp = false;
  bool synchronization2 = false;
  bool host_query_reset = false;
  bool maintenance4 = false;
  bool inherited_queries = false;
  bool precise_occlusion = false;
  bool dynamic_rendering = false;
  bool timeline_semaphores = false;
  // Queries of generated primitives, those of streams other than 0, and those without
  // rasterization.
  bool primitive_queries = false, primitive_streams = false, primitive_discards = false;
  // VK_EXT_nested_command_buffer: secondary command buffers may execute others, also inside of
  // render passes, and others for simultaneous use.
  bool nested_commands = false, nested_passes = false, nested_simultaneous = false;
  bool zero_initialized = false;  // VK_EXT_zero_initialize_device_memory
  bool shader_objects = false;
  bool null_descriptors = false;  // nullDescriptor
  bool maintenance8 = false;
  bool any_depths = false;  // VK_EXT_depth_range_unrestricted
  // VK_EXT_legacy_vertex_attributes: attributes need no alignment.
  bool legacy_vertices = false;
  // Vertex shaders may have inputs without an attribute.
  bool unbound_attributes = false;
  // vkGetBufferDeviceAddress may be called, and memory needs a flag for it.
  bool buffer_addresses = false, flagged_addresses = false;
  // Barriers may name VK_QUEUE_FAMILY_EXTERNAL, or VK_QUEUE_FAMILY_FOREIGN_EXT.
  bool external_families = false, foreign_families = false;
  // Stages that need a feature which the device lacks.
  VkPipelineStageFlags2 lacking_stages = 0;
  // Dynamic state that draws need only with a feature or extension which the device lacks. Bits of
  // dynamic_states.h.
  uint64_t absent_states = 0;
  // Dynamic state that the device must not use (state_features.h). Bits of dynamic_states.h.
  uint64_t refused_states = 0;
};

// Reads the features that a device is created with. `api_version`: of the instance.
Features ReadFeatures(const VkDeviceCreateInfo& info, uint32_t api_version);

}  // namespace gpusan::vulkan
