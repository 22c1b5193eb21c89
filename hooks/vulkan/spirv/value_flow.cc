// The values that a shader surely passes from images, buffers and vertex attributes to its results.
#include "hooks/vulkan/spirv/value_flow.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace gpusan::vulkan {
namespace {

constexpr uint32_t kNone = SpirvCode::kNone;
constexpr uint32_t kMostComponents = 4;
constexpr size_t kMostSources = 64;

// The sources on which a component of a value depends. Bits: indices into Reader::sources_.
using Sources = uint64_t;
// Those of the components of a scalar or vector.
using Value = std::array<Sources, kMostComponents>;

// A variable of an image or buffer, or an input location.
struct Source {
  bool resource = false;
  uint32_t id = 0;

  friend bool operator==(const Source&, const Source&) = default;
};

struct Pointer {
  uint32_t variable = 0, storage = 0;
  std::vector<uint32_t> path;  // constant indices
  bool known = true;           // all indices are constant
};

class Reader {
 public:
  explicit Reader(const SpirvCode& code) : code_(code) {
    code.ForEachVariable([&](uint32_t id, uint32_t storage, uint32_t) {
      pointers_[id] = {id, storage, {}, true};
    });
  }

  ValueFlow Read(const SpirvCode::Entry& entry) {
    const SpirvFunction* function = code_.Function(entry.function);
    if (function == nullptr || function->blocks.size() != 1) return {};
    for (const SpirvInstruction& instruction : function->blocks[0].instructions) {
      if (!Follow(instruction)) return {};
    }
    ValueFlow flow;
    if (entry.model == spv::ExecutionModelVertex) flow.positions = Positions();
    if (entry.model == spv::ExecutionModelFragment) AddColors(&flow);
    if (entry.model == spv::ExecutionModelGLCompute) AddMemory(&flow);
    return flow;
  }

 private:
  // Returns false if the results are not known.
  bool Follow(const SpirvInstruction& instruction) {
    switch (instruction.op) {
      case spv::OpVariable:
        pointers_[instruction[1]] = {instruction[1], instruction[2], {}, true};
        break;
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        Chain(instruction);
        break;
      case spv::OpLoad:
        Load(instruction);
        break;
      case spv::OpStore:
        Store(instruction[0], ValueOf(instruction[1]));
        break;
      case spv::OpImageWrite:
        written_[HandleOf(instruction[0])] = ValueOf(instruction[2]);
        writes_images_ = true;
        break;
      case spv::OpImageTexelPointer:
        writes_images_ = true;
        break;
      case spv::OpSampledImage:
      case spv::OpImage:
        handles_[instruction[1]] = HandleOf(instruction[2]);
        break;
      case spv::OpFunctionCall:
      case spv::OpCopyMemory:
      case spv::OpCopyMemorySized:
      case spv::OpKill:
      case spv::OpTerminateInvocation:
      case spv::OpDemoteToHelperInvocation:
        return false;
      default:
        Compute(instruction);
        break;
    }
    return true;
  }

  void Chain(const SpirvInstruction& chain) {
    const auto base = pointers_.find(chain[2]);
    if (base == pointers_.end()) return;
    Pointer pointer = base->second;
    for (uint32_t i = 3; i < chain.count; ++i) {
      const std::optional<int64_t> index = code_.Constant(chain[i]);
      pointer.known = pointer.known && index && *index >= 0 && *index < 1024;
      if (pointer.known) pointer.path.push_back(static_cast<uint32_t>(*index));
    }
    pointers_[chain[1]] = std::move(pointer);
  }

