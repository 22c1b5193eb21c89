// Hides arguments of command lines that are secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusan {

// Replaces arguments that match one of the globs in `patterns`, which are separated by commas. Of
// an argument "NAME=VALUE" the value is replaced; of another argument that begins with '-' the next
// argument, which is its value; all others are replaced as a whole. The replacement is
// "[redacted]".
std::vector<std::string> Redacted(std::vector<std::string> arguments, std::string_view patterns);

}  // namespace gpusan
