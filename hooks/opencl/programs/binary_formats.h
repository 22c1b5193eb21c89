// The formats of program binaries whose headers contain the length of the binary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpusan::opencl {

struct BinaryLength {
  const char* format = "";  // "an ELF image"
  // What is missing: "it has 512 of at least 4096 bytes".
  std::string missing;
};

// Compares the length in the headers with the size of `binary`. Returns nullopt if the end of the
// binary is complete, or if the format is unknown. The content is untrusted.
std::optional<BinaryLength> FindMissingEnd(std::string_view binary);

}  // namespace gpusan::opencl
