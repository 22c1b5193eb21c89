// The texels of storage images that a compute shader surely writes.
#include "hooks/vulkan/spirv/texel_writes.h"

#include <spirv/unified1/spirv.hpp>

#include <array>
#include <map>
#include <optional>

namespace gpusan::vulkan {
namespace {

constexpr size_t kMostWrites = 8;
constexpr int64_t kMost = 1 << 20;  // of a coordinate
constexpr uint32_t kMostComponents = 4;

using Coordinate = ShaderTexels::Coordinate;
// A scalar or vector. nullopt: the component is not known.
using Value = std::array<std::optional<Coordinate>, kMostComponents>;

class Reader {
 public:
  Reader(const SpirvCode& code, uint32_t function) : code_(code) {
    uint32_t local[3];
    code.LocalSize(function, local);
    code.ForEachVariable([&](uint32_t id, uint32_t storage, uint32_t) {
      if (storage == spv::StorageClassUniformConstant) images_[id] = id;
      if (storage != spv::StorageClassInput) return;
      const uint32_t built_in = code.Decoration(id, spv::DecorationBuiltIn);
      const bool global = built_in == spv::BuiltInGlobalInvocationId;
      if (!global && built_in != spv::BuiltInWorkgroupId) return;
      Value& value = variables_[id];
      for (uint8_t axis = 0; axis < 3; ++axis) {
        if (!global || local[axis] != 0)
          value[axis] = Coordinate{0, global ? local[axis] : 1, axis};
      }
    });
  }

  std::vector<TexelWrite> Read(const SpirvBlock& block) {
    for (const SpirvInstruction& instruction : block.instructions) Follow(instruction);
    return std::move(writes_);
  }

 private:
  void Follow(const SpirvInstruction& instruction) {
    switch (instruction.op) {
      case spv::OpVariable:
        variables_[instruction[1]] = {};
        break;
      case spv::OpLoad:
        Load(instruction);
        break;
      case spv::OpStore:
        // Through another pointer the variable is not known.
        if (const auto found = variables_.find(instruction[0]); found != variables_.end()) {
          found->second = ValueOf(instruction[1]);
        } else {
          Escape(instruction[0]);
        }
        break;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        chains_[instruction[1]] = {
            instruction[2], instruction.count == 4 ? code_.Constant(instruction[3]) : std::nullopt};
        break;
      case spv::OpFunctionCall:
        // The function may store to local variables.
        for (uint32_t i = 3; i < instruction.count; ++i) Escape(instruction[i]);
        break;
      case spv::OpCopyMemory:
      case spv::OpCopyMemorySized:
        Escape(instruction[0]);
        break;
      case spv::OpImageWrite:
        Write(instruction);
        break;
      default:
        Compute(instruction);
        break;
    }
  }

  // Makes the variable to which the pointer points unknown.
  void Escape(uint32_t pointer) {
    const auto chain = chains_.find(pointer);
    const auto found = variables_.find(chain != chains_.end() ? chain->second.base : pointer);
    if (found != variables_.end()) found->second = {};
  }

  void Load(const SpirvInstruction& load) {
    if (const auto image = images_.find(load[2]); image != images_.end()) {
      images_[load[1]] = image->second;
    } else if (const auto whole = variables_.find(load[2]); whole != variables_.end()) {
      values_[load[1]] = whole->second;
    } else if (const auto chain = chains_.find(load[2]); chain != chains_.end()) {
      const auto base = variables_.find(chain->second.base);
      const std::optional<int64_t> index = chain->second.index;
      if (base != variables_.end() && index && *index >= 0 && *index < kMostComponents)
        values_[load[1]] = {base->second[static_cast<size_t>(*index)]};
    }
  }

