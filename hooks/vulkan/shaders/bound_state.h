// What a command buffer has bound while it is recorded.
#pragma once

#include <memory>
#include <vector>

#include "hooks/vulkan/objects/descriptors.h"
#include "hooks/vulkan/objects/render_pass_info.h"
#include "hooks/vulkan/objects/sync_masks.h"

namespace gpusan::vulkan {

// Descriptors that were pushed, not written into a set.
struct PushedSet {
  std::shared_ptr<const SetLayout> layout;
  std::vector<Descriptor> descriptors;
};

// A line each, since every draw and dispatch looks at all of them.
struct alignas(64) BoundSet {
  // One of both, or neither.
  WeakRef<PlainObject> set;
  std::shared_ptr<PushedSet> pushed;
  std::vector<uint32_t> offsets;  // of dynamic descriptors, in the order of their bindings
  // There is nothing to be said of it while released_objects is that: a live set as it says of
  // itself, or none. 0: not known.
  uint32_t plain_at = 0;

  void Clear();
  // `at`: to be its plain_at.
  void Bind(PlainObject* to, uint32_t at) {
    if (plain_at == 0) [[unlikely]]
      Clear();
    set.object = to;
    set.generation = to->generation.load(std::memory_order_relaxed);
    plain_at = at;
  }
};

struct BindPoint {
  WeakRef<PlainObject> pipeline;
  // It lives, and all that its shaders use is known, while released_objects is that; 0: not known.
  uint32_t plain_at = 0;
  std::vector<BoundSet> sets;
};

// The render pass instance, or dynamic rendering, that a command buffer is in.
struct PassInstance {
  struct Attachment {
    WeakRef<Resource> image;
    ImagePart part;             // whose layout changes
    ImagePart drawn;            // of that, what is loaded, drawn and stored
    Layout layout = kNoLayout;  // as of now
    Layout final_layout = kNoLayout;
    uint32_t index = 0;  // in the render pass info
    bool depth = false;
    bool resolved = false;             // depth and stencil that a resolve writes
    uint32_t writable = ~uint32_t{0};  // aspects that may be written at all
    uint32_t stored = ~uint32_t{0};    // aspects that the store writes
    AttachmentUses done = 0;           // by commands of this subpass
  };
  std::vector<Attachment> attachments;
  std::shared_ptr<const RenderPassInfo> pass_info;  // nullptr: dynamic rendering, or none
  uint32_t subpass = 0;
  // Of a secondary command buffer: its attachments are those of whoever executes it.
  bool inherited = false;

  // nullptr: its image is not known.
  Attachment* Find(uint32_t index);
  // Whether the current subpass reads that part of the image as an input attachment, and writes
  // nothing there.
  bool OnlyReads(const Resource& image, const ImagePart& part) const;
  void Clear();
};

struct Bindings {
  BindPoint compute, graphics, other;
  struct Range {
    WeakRef<Resource> buffer;
    Region region;
  };
  std::vector<Range> vertex;  // by binding
  Range index;
  // As the command buffer set it, for pipelines that leave it to that.
  struct {
    bool depth_test = false, depth_write = false, stencil_test = false;
  } dynamic;

  BindPoint& At(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_COMPUTE    ? compute
           : point == VK_PIPELINE_BIND_POINT_GRAPHICS ? graphics
                                                      : other;
  }
  void Clear();
};

}  // namespace gpusan::vulkan
