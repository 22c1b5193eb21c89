// Which descriptors a shader uses, and how: read from its SPIR-V.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpusan::vulkan {

// One descriptor binding that an entry point statically uses.
struct ShaderBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  bool reads = false;
  bool writes = false;
  bool array = false;   // which of its descriptors it uses is not known
  bool atomic = false;  // uses it by atomics, and reads it by nothing else
};

struct EntryPoint {
  std::string name;
  uint32_t stage = 0;                   // VkShaderStageFlagBits
  std::vector<ShaderBinding> bindings;  // by set and binding
};

// Of a whole module. A module that cannot be read has no entry points, and nothing is known of it.
struct ShaderModule {
  std::vector<EntryPoint> entry_points;

  const EntryPoint* Find(const char* name, uint32_t stage) const;
};

// `words`: as given to vkCreateShaderModule. Reads no further than `count` words, whatever they
// say.
ShaderModule ReadShaderModule(const uint32_t* words, size_t count);

}  // namespace gpusan::vulkan
