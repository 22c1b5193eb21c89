// Reads from SPIR-V which descriptors a shader uses, and how.
#pragma once

#include <spirv/unified1/spirv.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/vulkan/spirv/push_reads.h"
#include "hooks/vulkan/spirv/sampling.h"
#include "hooks/vulkan/spirv/stage_interface.h"
#include "hooks/vulkan/spirv/texel_writes.h"
#include "hooks/vulkan/spirv/value_flow.h"

namespace gpusan::vulkan {

// Bytes of a buffer's descriptor range.
struct ShaderBytes {
  uint64_t offset = 0, width = 0;
};

// The kinds of resources that a shader declares. Bits.
enum ResourceKinds : uint16_t {
  kSamplers = 1 << 0,
  kSampledImages = 1 << 1,
  kCombinedSamplers = 1 << 2,
  kStorageImages = 1 << 3,
  kUniformTexels = 1 << 4,
  kStorageTexels = 1 << 5,
  kUniformBuffers = 1 << 6,
  kStorageBuffers = 1 << 7,
  kInputAttachments = 1 << 8,
  kAccelerationStructures = 1 << 9,
};

// One descriptor binding, or one element of its array, that an entry point statically uses.
struct ShaderBinding {
  static constexpr uint32_t kAll = ~uint32_t{0};
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = kAll;  // of an array, if the index is constant
  uint32_t length = 0;      // of the array; 0: not known, or none
  bool reads = false;
  bool writes = false;
  bool array = false;   // the index into the binding's array is unknown
  bool atomic = false;  // reads it by atomic operations only
  // A fragment shader with an interlock: the fragments of a pixel have an order.
  bool interlocked = false;
  // Images: the spv::Dim that the shader declares (bit N for Dim N), and the kinds of numbers of
  // the texels. If several variables have the binding, these are the values of all of them.
  uint8_t dims = 0;
  bool floats = false, integers = false;
  // Of samplers and combined image samplers: how instructions sample with them. Sampling bits.
  uint8_t sampling = 0;
  // ResourceKinds of its variables, without kinds that gpusan does not know.
  uint16_t kinds = 0;
  // Vertex and compute shaders: the words of a uniform buffer that every invocation reads; not all
  // of them may be listed. Not for pipelines that specialize constants.
  PushWords sure_words = 0;
  // Bytes that every invocation of a compute shader writes; not all of them may be listed.
  std::vector<ShaderBytes> written;
  // Compute shaders: texels of a storage image that are surely written; not all of them may be
  // listed.
  std::vector<ShaderTexels> texels;
};

// Whether the binding is one storage image, which the shader writes.
inline bool WritesImage(const ShaderBinding& binding) {
  return binding.element == ShaderBinding::kAll && !binding.array && binding.writes &&
         binding.kinds == kStorageImages;
}

// Adds the texels that the entry point surely writes to those of its bindings.
template <typename Bindings>
void AddTexels(const SpirvCode& code, uint32_t function, Bindings* bindings) {
  for (const TexelWrite& write : ReadTexelWrites(code, function)) {
    const uint32_t set = code.Decoration(write.variable, spv::DecorationDescriptorSet);
    const uint32_t number = code.Decoration(write.variable, spv::DecorationBinding);
    for (auto& binding : *bindings) {
      if (WritesImage(binding) && binding.set == (set == SpirvCode::kNone ? 0 : set) &&
          binding.binding == number)
        binding.texels.push_back(write.texels);
    }
  }
}

struct EntryPoint {
  std::string name;
  uint32_t stage = 0;                   // VkShaderStageFlagBits
  std::vector<ShaderBinding> bindings;  // by set, binding and element
  // Vertex shaders: the first 64 locations of declared input variables. Bits.
  uint64_t inputs = 0;
  // Those of them whose variables hold only integers, or only floating-point numbers.
  uint64_t integer_inputs = 0, float_inputs = 0;
  // The first 8 transform feedback buffers that its outputs are captured to. Bits.
  uint8_t captures = 0;
  bool push_constants = false;  // reads them
  PushReads pushes;             // the known reads of push constants
  bool one_block = false;       // has no branch, and calls no function
  ValueFlow flow;
  StageInterface interface;  // of shaders of graphics pipelines
};

// The entry points of a module. A module that cannot be parsed has none.
struct ShaderModule {
  std::vector<EntryPoint> entry_points;
  // Specialization constants of 8 to 64 bits.
  struct Constant {
    uint32_t id = 0, bytes = 0;
  };
  std::vector<Constant> constants;

  const EntryPoint* Find(const char* name, uint32_t stage) const;
};

// Parses `count` words, as given to vkCreateShaderModule. Never reads beyond them, whatever their
// content is.
ShaderModule ReadShaderModule(const uint32_t* words, size_t count);

}  // namespace gpusan::vulkan
