// The vocabulary of Vulkan in findings: names of functions and objects, and cited chapters.
#include "tracker/calls/vocabulary.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/call/names.h"
#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/submission/barrier_fix.h"
#include "hooks/vulkan/words/formats.h"
#include "hooks/vulkan/words/sync_names.h"
#include "tracker/calls/call.h"
#include "tracker/objects/given_names.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {
namespace {

class VulkanVocabulary final : public Vocabulary {
 public:
  const char* Cite(Clause clause) const override {
    static constexpr const char* kTexts[] = {
#define GPUSAN_CLAUSE(clause, opencl, cuda, vulkan, ...) vulkan,
#include "tracker/clauses.def"
#undef GPUSAN_CLAUSE
    };
    return kTexts[static_cast<int>(clause)];
  }

  std::string Flags(const Resource& resource) const override {
    return resource.kind == ObjectKind::kImage
               ? ImageUsageText(static_cast<VkImageUsageFlags>(resource.native_flags))
               : BufferUsageText(static_cast<VkBufferUsageFlags>(resource.native_flags));
  }
  std::string Format(const ImageInfo& image) const override {
    const auto format = static_cast<VkFormat>(image.native_data_type);
    const std::string name = FormatName(format);
    // The depth and the stencil of a texel are not adjacent in memory.
    constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    return image.texel_bytes != 0 && (AspectsOf(format) & kBoth) != kBoth
               ? absl::StrCat(name, ", ", image.texel_bytes, " B a texel")
               : name;
  }
  std::string FittingType(const ImageInfo& image, uint64_t texel_bytes) const override {
    return FittingFormats(static_cast<VkFormat>(image.native_data_type), texel_bytes);
  }
  std::string CodeName(int64_t code) const override {
    return ResultName(static_cast<VkResult>(code));
  }

  const char* ReleaseCall(ObjectKind kind) const override {
    static constexpr KindText kCalls[] = {
        {ObjectKind::kInstance, "vkDestroyInstance"},
        {ObjectKind::kContext, "vkDestroyDevice"},
        {ObjectKind::kBuffer, "vkDestroyBuffer"},
        {ObjectKind::kImage, "vkDestroyImage"},
        {ObjectKind::kPhysicalMemory, "vkFreeMemory"},
        {ObjectKind::kBufferView, "vkDestroyBufferView"},
        {ObjectKind::kImageView, "vkDestroyImageView"},
        {ObjectKind::kSampler, "vkDestroySampler"},
        {ObjectKind::kProgram, "vkDestroyShaderModule"},
        {ObjectKind::kUserEvent, "vkDestroyEvent"},
        {ObjectKind::kFence, "vkDestroyFence"},
        {ObjectKind::kSemaphore, "vkDestroySemaphore"},
        {ObjectKind::kQueryPool, "vkDestroyQueryPool"},
        {ObjectKind::kCommandPool, "vkDestroyCommandPool"},
        {ObjectKind::kCommandBuffer, "vkFreeCommandBuffers"},
        {ObjectKind::kDescriptorPool, "vkDestroyDescriptorPool"},
        {ObjectKind::kDescriptorSet, "vkFreeDescriptorSets or vkResetDescriptorPool"},
        {ObjectKind::kDescriptorSetLayout, "vkDestroyDescriptorSetLayout"},
        {ObjectKind::kDescriptorTemplate, "vkDestroyDescriptorUpdateTemplate"},
        {ObjectKind::kPipeline, "vkDestroyPipeline"},
        {ObjectKind::kPipelineCache, "vkDestroyPipelineCache"},
        {ObjectKind::kPipelineLayout, "vkDestroyPipelineLayout"},
        {ObjectKind::kRenderPass, "vkDestroyRenderPass"},
        {ObjectKind::kFramebuffer, "vkDestroyFramebuffer"},
        {ObjectKind::kSwapchain, "vkDestroySwapchainKHR"},
        {ObjectKind::kPresentationSurface, "vkDestroySurfaceKHR"},
        {ObjectKind::kYcbcrConversion, "vkDestroySamplerYcbcrConversion"},
        {ObjectKind::kAccelerationStructure, "vkDestroyAccelerationStructureKHR"},
        {ObjectKind::kShaderObject, "vkDestroyShaderEXT"},
    };
    return TextOfKind(kind, kCalls, "its vkDestroy function");
  }

