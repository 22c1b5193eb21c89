// Names that programs give to their objects, and Vulkan's numbers for object types.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string>
#include <string_view>

#include "tracker/objects/object.h"

namespace gpusan::vulkan {

// kNone for types without shadow state.
ObjectKind KindOf(VkObjectType type);
// VK_OBJECT_TYPE_UNKNOWN for kinds that Vulkan lacks. The types of VK_EXT_debug_report have the
// same numbers up to command pools.
VkObjectType TypeOf(ObjectKind kind);

// Names the object; an empty name removes its name. Thread-safe.
void SetName(const Object& object, std::string_view name);
// The object's name; empty if the program gave none. Thread-safe.
std::string NameOf(const Object& object);

// Drops all names in the child of a fork, where another thread may hold their lock.
// Async-signal-safe.
void ForgetNames();

}  // namespace gpusan::vulkan
