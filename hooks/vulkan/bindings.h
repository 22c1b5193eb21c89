// What a command buffer has bound while it is recorded.
#pragma once

#include <memory>
#include <vector>

#include "hooks/vulkan/descriptors.h"
#include "hooks/vulkan/masks.h"

namespace gpusan::vulkan {

struct BoundSet {
  // One of both, or neither.
  WeakRef<PlainObject> set;
  std::shared_ptr<std::vector<Descriptor>> pushed;
  std::shared_ptr<const SetLayout> layout;
  std::vector<uint32_t> offsets;  // of dynamic descriptors, in the order of their bindings

  void Clear();
  void Bind(const DescriptorSetState& to);
};

struct BindPoint {
  WeakRef<PlainObject> pipeline;
  std::vector<BoundSet> sets;
};

// The render pass instance that a command buffer is in.
struct PassInstance {
  struct Attachment {
    WeakRef<Resource> image;
    ImagePart part;
    Layout layout = kNoLayout;  // in the last subpass
    Layout final_layout = kNoLayout;
    GivenMasks masks;  // of what is behind it
    bool depth = false;
    bool read_only = false;
    bool stores = true;
    bool several_subpasses = false;
  };
  std::vector<Attachment> attachments;
  std::vector<GivenMasks> dependencies;  // that end it
  bool changes_layouts = true;           // dynamic rendering does not
  void Clear();
};

struct Bindings {
  BindPoint compute, graphics;
  struct Range {
    WeakRef<Resource> buffer;
    Region region;
  };
  std::vector<Range> vertex;  // by binding
  Range index;

  BindPoint& At(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_COMPUTE ? compute : graphics;
  }
  void Clear();
};

}  // namespace gpusan::vulkan
