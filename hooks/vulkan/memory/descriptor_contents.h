// Checks of what one descriptor names: handles, and views of images with their layouts.
#pragma once

#include "hooks/vulkan/memory/descriptors.h"

namespace gpusan::vulkan {

// Adds a finding for VK_NULL_HANDLE in a descriptor of the type, unless the device has the feature
// nullDescriptor.
[[gnu::cold]] void CheckNullDescriptor(VkCall& call, VkDescriptorType type);
// Adds a finding if a descriptor of VK_NULL_HANDLE has an offset or a range.
[[gnu::cold]] void CheckNullBuffer(VkCall& call, VkDescriptorType type,
                                   const VkDescriptorBufferInfo& info);
// Adds findings for a layout that shaders cannot access the image in, for a view of depth and
// stencil together, and for a flat view of a 3D image that does not allow it.
void CheckImageDescriptor(VkCall& call, VkDescriptorType type, const ImageViewState& view,
                          Layout layout);

}  // namespace gpusan::vulkan
