// The names of valid usages that follow from a function and its argument.
#pragma once

#include <string>
#include <string_view>

namespace gpusan::vulkan {

// The functions below are thread-safe.

// Returns the name of a function in its valid usages: that of the core function of which it is an
// alias.
std::string_view CoreName(std::string_view function);

// Returns the valid usage of a command, such as "VUID-vkCmdDraw-None-08600". `end`: "None-08600".
std::string CommandVuid(std::string_view function, std::string_view end);

// Returns the valid usage that the handle in an argument breaks; empty if it is unknown. An empty
// `argument` means the commands that a submission contains, or the descriptors that a draw or
// dispatch uses. `parent`: the object belongs to another device.
std::string HandleVuid(std::string_view function, std::string_view argument, bool parent);

// Returns the valid usage that a submission breaks if its command buffers are invalid, because the
// program has destroyed or changed what they use. "" if `function` is not a submission.
const char* InvalidCommandsVuid(std::string_view function);
// The same for a submission that acquires a resource which no matching release has released.
const char* UnmatchedAcquireVuid(std::string_view function);

// How a command accesses the image.
enum class LayoutRole { kRead, kWritten, kDescriptor, kColor, kDepth, kStencil };

// The valid usage that the command breaks if the image is in another layout than the command
// names; empty: not known.
std::string LayoutVuid(std::string_view function, LayoutRole role);
// The same if the command allows no image in the layout that it names. kRead and kWritten only.
std::string LayoutKindVuid(std::string_view function, LayoutRole role);

}  // namespace gpusan::vulkan
