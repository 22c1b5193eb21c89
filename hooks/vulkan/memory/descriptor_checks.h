// Checks of descriptors against the resources that they name, the layout of their set, and the
// limits of the device.
#pragma once

#include "hooks/vulkan/memory/descriptors.h"

namespace gpusan::vulkan {

inline bool IsImage(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
         type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}
inline bool HasSampler(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}
inline bool IsTexelBuffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}
inline bool IsBuffer(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

// Whether descriptors of the type are uniform buffers. Precondition: IsBuffer(type).
inline bool IsUniform(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
}

// No device supports more descriptors in a set. Sets with more descriptors are not tracked.
inline constexpr uint32_t kMostDescriptors = 1 << 22;

// Reports a resource that lacks the usage flag of the descriptor type. `usage`: its usage, or that
// of its view.
void CheckUsage(VkCall& call, VkDescriptorType type, Resource* resource, uint32_t usage);
// Adds a finding if the view is swizzled and descriptors of the type need the identity swizzle.
void CheckSwizzle(VkCall& call, VkDescriptorType type, const ImageViewState& view);
// Adds a finding if the bytes exceed the limits of the device for the type.
void CheckLimits(VkCall& call, VkDescriptorType type, const Resource& buffer, const Region& bytes);
// Adds a finding and returns false if the descriptor has no bytes, or begins at or past the end of
// the buffer.
bool CheckBytes(VkCall& call, const Resource& buffer, const VkDescriptorBufferInfo& info);
// Returns false, after adding a finding, if the write does not fit the layout. `set`: nullptr for
// pushed descriptors. `binding`: the first binding that it names; nullptr: there is none.
// `descriptors`: the number of descriptors of the set. `by_template`: the write is an entry of an
// update template.
bool CheckWrite(VkCall& call, const Object* set, const SetLayout& layout,
                const LayoutBinding* binding, const VkWriteDescriptorSet& write, size_t descriptors,
                bool by_template = false);
// Adds a finding if a set lacks descriptors that the copy names. `source`, `target`: the first
// bindings of the copy; nullptr if the set has no such binding.
void CheckCopy(VkCall& call, const VkCopyDescriptorSet& copy, const DescriptorSetState& from,
               const LayoutBinding* source, const DescriptorSetState& to,
               const LayoutBinding* target);
// Returns false, after adding a finding, if a descriptor of the binding lacks the sampler that it
// needs. `set`: nullptr for pushed descriptors.
bool CheckSampler(VkCall& call, const Object* set, const LayoutBinding& binding,
                  const VkWriteDescriptorSet& write);

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
