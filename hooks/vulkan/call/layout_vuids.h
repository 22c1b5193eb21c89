// The valid usages about the layout in which a command accesses an image.
#pragma once

#include <string>
#include <string_view>

namespace gpusan::vulkan {

// How a command accesses the image.
enum class LayoutRole { kRead, kWritten, kDescriptor, kColor, kDepth, kStencil };

// The valid usage that the command breaks if the image is in another layout than the command
// names; empty: not known.
std::string LayoutVuid(std::string_view function, LayoutRole role);
// The same if the command allows no image in the layout that it names. kRead and kWritten only.
std::string LayoutKindVuid(std::string_view function, LayoutRole role);

}  // namespace gpusan::vulkan
