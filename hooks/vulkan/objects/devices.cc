// vkCreateInstance, vkCreateDevice and vkDestroyInstance: they make and destroy dispatch tables.
#include "hooks/vulkan/objects/devices.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "hooks/vulkan/call/duplicate_layer.h"
#include "hooks/vulkan/objects/supplied_commands.h"
#include "hooks/vulkan/words/sync_names.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// Whether a command is one of instances, which vkGetDeviceProcAddr does not return. Khronos
// validation warns of such a look-up.
template <typename Function>
inline constexpr bool kIsOfInstance = false;
template <typename Result, typename First, typename... Rest>
inline constexpr bool kIsOfInstance<Result(VKAPI_PTR*)(First, Rest...)> =
    std::is_same_v<First, VkInstance> || std::is_same_v<First, VkPhysicalDevice>;

struct SlotName {
  const char* name;
  bool is_of_instance;
};
constexpr SlotName kSlotNames[] = {
#define GPUSAN_VK(name, Handler) {#name, kIsOfInstance<PFN_##name>},
#define GPUSAN_VK_LATER(name, Handler, Result, parameters) \
  {#name, kIsOfInstance<Result(VKAPI_PTR*) parameters>},
#define GPUSAN_VK_NEED(name) {#name, kIsOfInstance<PFN_##name>},
#define GPUSAN_VK_PASS(name, reason)
#define GPUSAN_VK_PASS_LATER(name, reason)
#include "vulkan_rows.inc"
};

bool Enables(const char* const* names, uint32_t count, const char* wanted) {
  for (uint32_t i = 0; names != nullptr && i < count; ++i) {
    if (names[i] != nullptr && std::string_view(names[i]) == wanted) return true;
  }
  return false;
}

Device::BufferLimits LimitsOf(VkDeviceSize alignment, uint32_t most) {
  Device::BufferLimits limits;
  if (std::has_single_bit(alignment)) limits.alignment = alignment;
  if (most != 0 && most != ~uint32_t{0}) limits.most = most;
  return limits;
}

// Features in structures that the headers may lack.
constexpr auto kVulkan14Features = static_cast<VkStructureType>(55);
constexpr auto kLocalReadFeatures = static_cast<VkStructureType>(1000232000);
constexpr auto kTileImageFeatures = static_cast<VkStructureType>(1000395000);
constexpr auto kRobustness2Features = static_cast<VkStructureType>(1000286000);
constexpr auto kPipelineRobustnessFeatures = static_cast<VkStructureType>(1000068001);
constexpr auto kMaintenance6Features = static_cast<VkStructureType>(1000545000);
constexpr auto kMaintenance7Features = static_cast<VkStructureType>(1000562000);

// Whether a feature of one of these structures may be enabled.
bool MayEnable(const VkDeviceCreateInfo& info, std::initializer_list<VkStructureType> structures) {
  return std::ranges::any_of(structures, [&](VkStructureType type) {
    return FindInChain<VkBaseInStructure>(info.pNext, type) != nullptr;
  });
}

// Whether the feature separateDepthStencilLayouts is enabled.
bool HasSeparateDepthStencil(const VkDeviceCreateInfo& info) {
  const auto* of_1_2 = FindInChain<VkPhysicalDeviceVulkan12Features>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  const auto* own = FindInChain<VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES);
  return (of_1_2 != nullptr && of_1_2->separateDepthStencilLayouts != VK_FALSE) ||
         (own != nullptr && own->separateDepthStencilLayouts != VK_FALSE);
}

// Whether draws may read vertices past the end of a buffer.
bool HasRobustVertices(const VkDeviceCreateInfo& info) {
  const auto* features = FindInChain<VkPhysicalDeviceFeatures2>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  return (info.pEnabledFeatures != nullptr && info.pEnabledFeatures->robustBufferAccess) ||
         (features != nullptr && features->features.robustBufferAccess) ||
         MayEnable(info, {kVulkan14Features, kPipelineRobustnessFeatures});
}