  void Load(const SpirvInstruction& load) {
    const auto found = pointers_.find(load[2]);
    if (found == pointers_.end()) return;
    const Pointer& pointer = found->second;
    if (IsReadOnlyBuffer(pointer)) {
      if (ComponentsOf(load[0]) != 0) values_[load[1]] = All(SourceOf({true, pointer.variable}));
      return;
    }
    if (!pointer.known) return;
    if (pointer.storage == spv::StorageClassUniformConstant) {
      if (pointer.path.empty()) handles_[load[1]] = pointer.variable;
    } else if (pointer.storage == spv::StorageClassInput) {
      const uint32_t location = code_.Decoration(pointer.variable, spv::DecorationLocation);
      if (location < 64 && pointer.path.size() < 2 && ComponentsOf(load[0]) != 0)
        values_[load[1]] = All(SourceOf({false, location}));
    } else if (pointer.storage == spv::StorageClassFunction) {
      const Value& local = locals_[pointer.variable];
      if (pointer.path.empty()) {
        values_[load[1]] = local;
      } else if (pointer.path.size() == 1 && pointer.path[0] < kMostComponents) {
        values_[load[1]] = {local[pointer.path[0]]};
      }
    }
  }

  void Store(uint32_t id, const Value& value) {
    const auto found = pointers_.find(id);
    if (found == pointers_.end()) return;
    const Pointer& pointer = found->second;
    switch (pointer.storage) {
      case spv::StorageClassFunction:
        StoreTo(pointer, 0, value, &locals_[pointer.variable]);
        break;
      case spv::StorageClassOutput: {
        const bool block = IsBlock(pointer.variable);
        // Any member may be written.
        if (!pointer.known || (block && pointer.path.empty())) {
          std::erase_if(outputs_,
                        [&](const auto& output) { return output.first.first == pointer.variable; });
        } else {
          StoreTo(pointer, block ? 1 : 0, value,
                  &outputs_[{pointer.variable, block ? pointer.path[0] : kNone}]);
        }
        break;
      }
      case spv::StorageClassStorageBuffer:
      case spv::StorageClassUniform:
        written_[pointer.variable] = value;
        break;
      default:
        break;
    }
  }

  // Stores to a scalar or vector, or to a component of a vector, which the path names from its
  // index `from` on.
  static void StoreTo(const Pointer& pointer, size_t from, const Value& value, Value* target) {
    if (pointer.known && pointer.path.size() == from) {
      *target = value;
    } else if (pointer.known && pointer.path.size() == from + 1 &&
               pointer.path[from] < kMostComponents) {
      (*target)[pointer.path[from]] = value[0];
    } else {
      *target = {};
    }
  }

  // Instructions whose result depends on each value that reaches it. A product does not: the other
  // factor may be 0.
  void Compute(const SpirvInstruction& made) {
    Value value = {};
    switch (made.op) {
      case spv::OpImageSampleImplicitLod:
      case spv::OpImageSampleExplicitLod:
      case spv::OpImageSampleProjImplicitLod:
      case spv::OpImageSampleProjExplicitLod:
      case spv::OpImageFetch:
      case spv::OpImageGather:
      case spv::OpImageRead:
        // A value that the shader itself may have written is defined.
        if (const uint32_t variable = HandleOf(made[2]); variable != 0 && !writes_images_)
          value = All(SourceOf({true, variable}));
        break;
      case spv::OpCompositeExtract:
        if (made.count == 4 && made[3] < kMostComponents) value[0] = ValueOf(made[2])[made[3]];
        break;
      case spv::OpCompositeConstruct:
        value = Construct(made);
        break;
      case spv::OpVectorShuffle:
        value = Shuffle(made);
        break;
      case spv::OpCopyObject:
      case spv::OpConvertFToU:
      case spv::OpConvertFToS:
      case spv::OpConvertSToF:
      case spv::OpConvertUToF:
      case spv::OpUConvert:
      case spv::OpSConvert:
      case spv::OpFConvert:
      case spv::OpFNegate:
      case spv::OpSNegate:
        value = ValueOf(made[2]);
        break;
      case spv::OpBitcast:
        if (ComponentsOf(made[0]) == ComponentsOf(TypeOf(made[2]))) value = ValueOf(made[2]);
        break;
      case spv::OpFAdd:
      case spv::OpFSub:
      case spv::OpIAdd:
      case spv::OpISub: {
        // Two values of one source may cancel each other.
        const Value a = ValueOf(made[2]), b = ValueOf(made[3]);
        for (uint32_t i = 0; i < kMostComponents; ++i) value[i] = a[i] ^ b[i];
        break;
      }
      // A transformation that ignores two coordinates makes no picture.
      case spv::OpMatrixTimesVector:
        value = Transform(ValueOf(made[3]));
        break;
      case spv::OpVectorTimesMatrix:
        value = Transform(ValueOf(made[2]));
        break;
      default:
        break;
    }
    if (ComponentsOf(made[0]) == 0) return;
    types_[made[1]] = made[0];
    if (value != Value{}) values_[made[1]] = value;
  }

