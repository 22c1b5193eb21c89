// The formats of program binaries, as far as they say how long a binary is.
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

// What the headers in `binary` say is missing at its end. nullopt: nothing, or the format is not
// known. The content is untrusted.
std::optional<BinaryLength> FindMissingEnd(std::string_view binary);

}  // namespace gpusan::opencl
