// Names that programs give to their objects, and Vulkan's numbers for object types.
#include "hooks/vulkan/call/names.h"

#include <atomic>
#include <mutex>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::vulkan {
namespace {

constexpr struct {
  VkObjectType type;
  ObjectKind kind;
} kTypes[] = {
    {VK_OBJECT_TYPE_INSTANCE, ObjectKind::kInstance},
    {VK_OBJECT_TYPE_DEVICE, ObjectKind::kContext},
    {VK_OBJECT_TYPE_QUEUE, ObjectKind::kQueue},
    {VK_OBJECT_TYPE_SEMAPHORE, ObjectKind::kSemaphore},
    {VK_OBJECT_TYPE_COMMAND_BUFFER, ObjectKind::kCommandBuffer},
    {VK_OBJECT_TYPE_FENCE, ObjectKind::kFence},
    {VK_OBJECT_TYPE_DEVICE_MEMORY, ObjectKind::kPhysicalMemory},
    {VK_OBJECT_TYPE_BUFFER, ObjectKind::kBuffer},
    {VK_OBJECT_TYPE_IMAGE, ObjectKind::kImage},
    {VK_OBJECT_TYPE_EVENT, ObjectKind::kUserEvent},
    {VK_OBJECT_TYPE_QUERY_POOL, ObjectKind::kQueryPool},
    {VK_OBJECT_TYPE_BUFFER_VIEW, ObjectKind::kBufferView},
    {VK_OBJECT_TYPE_IMAGE_VIEW, ObjectKind::kImageView},
    {VK_OBJECT_TYPE_SHADER_MODULE, ObjectKind::kProgram},
    {VK_OBJECT_TYPE_PIPELINE_CACHE, ObjectKind::kPipelineCache},
    {VK_OBJECT_TYPE_PIPELINE_LAYOUT, ObjectKind::kPipelineLayout},
    {VK_OBJECT_TYPE_RENDER_PASS, ObjectKind::kRenderPass},
    {VK_OBJECT_TYPE_PIPELINE, ObjectKind::kPipeline},
    {VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, ObjectKind::kDescriptorSetLayout},
    {VK_OBJECT_TYPE_SAMPLER, ObjectKind::kSampler},
    {VK_OBJECT_TYPE_DESCRIPTOR_POOL, ObjectKind::kDescriptorPool},
    {VK_OBJECT_TYPE_DESCRIPTOR_SET, ObjectKind::kDescriptorSet},
    {VK_OBJECT_TYPE_FRAMEBUFFER, ObjectKind::kFramebuffer},
    {VK_OBJECT_TYPE_COMMAND_POOL, ObjectKind::kCommandPool},
    {VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION, ObjectKind::kYcbcrConversion},
    {VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, ObjectKind::kDescriptorTemplate},
    {VK_OBJECT_TYPE_SURFACE_KHR, ObjectKind::kPresentationSurface},
    {VK_OBJECT_TYPE_SWAPCHAIN_KHR, ObjectKind::kSwapchain},
    {VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, ObjectKind::kAccelerationStructure},
    // VK_OBJECT_TYPE_SHADER_EXT, which the headers may lack.
    {static_cast<VkObjectType>(1000482000), ObjectKind::kShaderObject},
};

// Names are kept apart from the objects, so that objects without a name need no memory. The name of
// a destroyed object is replaced when its slot is named again: there are never more names than
// objects that lived at one time.
class Table {
 public:
  void Set(const Object& object, std::string_view name) {
    std::lock_guard lock(lock_);
    if (name.empty()) {
      names_.erase(&object);
    } else {
      names_[&object] = {object.generation.load(std::memory_order_relaxed), std::string(name)};
    }
  }
  std::string Of(const Object& object) {
    std::lock_guard lock(lock_);
    const auto found = names_.find(&object);
    return found != names_.end() &&
                   found->second.generation == object.generation.load(std::memory_order_relaxed)
               ? found->second.name
               : "";
  }

 private:
  struct Name {
    uint32_t generation = 0;
    std::string name;
  };
  SpinLock lock_;
  absl::btree_map<const Object*, Name> names_;
};

constinit std::atomic<Table*> g_table{nullptr};

}  // namespace

ObjectKind KindOf(VkObjectType type) {
  for (const auto& row : kTypes) {
    if (row.type == type) return row.kind;
  }
  return ObjectKind::kNone;
}

VkObjectType TypeOf(ObjectKind kind) {
  for (const auto& row : kTypes) {
    if (row.kind == kind) return row.type;
  }
  return VK_OBJECT_TYPE_UNKNOWN;
}

void SetName(const Object& object, std::string_view name) {
  Table* table = g_table.load(std::memory_order_acquire);
  if (table == nullptr) {
    auto* made = new Table;
    if (g_table.compare_exchange_strong(table, made, std::memory_order_acq_rel)) {
      table = made;
    } else {
      delete made;
    }
  }
  table->Set(object, name);
}

std::string NameOf(const Object& object) {
  Table* table = g_table.load(std::memory_order_acquire);
  return table != nullptr ? table->Of(object) : "";
}

void ForgetNames() { g_table.store(nullptr, std::memory_order_release); }

}  // namespace gpusan::vulkan