  Value Construct(const SpirvInstruction& made) const {
    Value value = {};
    uint32_t at = 0;
    for (uint32_t i = 2; i < made.count && at < kMostComponents; ++i) {
      const Value part = ValueOf(made[i]);
      const uint32_t components = std::max(ComponentsOf(TypeOf(made[i])), 1u);
      for (uint32_t j = 0; j < components && at < kMostComponents; ++j) value[at++] = part[j];
    }
    return ComponentsOf(made[0]) != 0 ? value : Value{};
  }

  Value Shuffle(const SpirvInstruction& made) const {
    Value value = {};
    const Value a = ValueOf(made[2]), b = ValueOf(made[3]);
    const uint32_t first = ComponentsOf(TypeOf(made[2]));
    if (first == 0) return value;
    for (uint32_t i = 4; i < made.count && i - 4 < kMostComponents; ++i) {
      if (made[i] < first) {
        value[i - 4] = a[made[i]];
      } else if (made[i] - first < kMostComponents) {
        value[i - 4] = b[made[i] - first];
      }
    }
    return value;
  }

  static Value Transform(const Value& vector) { return All(vector[0] & vector[1]); }
  static Value All(Sources sources) { return {sources, sources, sources, sources}; }

  Value ValueOf(uint32_t id) const {
    const auto found = values_.find(id);
    return found != values_.end() ? found->second : Value{};
  }
  // Of the instructions that are followed, and of those that SpirvCode defines.
  uint32_t TypeOf(uint32_t id) const {
    const auto found = types_.find(id);
    return found != types_.end() ? found->second : code_.Defined(id)[0];
  }
  uint32_t HandleOf(uint32_t id) const {
    const auto found = handles_.find(id);
    return found != handles_.end() ? found->second : 0;
  }
  // Of a scalar or vector; 0 for other types.
  uint32_t ComponentsOf(uint32_t type) const {
    const SpirvInstruction& defined = code_.Defined(type);
    if (defined.op == spv::OpTypeVector) return std::min(defined[2], kMostComponents);
    return defined.op == spv::OpTypeInt || defined.op == spv::OpTypeFloat ? 1 : 0;
  }
  uint32_t PointeeOf(uint32_t variable) const {
    return code_.Defined(code_.Defined(variable)[0])[2];
  }
  bool IsBlock(uint32_t variable) const {
    return code_.Defined(PointeeOf(variable)).op == spv::OpTypeStruct;
  }
  Sources SourceOf(const Source& source) {
    const auto found = std::find(sources_.begin(), sources_.end(), source);
    const auto index = static_cast<size_t>(found - sources_.begin());
    if (index >= kMostSources) return 0;
    if (found == sources_.end()) sources_.push_back(source);
    return Sources{1} << index;
  }

  uint64_t Positions() const {
    uint64_t locations = 0;
    for (const auto& [output, value] : outputs_) {
      const auto [variable, member] = output;
      const uint32_t built_in =
          member == kNone ? code_.Decoration(variable, spv::DecorationBuiltIn)
                          : code_.Decoration(PointeeOf(variable), spv::DecorationBuiltIn, member);
      if (built_in != spv::BuiltInPosition) continue;
      for (size_t i = 0; i < sources_.size(); ++i) {
        if (!sources_[i].resource && (value[0] & value[1]) >> i & 1)
          locations |= uint64_t{1} << sources_[i].id;
      }
    }
    return locations;
  }

