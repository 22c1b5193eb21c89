// The state that is bound in a command buffer while it is recorded. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hooks/vulkan/memory/descriptors.h"
#include "hooks/vulkan/shaders/render_pass_info.h"
#include "hooks/vulkan/shaders/vertex_inputs.h"
#include "hooks/vulkan/spirv/dispatch_ranges.h"
#include "hooks/vulkan/spirv/push_reads.h"
#include "hooks/vulkan/words/sync_masks.h"

namespace gpusan::vulkan {

// Descriptors that were pushed instead of written into a set.
struct PushedSet {
  std::shared_ptr<const SetLayout> layout;
  std::vector<Descriptor> descriptors;
};

// One cache line each, since every draw and dispatch reads all of them.
struct alignas(64) BoundSet {
  // At most one of set and pushed.
  WeakRef<PlainObject> set;
  std::shared_ptr<PushedSet> pushed;
  std::vector<uint32_t> offsets;  // dynamic offsets, in the order of bindings
  // Needs no check while released_objects has this value: a live set with a mark
  // (DescriptorSetState), or no set. 0: unknown.
  uint32_t plain_at = 0;
  // PipelineLayoutState::compatible of the layout that it was bound with; 0: unknown.
  uint32_t compatible = 0;
  // As `compatible`: the binding of a higher set with an incompatible layout made it undefined.
  static constexpr uint32_t kDisturbed = 1;

  void Clear();
  // `at`: the new plain_at. The layout is unknown.
  void Bind(PlainObject* to, uint32_t at) {
    if (plain_at == 0) [[unlikely]]
      Clear();
    set.object = to;
    set.generation = to->generation.load(std::memory_order_relaxed);
    plain_at = at;
    compatible = 0;
  }
};
static_assert(sizeof(BoundSet) == 64);

// Stands for push constants among the bits of sets: a pipeline reads them, or they were written.
inline constexpr uint32_t kPushConstants = uint32_t{1} << 31;

// The arguments of vkCmdPushConstants.
struct PushedRange {
  uintptr_t layout = 0;
  VkShaderStageFlags stages = 0;
  uint32_t offset = 0, size = 0;
  bool operator==(const PushedRange&) const = default;
};

// Push constants that a pipeline reads: all of the words, or at least one of them.
struct PushNeed {
  VkShaderStageFlagBits stage;
  PushWords words = 0;
  bool some = false;
};

// The push constants that were written, or may be, by stage.
class PushedWords {
 public:
  void Add(const PushedRange& range);
  void AddAll();
  void Clear() { *this = {}; }
  // Returns the needed words that no command has written; 0 if there are none.
  PushWords Missing(const PushNeed& need) const;

 private:
  static constexpr size_t kStages = 14;  // the bits of VkShaderStageFlags that are stages
  PushWords words_[kStages] = {};
};

struct BindPoint {
  WeakRef<PlainObject> pipeline;
  // The pipeline is live, and all accesses of its shaders are known, while released_objects has
  // this value; 0: unknown.
  uint32_t plain_at = 0;
  // The first 31 sets that the shaders of the pipeline use, if a missing one is a defect, and
  // kPushConstants, if they read push constants that were not written. Bits.
  uint32_t needed_sets = 0;
  // The bytes or texels that the shaders access depend on the groups of a dispatch, and the bytes
  // on push constants.
  bool ranged = false, reads_pushes = false;
  bool by_address = false;    // push constants hold addresses of buffers that the shaders access
  bool unknown_sets = false;  // a set may be bound that gpusan does not know
  bool occupied = false;      // a pipeline or shader objects were bound, or may be
  std::vector<BoundSet> sets;

  // The needed sets that are not bound. Bits.
  uint32_t MissingSets() const;
};

// The render pass instance, or dynamic rendering, that a command buffer is in.
struct PassInstance {
  enum class Kind : uint8_t { kNone, kPass, kRendering };
  struct Attachment {
    WeakRef<Resource> image;
    ImagePart part;             // the subresources whose layout changes
    ImagePart drawn;            // the part of them that is loaded, drawn and stored
    Layout layout = kNoLayout;  // current
    Layout final_layout = kNoLayout;
    uint32_t index = 0;  // in RenderPassInfo::attachments
    bool depth = false;
    bool resolved = false;             // depth and stencil, written by a resolve
    bool resolve_target = false;       // of dynamic rendering
    uint32_t writable = ~uint32_t{0};  // aspects that may be written
    uint32_t stored = ~uint32_t{0};    // aspects that the store operation writes
    uint32_t dropped = 0;              // of them, those whose content it makes undefined
    bool used = true;                  // by some subpass
    // Of dynamic rendering: draws may read it as an input attachment, so that barriers between
    // draws must order both.
    bool local_read = false;
    AttachmentUses done = 0;  // accesses by commands of the current subpass
  };
  std::vector<Attachment> attachments;
  std::shared_ptr<const RenderPassInfo> pass_info;  // nullptr: dynamic rendering, or none
  RenderingFormats formats;                         // of dynamic rendering
  // RenderPassInfo::compatibility, or that of `formats`; 0: unknown.
  uint64_t compatibility = 0;
  uintptr_t framebuffer = 0;  // its handle; 0: unknown, or dynamic rendering
  VkRect2D area = {};         // the render area; without extent: unknown
  uint32_t subpass = 0;
  uint32_t layers = 0;     // without multiview: the layers that are drawn to; 0: unknown
  uint32_t read_only = 0;  // aspects of depth and stencil that the current layout does not write
  VkRenderingFlags flags = 0;  // of dynamic rendering
  Kind kind = Kind::kNone;
  bool begun = false;  // by this command buffer
  // Commands of its own may be recorded into the current subpass, and no secondary command buffers.
  bool is_inline = false;
  // vkCmdExecuteCommands is the only command that may be recorded into the current subpass.
  bool only_secondaries = false;
  // In dynamic rendering: the current draw reads input attachments in rasterization order.
  bool ordered_inputs = false;
  // For a secondary command buffer: the primary command buffer provides the attachments.
  bool inherited = false;