  std::string_view CoreName(std::string_view function) const override {
    return vulkan::CoreName(function);
  }
  std::string HandleUsage(std::string_view function, std::string_view argument,
                          bool parent) const override {
    return HandleVuid(function, argument, parent);
  }
  std::string LeftoverUsage(ObjectKind owner) const override {
    return owner == ObjectKind::kInstance ? "VUID-vkDestroyInstance-instance-00629"
                                          : "VUID-vkDestroyDevice-device-05137";
  }

  const char* WaitCalls() const override {
    return "vkWaitForFences, vkWaitSemaphores or vkQueueWaitIdle";
  }
  const char* KindName(ObjectKind kind) const override {
    switch (kind) {
      case ObjectKind::kContext:
        return "device";
      case ObjectKind::kQueue:
        return "queue";
      case ObjectKind::kPhysicalMemory:
        return "device memory";
      case ObjectKind::kProgram:
        return "shader module";
      case ObjectKind::kUserEvent:
        return "event";
      default:
        return ObjectKindName(kind);
    }
  }
  const char* FaultFinder() const override {
    return "submit them one at a time and wait after each to find the one that faults; "
           "VK_EXT_device_fault may report an address";
  }
  const char* WorkItems() const override { return "invocations"; }
  const char* Orderings() const override { return "semaphore or barrier"; }
  std::string OrderFix(const char* earlier, const char* later) const override {
    if (Acquires(earlier)) {
      return absl::StrCat("let the submission of ", later, " wait for the semaphore of ", earlier,
                          " at the stages that use the image, or wait on the host for its fence");
    }
    return absl::StrCat("signal a semaphore after ", earlier, " and let the submission of ", later,
                        " wait for it, or wait on the host between them (", WaitCalls(), ")");
  }
  bool CountsReferences() const override { return false; }
  bool HasUserEvents() const override { return false; }
  bool ReleasesAfterFault() const override { return true; }
  std::string Stages(uint64_t stages) const override { return StagesInText(stages); }
  std::string Accesses(uint64_t access) const override { return AccessInText(access); }
  std::string StagesFact(uint64_t stages) const override { return StagesText(stages); }
  std::string AccessesFact(uint64_t access) const override { return AccessText(access); }
  std::string BarrierStages(const ScopeBarrier& barrier) const override {
    return BarrierStagesInText(barrier);
  }
  std::string LayoutName(uint32_t layout) const override { return vulkan::LayoutName(layout); }

  std::string ObjectName(const Object& object) const override {
    const std::string name = NameOf(object);
    return name.empty() ? GivenName(object) : name;
  }
  std::string LabelName(LabelId label) const override { return vulkan::LabelName(label); }
  std::string CommandLabel(LabelId label) const override { return LabelPhrase(label); }

  std::string BarrierFix(const Resource& resource, const ScopedConflict& conflict) const override {
    return vulkan::BarrierFix(resource, conflict);
  }
  std::string HostBarrierFix(uint64_t stages, uint64_t access) const override {
    return absl::StrCat("record a barrier after the write: ",
                        BarrierInText("", {StagesInText(stages), AccessInText(access),
                                           StagesInText(VK_PIPELINE_STAGE_2_HOST_BIT),
                                           AccessInText(VK_ACCESS_2_HOST_READ_BIT)}));
  }
};

constinit const VulkanVocabulary words{};
}  // namespace
const Vocabulary& Words() { return words; }

}  // namespace gpusan::vulkan