  void AddColors(ValueFlow* flow) const {
    for (const auto& [output, value] : outputs_) {
      const uint32_t location = code_.Decoration(output.first, spv::DecorationLocation);
      // The second source of blending has an index.
      if (output.second != kNone || location == kNone ||
          code_.Has(output.first, spv::DecorationIndex) ||
          code_.Has(output.first, spv::DecorationComponent))
        continue;
      const uint32_t components = ComponentsOf(PointeeOf(output.first));
      Add(value, components, location, flow);
    }
  }

  void AddMemory(ValueFlow* flow) const {
    for (const auto& [variable, value] : written_) Add(value, kMostComponents, kNone, flow);
  }

  void Add(const Value& value, uint32_t components, uint32_t location, ValueFlow* flow) const {
    for (size_t i = 0; i < sources_.size(); ++i) {
      uint32_t depending = 0;
      for (uint32_t j = 0; j < components; ++j)
        depending |= static_cast<uint32_t>(value[j] >> i & 1) << j;
      if (!sources_[i].resource || depending == 0 || !IsSingle(sources_[i].id)) continue;
      const uint32_t variable = sources_[i].id;
      const uint32_t set = code_.Decoration(variable, spv::DecorationDescriptorSet);
      const uint32_t binding = code_.Decoration(variable, spv::DecorationBinding);
      if (binding != kNone)
        flow->resources.push_back({set == kNone ? 0 : set, binding, location, depending});
    }
  }

  // A buffer that the shader cannot write: what it reads was written before the shader runs.
  bool IsReadOnlyBuffer(const Pointer& pointer) const {
    const uint32_t block = PointeeOf(pointer.variable);
    if (pointer.storage == spv::StorageClassUniform && code_.Has(block, spv::DecorationBlock))
      return true;
    if (pointer.storage != spv::StorageClassStorageBuffer &&
        pointer.storage != spv::StorageClassUniform)
      return false;
    if (code_.Has(pointer.variable, spv::DecorationNonWritable)) return true;
    const SpirvInstruction& type = code_.Defined(block);
    // Operand 0 of a structure is its id.
    for (uint32_t i = 1; type.op == spv::OpTypeStruct && i < type.count; ++i) {
      if (!code_.Has(block, spv::DecorationNonWritable, i - 1)) return false;
    }
    return type.op == spv::OpTypeStruct && type.count > 1;
  }

  // No array of images or buffers, no buffer of texels, and no attachment of the subpass.
  bool IsSingle(uint32_t variable) const {
    const SpirvInstruction* type = &code_.Defined(PointeeOf(variable));
    if (type->op == spv::OpTypeStruct) return true;
    if (type->op == spv::OpTypeSampledImage) type = &code_.Defined((*type)[1]);
    return type->op == spv::OpTypeImage && (*type)[2] != spv::DimBuffer &&
           (*type)[2] != spv::DimSubpassData;
  }

  const SpirvCode& code_;
  std::vector<Source> sources_;
  std::map<uint32_t, Pointer> pointers_;
  std::map<uint32_t, Value> values_;
  std::map<uint32_t, uint32_t> types_;    // of the results of the instructions
  std::map<uint32_t, uint32_t> handles_;  // the variables of loaded images
  std::map<uint32_t, Value> locals_;      // by variable of the function
  // The last value of each variable and of each member of a block.
  std::map<std::pair<uint32_t, uint32_t>, Value> outputs_;
  std::map<uint32_t, Value> written_;  // what was written last to a buffer or image
  bool writes_images_ = false;
};

}  // namespace

ValueFlow ReadValueFlow(const SpirvCode& code, const SpirvCode::Entry& entry) {
  return Reader(code).Read(entry);
}

}  // namespace gpusan::vulkan