  // nullptr: the attachment's image is unknown.
  Attachment* Find(uint32_t index);
  // Whether the current subpass reads that part of the image as an input attachment, and does not
  // write it.
  bool OnlyReads(const Resource& image, const ImagePart& part) const;
  // Whether the current subpass, or dynamic rendering, may read that part of the image as an input
  // attachment and also write it, so that barriers inside of it must order both.
  bool ReadsAndWrites(const Resource& image, const ImagePart& part) const;
  void Clear();
};

// A shader object that is bound to a graphics stage: ShaderState (commands/shader_objects.h).
struct BoundShader {
  VkShaderStageFlagBits stage;
  uint64_t sets = 0, pushes = 0;
};

struct Bindings {
  BindPoint compute, graphics, other;
  struct Range {
    WeakRef<Resource> buffer;
    Region region;
    // Of a vertex buffer: its dynamic stride, if strides_known [bytes].
    uint32_t stride = kUnknownStride;
  };
  std::vector<Range> vertex;  // by binding
  // The first 8 transform feedback buffers, by binding; and those of them that draws have captured
  // to since transform feedback began. Bits.
  std::vector<Range> captures;
  uint8_t captured = 0;
  // vkCmdBindVertexBuffers2 was the last command that set dynamic strides.
  bool strides_known = false;
  std::vector<VertexInput> inputs;  // those of the last vkCmdSetVertexInputEXT
  Range index;
  uint32_t index_bytes = 0;     // size of an index; 0: unknown
  uint32_t bound_vertices = 0;  // the first 32 vertex buffers that were bound, or may be; bits
  bool index_bound = false;     // an index buffer was bound, or may be
  PushedRange pushed;           // the last one
  PushedWords pushed_words;
  uint32_t supplied = 0;         // kPushConstants, if some were written or may be
  PushConstants push_constants;  // of compute shaders
  // Of vertex and fragment shaders, if keeps_draw_constants: shaders may have addresses. The last
  // values of either stage: a layout with both needs the stages of all of its ranges together.
  PushConstants draw_constants;
  bool keeps_draw_constants = false;
  bool push_constants_new =
      false;  // they, or the compute pipeline, are not those of the last dispatch
  // Dynamic state that was set, or may be; and the part of it whose last value is on, as in
  // DrawState (needed_state.h). Bits of dynamic_states.h.
  uint64_t set_state = 0, on_state = 0;
  // Features::refused_states.
  uint64_t refused_state = 0;
  // The device may use other viewports and scissors than the first one.
  bool several_viewports = false;
  // The last numbers of viewports and of scissors that commands set with a count; 0: not known.
  uint32_t viewports = 0, scissors = 0;
  // The graphics stages that shader objects are bound to, and those that vkCmdBindShadersEXT has
  // named, or may have.
  VkShaderStageFlags shader_stages = 0, named_stages = 0;
  std::vector<BoundShader> shaders;  // those of shader_stages, and earlier ones
  // The last vkCmdExecuteCommands, which made all state before it undefined; nullptr: none.
  const CallInfo* undone_by = nullptr;
  SiteId undone_at = kUnknownSite;

  BindPoint& At(VkPipelineBindPoint point) {
    return point == VK_PIPELINE_BIND_POINT_COMPUTE    ? compute
           : point == VK_PIPELINE_BIND_POINT_GRAPHICS ? graphics
                                                      : other;
  }
  void Clear();
  // A command makes all state undefined.
  void Undo(const CallInfo& by, SiteId at);
  // Returns the end of the finding's text "nothing is bound ...": the command that made the state
  // undefined. Returns "" if no command did.
  std::string SinceUndone() const;
  // Push constants are written. nullptr: the values are unknown.
  void NotePushed(const PushedRange& range, const void* values);
  // Sets kPushConstants of the point's needed_sets.
  void FindUnpushed(BindPoint* point) const;
  // Push constants are written for the layout for which the last ones were written.
  void KeepPushed(const PushedRange& range, const void* values) {
    constexpr VkShaderStageFlags kOfDraws =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
    if (keeps_draw_constants && (range.stages & kOfDraws) != 0)
      draw_constants.Write(range.offset, range.size, values);
    if ((range.stages & VK_SHADER_STAGE_COMPUTE_BIT) == 0) return;
    push_constants.Write(range.offset, range.size, values);
    push_constants_new = true;
  }
  void ForgetPushConstants() {
    push_constants.known = draw_constants.known = 0;
    push_constants_new = true;
  }
  // vkCmdBindVertexBuffers2 sets the strides of the bindings from `first` on. nullptr: unknown.
  void SetStrides(uint32_t first, uint32_t count, const VkDeviceSize* strides);
  // The dynamic stride of a vertex buffer binding, or kUnknownStride.
  uint32_t StrideOf(uint32_t binding) const;
  // Vertex and index buffers may be bound that gpusan does not know.
  void ForgetInputs();
  // So may sets, and dynamic state may be set.
  void ForgetAll();
  // Whether [first, first + count) can be slots of sets or vertex buffers: no device has more.
  static bool IsSlotRange(uint32_t first, uint32_t count) {
    constexpr uint64_t kMostSlots = 1 << 16;
    return uint64_t{first} + count <= kMostSlots;
  }
};

}  // namespace gpusan::vulkan
