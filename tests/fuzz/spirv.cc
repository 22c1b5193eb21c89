// Fuzz target: SPIR-V modules, as the Vulkan hooks read them, and what their kernels access.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "hooks/common/spirv/spirv_accesses.h"
#include "hooks/vulkan/spirv/spirv_reader.h"

using namespace gpusan::vulkan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / sizeof(uint32_t));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  const ShaderModule module = ReadShaderModule(words.data(), words.size());
  for (const uint32_t stage : {0x20u, 0x10u, 0x1u}) module.Find("main", stage);
  gpusan::AnalyseSpirv(words, {});
  return 0;
}
