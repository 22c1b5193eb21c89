// Names that programs give to their objects, and how Vulkan numbers the types of objects.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string>
#include <string_view>

#include "tracker/objects/object.h"

namespace gpusan::vulkan {

// kNone for types that gpusan keeps nothing of.
ObjectKind KindOf(VkObjectType type);
// VK_OBJECT_TYPE_UNKNOWN where there is none. Types of VK_EXT_debug_report have the same numbers
// up to command pools.
VkObjectType TypeOf(ObjectKind kind);

// An empty name takes the name away. Thread-safe.
void SetName(const Object& object, std::string_view name);
// Empty where the program gave none. Thread-safe.
std::string NameOf(const Object& object);

// In the child of a fork: another thread may have been inside. Async-signal-safe.
void ForgetNames();

}  // namespace gpusan::vulkan