// Sets limits that VkPhysicalDeviceProperties lacks, as far as they can be queried.
void QueryLimits(const VkDeviceCreateInfo& info, uint32_t device_version, Device* device) {
  const Instance& instance = *device->instance;
  PFN_vkGetPhysicalDeviceProperties2 get = nullptr;
  if (instance.api_version >= VK_API_VERSION_1_1 && device_version >= VK_API_VERSION_1_1) {
    get = GPUSAN_VK_NEXT(&instance, vkGetPhysicalDeviceProperties2);
  } else if (instance.properties2) {
    get = GPUSAN_VK_NEXT(&instance, vkGetPhysicalDeviceProperties2KHR);
  }
  const auto enables = [&](const char* name) {
    return Enables(info.ppEnabledExtensionNames, info.enabledExtensionCount, name);
  };
  if (get == nullptr) return;
  const uint32_t version = std::min(instance.api_version, device_version);
  if (version >= VK_API_VERSION_1_3 || enables(VK_KHR_MAINTENANCE_4_EXTENSION_NAME)) {
    VkPhysicalDeviceMaintenance4Properties buffers = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
    VkPhysicalDeviceProperties2 sizes = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &buffers};
    get(device->physical, &sizes);
    if (buffers.maxBufferSize != 0) device->largest_buffer = buffers.maxBufferSize;
  }
  if (enables(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 imports = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &host};
    get(device->physical, &imports);
    device->host_pointer_alignment = host.minImportedHostPointerAlignment;
  }
  if (device_version < VK_API_VERSION_1_2 && !enables(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME))
    return;
  VkPhysicalDeviceTransformFeedbackPropertiesEXT feedback = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
  VkPhysicalDeviceTimelineSemaphoreProperties timeline = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES};
  if (enables(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME)) timeline.pNext = &feedback;
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            &timeline};
  get(device->physical, &properties);
  if (timeline.maxTimelineSemaphoreValueDifference != 0)
    device->timeline_difference = timeline.maxTimelineSemaphoreValueDifference;
  device->feedback_streams = feedback.maxTransformFeedbackStreams;
}

// Adds a finding if a required pointer of a creation call is NULL. Such a call cannot be passed on:
// the next layer is named in the create info.
bool HasPointers(VkCall& call, const void* info, const void* handle, const char* handle_name) {
  if (info != nullptr && handle != nullptr) return true;
  rules::OnNullArgument({call.info().name, info == nullptr ? "pCreateInfo" : handle_name}, call);
  return false;
}