  void Compute(const SpirvInstruction& instruction) {
    Value value;
    switch (instruction.op) {
      case spv::OpCopyObject:
      case spv::OpBitcast:
        value = ValueOf(instruction[2]);
        break;
      case spv::OpUConvert:
      case spv::OpSConvert:
        if (BitsOf(instruction[0]) < 32) return;  // a large identifier may not fit
        value = ValueOf(instruction[2]);
        break;
      case spv::OpCompositeConstruct: {
        size_t at = 0;
        for (uint32_t i = 2; i < instruction.count; ++i) {
          const Value part = ValueOf(instruction[i]);
          const uint32_t count = ComponentsOf(instruction[i]);
          if (count == 0) return;
          for (uint32_t j = 0; j < count && at < kMostComponents; ++j) value[at++] = part[j];
        }
        break;
      }
      case spv::OpCompositeExtract:
        if (instruction.count != 4 || instruction[3] >= kMostComponents) return;
        value[0] = ValueOf(instruction[2])[instruction[3]];
        break;
      case spv::OpVectorShuffle: {
        const Value first = ValueOf(instruction[2]), second = ValueOf(instruction[3]);
        const uint32_t count = ComponentsOf(instruction[2]);
        for (uint32_t i = 4; i < instruction.count && i - 4 < kMostComponents; ++i) {
          const uint32_t from = instruction[i];
          if (count == 0 || count > kMostComponents) return;
          if (from < count) {
            value[i - 4] = first[from];
          } else if (from - count < kMostComponents) {
            value[i - 4] = second[from - count];
          }
        }
        break;
      }
      case spv::OpIAdd: {
        const Value left = ValueOf(instruction[2]), right = ValueOf(instruction[3]);
        for (size_t i = 0; i < kMostComponents; ++i) value[i] = Sum(left[i], right[i]);
        break;
      }
      default:
        return;
    }
    values_[instruction[1]] = value;
  }

  static std::optional<Coordinate> Sum(const std::optional<Coordinate>& left,
                                       const std::optional<Coordinate>& right) {
    if (!left || !right) return std::nullopt;
    if (left->axis != Coordinate::kConstant && right->axis != Coordinate::kConstant)
      return std::nullopt;
    const Coordinate& named = left->axis != Coordinate::kConstant ? *left : *right;
    const uint32_t first = left->first + right->first;
    if (first > kMost) return std::nullopt;
    return Coordinate{first, named.size, named.axis};
  }

  // The components of a value's type; 0: it is no scalar and no vector.
  uint32_t ComponentsOf(uint32_t id) const {
    const SpirvInstruction& type = code_.Defined(code_.Defined(id)[0]);
    if (type.op == spv::OpTypeVector) return type[2];
    return type.op == spv::OpTypeInt ? 1 : 0;
  }

  // The bits of an integer or of each component of a vector of integers.
  uint32_t BitsOf(uint32_t type) const {
    const SpirvInstruction& defined = code_.Defined(type);
    return code_.Bits(defined.op == spv::OpTypeVector ? defined[1] : type);
  }

  Value ValueOf(uint32_t id) const {
    if (const auto found = values_.find(id); found != values_.end()) return found->second;
    const SpirvInstruction& defined = code_.Defined(id);
    Value value;
    if (defined.op == spv::OpConstantComposite || defined.op == spv::OpSpecConstantComposite) {
      for (uint32_t i = 2; i < defined.count && i - 2 < kMostComponents; ++i)
        value[i - 2] = Constant(defined[i]);
    } else {
      value[0] = Constant(id);
    }
    return value;
  }

  std::optional<Coordinate> Constant(uint32_t id) const {
    const std::optional<int64_t> number = code_.Constant(id);
    if (!number || *number < 0 || *number > kMost) return std::nullopt;
    return Coordinate{static_cast<uint32_t>(*number), 1, Coordinate::kConstant};
  }

  void Write(const SpirvInstruction& write) {
    const auto image = images_.find(write[0]);
    const uint32_t count = ComponentsOf(write[1]);
    if (image == images_.end() || writes_.size() == kMostWrites || count == 0 || count > 3) return;
    const Value value = ValueOf(write[1]);
    TexelWrite made;
    made.variable = image->second;
    made.texels.coordinates = static_cast<uint8_t>(count);
    uint32_t axes = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (!value[i]) return;
      made.texels.at[i] = *value[i];
      if (value[i]->axis == Coordinate::kConstant) continue;
      // Two coordinates of one axis are a diagonal.
      if ((axes >> value[i]->axis & 1) != 0) return;
      axes |= 1u << value[i]->axis;
    }
    writes_.push_back(made);
  }

  struct Chain {
    uint32_t base = 0;
    std::optional<int64_t> index;  // the only one, if it is constant
  };
  const SpirvCode& code_;
  std::map<uint32_t, uint32_t> images_;  // the variables of image handles
  std::map<uint32_t, Value> variables_;  // inputs, and local variables
  std::map<uint32_t, Chain> chains_;
  std::map<uint32_t, Value> values_;
  std::vector<TexelWrite> writes_;
};

}  // namespace

std::vector<TexelWrite> ReadTexelWrites(const SpirvCode& code, uint32_t function) {
  const SpirvFunction* found = code.Function(function);
  if (found == nullptr || found->blocks.empty()) return {};
  return Reader(code, function).Read(found->blocks[0]);
}

}  // namespace gpusan::vulkan
