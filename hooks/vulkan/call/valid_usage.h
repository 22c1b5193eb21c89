// The names of valid usages that follow from a function and its argument.
#pragma once

#include <string>
#include <string_view>

namespace gpusan::vulkan {

// The functions below are thread-safe.

// Returns the name of a function in its valid usages: that of the core function of which it is an
// alias.
std::string_view CoreName(std::string_view function);

// Returns the valid usage that the handle in an argument breaks; empty: not known. `parent`: the
// object belongs to another device.
std::string HandleVuid(std::string_view function, std::string_view argument, bool parent);

}  // namespace gpusan::vulkan