VkResult MakeInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                      VkInstance* handle, Instance** made) {
  if (info == nullptr || handle == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  VkLayerInstanceCreateInfo* link = InstanceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  DuplicateLayer duplicate;
  const DuplicateLayerScope passing(&duplicate);
  const VkResult code = create(info, allocator, handle);
  if (code != VK_SUCCESS) return code;
  auto* instance = new Instance;
  instance->below = duplicate.get_instance;
  instance->handle = *handle;
  instance->instance = instance;
  instance->get_proc_addr = get;
  if (info->pApplicationInfo != nullptr && info->pApplicationInfo->apiVersion != 0)
    instance->api_version = info->pApplicationInfo->apiVersion;
  instance->debug_utils = Enables(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                                  VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  instance->properties2 = Enables(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                                  VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME);
  for (int slot = 0; slot < kSlotCount; ++slot) {
    // Looked up now: later the loader would return the top of the chain. Only 250 names of devices
    // that the loader does not know can be looked up in an instance, by all layers and the program.
    if (kSlotNames[slot].is_of_instance)
      instance->next[slot] = reinterpret_cast<void*>(get(*handle, kSlotNames[slot].name));
  }
  instance->creation_messengers.AddChain(info->pNext);
  AddInstance(instance);
  *made = instance;
  return code;
}

}  // namespace

VkResult CreateInstance::Unwatched(const VkInstanceCreateInfo* info,
                                   const VkAllocationCallbacks* allocator, VkInstance* handle) {
  Instance* instance;
  return MakeInstance(info, allocator, handle, &instance);
}

VkResult CreateInstance::Around(VkCall& call, const VkInstanceCreateInfo* info,
                                const VkAllocationCallbacks* allocator, VkInstance* handle) {
  if (!HasPointers(call, info, handle, "pInstance")) return VK_ERROR_INITIALIZATION_FAILED;
  Instance* instance = nullptr;
  const VkResult code = MakeInstance(info, allocator, handle, &instance);
  if (instance != nullptr) {
    instance->object =
        call.tracker().objects().NewPlain(call, ObjectKind::kInstance, HandleOf(*handle), nullptr);
    instance->object->native = instance;
  }
  call.Done(code);
  Messengers messengers;
  messengers.AddChain(info->pNext);
  Deliver(&messengers);
  return code;
}

void DestroyInstance::Around(VkCall& call, VkInstance handle,
                             const VkAllocationCallbacks* allocator) {
  Instance& instance = call.instance();
  const auto next = GPUSAN_VK_NEXT(&instance, vkDestroyInstance);
  if (handle == VK_NULL_HANDLE) return next(handle, allocator);
  Tracker& tracker = call.tracker();
  if (instance.object != nullptr) {
    if (tracker.shadow().options().leaks)
      tracker.ReportLeaks(call.words(), Api::kVulkan, instance.object);
    tracker.objects().ReleaseAllOf(call, instance.object);
    tracker.objects().Release(call, instance.object, true);
  }
  call.EmitNow();
  Deliver(&instance.messengers, &instance.creation_messengers);
  RemoveInstance(&instance);
  next(handle, allocator);
  delete &instance;
}

namespace {

// Reads what the device is able to do, and what the program enabled at its creation.
void ReadAbilities(const VkDeviceCreateInfo& info, Device* device) {
  const Instance* instance = device->instance;
  const VkPhysicalDevice physical = device->physical;
  VkPhysicalDeviceProperties properties;
  GPUSAN_VK_NEXT(instance, vkGetPhysicalDeviceProperties)(physical, &properties);
  device->limits = properties.limits;
  // The feature replaces these limits by others.
  if (MayEnable(info, {kMaintenance7Features})) {
    device->limits.maxDescriptorSetUniformBuffersDynamic = ~uint32_t{0};
    device->limits.maxDescriptorSetStorageBuffersDynamic = ~uint32_t{0};
  }
  QueryLimits(info, properties.apiVersion, device);
  device->features = ReadFeatures(info, instance->api_version);
  if (device->features.synchronization2) NoteSynchronization2();
  device->uniform = LimitsOf(properties.limits.minUniformBufferOffsetAlignment,
                             properties.limits.maxUniformBufferRange);
  device->storage = LimitsOf(properties.limits.minStorageBufferOffsetAlignment,
                             properties.limits.maxStorageBufferRange);
  device->separate_depth_stencil = HasSeparateDepthStencil(info);
  const auto enables = [&](const char* name) {
    return Enables(info.ppEnabledExtensionNames, info.enabledExtensionCount, name);
  };
  device->slice_barriers = enables("VK_KHR_maintenance9");
  device->dispatches_in_passes = enables("VK_QCOM_tile_shading");
  device->mixes_samples =
      enables("VK_AMD_mixed_attachment_samples") || enables("VK_NV_framebuffer_mixed_samples") ||
      enables("VK_EXT_multisampled_render_to_single_sampled") || enables("VK_EXT_custom_resolve") ||
      enables("VK_QCOM_render_pass_shader_resolve");
  if (enables("VK_EXT_shader_64bit_indexing")) device->storage.most = ~uint64_t{0};
  device->unused_attachments = enables("VK_EXT_dynamic_rendering_unused_attachments");
  device->inherits_bindings = enables("VK_NV_command_buffer_inheritance");
  device->aliases_dedicated_images = enables("VK_NV_dedicated_allocation_image_aliasing");
  device->barriers_in_rendering =
      MayEnable(info, {kVulkan14Features, kLocalReadFeatures, kTileImageFeatures});
  device->draws_without_indices = MayEnable(info, {kVulkan14Features, kMaintenance6Features});
  const auto* bytes = FindInChain<VkPhysicalDeviceIndexTypeUint8FeaturesEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT);
  device->byte_indices = MayEnable(info, {kVulkan14Features}) ||
                         (bytes != nullptr && bytes->indexTypeUint8 != VK_FALSE);
  device->robust_indices = MayEnable(info, {kRobustness2Features});
  device->robust_vertices = HasRobustVertices(info);
  device->cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  GPUSAN_VK_NEXT(instance, vkGetPhysicalDeviceMemoryProperties)(physical, &device->memory);
  uint32_t count = 0;
  const auto families = GPUSAN_VK_NEXT(instance, vkGetPhysicalDeviceQueueFamilyProperties);
  families(physical, &count, nullptr);
  device->families.resize(count);
  families(physical, &count, device->families.data());
}

}  // namespace

VkResult CreateDevice::Around(VkCall& call, VkPhysicalDevice physical,
                              const VkDeviceCreateInfo* info,
                              const VkAllocationCallbacks* allocator, VkDevice* handle) {
  if (!HasPointers(call, info, handle, "pDevice")) return VK_ERROR_INITIALIZATION_FAILED;
  Instance& instance = call.instance();
  VkLayerDeviceCreateInfo* link = DeviceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  DuplicateLayer duplicate;
  duplicate.instance = instance.handle;
  duplicate.get_instance = instance.below;
  const DuplicateLayerScope passing(&duplicate);
  const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(get_instance(instance.handle, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult code = create(physical, info, allocator, handle);
  if (code != VK_SUCCESS) {
    call.Done(code);
    return code;
  }
  auto* device = new Device;
  device->handle = *handle;
  device->physical = physical;
  device->instance = &instance;
  device->get_proc_addr = get;
  device->below = duplicate.get_device;
  for (int slot = 0; slot < kSlotCount; ++slot) {
    if (!kSlotNames[slot].is_of_instance)
      device->next[slot] = reinterpret_cast<void*>(get(*handle, kSlotNames[slot].name));
  }
  SupplyDebugUtils(*device);
  ReadAbilities(*info, device);
  device->object = call.tracker().objects().NewPlain(call, ObjectKind::kContext, HandleOf(*handle),
                                                     instance.object);
  device->object->native = device;
  AddDevice(device);
  call.Done(code);
  return code;
}

}  // namespace gpusan::vulkan
