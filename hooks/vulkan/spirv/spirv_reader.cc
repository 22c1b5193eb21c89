// See the header. Every pointer and image is traced back to its variable. A variable that is passed
// to a function counts as used in every way that its decorations allow.
#include "hooks/vulkan/spirv/spirv_reader.h"

#include <vulkan/vulkan_core.h>
#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "hooks/vulkan/spirv/shader_stages.h"

namespace gpusan::vulkan {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};
constexpr size_t kMostWritten = 4;  // of ShaderBinding::written

struct Variable {
  uint32_t pointee = 0;  // type
  uint32_t set = kNone, binding = kNone;
  uint32_t storage = 0;  // spv::StorageClass
  bool pushed = false;
  bool non_writable = false, non_readable = false;
};

struct Type {
  spv::Op op = spv::OpNop;
  uint32_t element = 0;           // of pointers, arrays and vectors; images: the type of texels
  std::vector<uint32_t> members;  // of structures
  // Elements of a vector; bits of a number; images: spv::Dim; arrays: elements, 0: not known.
  uint32_t count = 0;
  uint32_t sampled = 0;  // images: 1: read through a sampler, 2: not
};

// A variable, or an element of the array that it is.
struct Root {
  uint32_t variable = 0;
  uint32_t element = ShaderBinding::kAll;

  friend auto operator<=>(const Root&, const Root&) = default;
};

struct Use {
  bool reads = false, writes = false;
  bool loads = false, atomics = false;  // reads other than by atomics, and these
  uint8_t sampling = 0;                 // Sampling bits
};

// Bytes of the buffer that a variable is bound to.
struct Bytes {
  uint32_t variable = 0;
  ShaderBytes bytes;
};

struct Function {
  std::map<Root, Use> uses;
  std::set<uint32_t> calls;
  std::vector<Bytes> written;  // by its first block
  uint32_t blocks = 0;
};

// Of SPV_QCOM_tile_shading.
constexpr uint32_t kStorageClassTileAttachment = 4491;

uint32_t StageOf(uint32_t model) {
  const auto* row = std::ranges::find(kShaderStages, model, &ShaderStage::model);
  return row != std::end(kShaderStages) ? row->bit : 0;
}

class Reader {
 public:
  Reader(const uint32_t* words, size_t count) : words_(words), count_(count) {}

  ShaderModule Read() {
    if (count_ < 5 || words_[0] != spv::MagicNumber) return {};
    size_t at = 5;
    while (at < count_) {
      const uint32_t length = words_[at] >> spv::WordCountShift;
      if (length == 0 || length > count_ - at) return {};
      op_ = static_cast<spv::Op>(words_[at] & spv::OpCodeMask);
      operands_ = words_ + at + 1;
      operand_count_ = length - 1;
      Instruction();
      at += length;
    }
    for (const Entry& entry : entries_) {
      module_.entry_points.push_back(Summarise(entry));
      module_.entry_points.back().name = entry.name;
    }
    return std::move(module_);
  }

 private:
  struct Entry {
    std::string name;
    uint32_t stage;
    uint32_t function;
  };

  // 0 where the instruction is shorter than it should be.
  uint32_t Operand(size_t i) const { return i < operand_count_ ? operands_[i] : 0; }

  void Instruction() {
    switch (op_) {
      case spv::OpEntryPoint:
        entries_.push_back({Text(2), StageOf(Operand(0)), Operand(1)});
        break;
      case spv::OpExecutionMode:
        if (Operand(1) >= spv::ExecutionModePixelInterlockOrderedEXT &&
            Operand(1) <= spv::ExecutionModeShadingRateInterlockUnorderedEXT)
          interlocked_.insert(Operand(0));
        if (Operand(1) == spv::ExecutionModeXfb) capturing_.insert(Operand(0));
        break;
      case spv::OpDecorate:
        Decorate();
        break;
      case spv::OpMemberDecorate:
        if (Operand(2) == spv::DecorationXfbBuffer) AddCapture(Operand(3));
        if (Operand(2) == spv::DecorationNonWritable) ++non_writable_members_[Operand(0)];
        if (Operand(2) == spv::DecorationNonReadable) ++non_readable_members_[Operand(0)];
        if (Operand(2) == spv::DecorationOffset) offsets_[{Operand(0), Operand(1)}] = Operand(3);
        break;
      case spv::OpSpecConstant:
        AddConstant(types_[Operand(0)].count / 8);
        break;
      case spv::OpSpecConstantTrue:
      case spv::OpSpecConstantFalse:
        AddConstant(sizeof(VkBool32));
        break;
      case spv::OpConstant:
        if (operand_count_ == 3) constants_[Operand(1)] = Operand(2);
        break;
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
      case spv::OpTypeVector:
      case spv::OpTypePointer:
      case spv::OpTypeArray:
      case spv::OpTypeRuntimeArray:
      case spv::OpTypeStruct:
      case spv::OpTypeImage:
      case spv::OpTypeSampledImage:
      case spv::OpTypeSampler:
      case spv::OpTypeAccelerationStructureKHR:
        AddType();
        break;
      case spv::OpVariable: {
        Variable& variable = variables_[Operand(1)];
        variable.pointee = types_[Operand(0)].element;
        variable.storage = Operand(2);
        variable.pushed = Operand(2) == spv::StorageClassPushConstant;
        roots_[Operand(1)] = {Operand(1), ShaderBinding::kAll};
        break;
      }
      case spv::OpFunction:
        function_ = &functions_[Operand(1)];
        blocks_ = 0;
        break;
      case spv::OpFunctionEnd:
        function_ = nullptr;
        break;
      default:
        if (function_ != nullptr) Body();
        break;
    }
  }

  void AddConstant(uint32_t bytes) {
    const auto id = constant_ids_.find(Operand(1));
    if (id != constant_ids_.end() && bytes != 0) module_.constants.push_back({id->second, bytes});
  }

  void AddType() {
    Type& type = types_[Operand(0)];
    type.op = op_;
    switch (op_) {
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
        type.count = Operand(1);
        break;
      case spv::OpTypeVector:
        type.element = Operand(1);
        type.count = Operand(2);
        break;
      case spv::OpTypeImage:
        type.element = Operand(1);
        type.count = Operand(2);
        type.sampled = Operand(6);
        break;
      case spv::OpTypePointer:
        type.element = Operand(2);
        break;
      case spv::OpTypeArray:
        type.element = Operand(1);
        if (const auto length = constants_.find(Operand(2)); length != constants_.end())
          type.count = length->second;
        break;
      case spv::OpTypeRuntimeArray:
      case spv::OpTypeSampledImage:
        type.element = Operand(1);
        break;
      case spv::OpTypeStruct:
        for (size_t i = 1; i < operand_count_; ++i) type.members.push_back(Operand(i));
        break;
      default:
        break;
    }
  }

  void Decorate() {
    const uint32_t target = Operand(0);
    switch (Operand(1)) {
      case spv::DecorationSpecId:
        constant_ids_[target] = Operand(2);
        break;
      case spv::DecorationDescriptorSet:
        variables_[target].set = Operand(2);
        break;
      case spv::DecorationBinding:
        variables_[target].binding = Operand(2);
        break;
      case spv::DecorationXfbBuffer:
        AddCapture(Operand(2));
        break;
      case spv::DecorationArrayStride:
        strides_[target] = Operand(2);
        break;
      case spv::DecorationBlock:
        blocks_of_uniforms_.insert(target);
        break;
      case spv::DecorationBufferBlock:
        blocks_of_buffers_.insert(target);
        break;
      case spv::DecorationNonWritable:
        variables_[target].non_writable = true;
        break;
      case spv::DecorationNonReadable:
        variables_[target].non_readable = true;
        break;
      default:
        break;
    }
  }

  void AddCapture(uint32_t buffer) {
    if (buffer < 8) captures_ |= static_cast<uint8_t>(1u << buffer);
  }

  std::string Text(size_t from) const {
    const auto* bytes = reinterpret_cast<const char*>(operands_ + from);
    const size_t most = from < operand_count_ ? (operand_count_ - from) * 4 : 0;
    return std::string(bytes, std::find(bytes, bytes + most, '\0'));
  }

  void Body() {
    switch (op_) {
      case spv::OpLabel:
        function_->blocks = ++blocks_;
        break;
      // The result of such an instruction still refers to the variable.
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        if (blocks_ == 1) FollowConstants();
        Derive(Operand(1), Operand(2));
        SelectElement();
        break;
      case spv::OpPtrAccessChain:
      case spv::OpInBoundsPtrAccessChain:
      case spv::OpCopyObject:
      case spv::OpImage:
      case spv::OpImageTexelPointer:
        Derive(Operand(1), Operand(2));
        break;
      case spv::OpSampledImage:
        Derive(Operand(1), Operand(2));
        if (const auto sampler = roots_.find(Operand(3)); sampler != roots_.end()) {
          samplers_[Operand(1)] = sampler->second;
        } else {
          samplers_[Operand(1)] = {};
        }
        break;
      case spv::OpSelect:
      case spv::OpPhi:
        // One of several variables: each counts as used in every way.
        for (size_t i = 2; i < operand_count_; ++i) Escape(Operand(i));
        break;
      case spv::OpLoad:
        // Loading an image handle does not read the image.
        if (IsOpaque(Operand(2))) {
          Derive(Operand(1), Operand(2));
        } else {
          Reads(Operand(2));
        }
        break;
      case spv::OpStore:
        Writes(Operand(0));
        if (const auto bytes = bytes_.find(Operand(0)); blocks_ == 1 && bytes != bytes_.end())
          function_->written.push_back(bytes->second);
        break;
      case spv::OpCopyMemory:
      case spv::OpCopyMemorySized:
        Writes(Operand(0));
        Reads(Operand(1));
        break;
      case spv::OpAtomicLoad:
        Atomic(Operand(2), true, false);
        break;
      case spv::OpAtomicStore:
      case spv::OpAtomicFlagClear:
        Atomic(Operand(0), false, true);
        break;
      case spv::OpImageWrite:
        Writes(Operand(0));
        break;
      case spv::OpTraceRayKHR:
      case spv::OpTraceNV:
      case spv::OpTraceMotionNV:
      case spv::OpTraceRayMotionNV:
        Reads(Operand(0));
        break;
      case spv::OpRayQueryInitializeKHR:
        Reads(Operand(1));
        break;
      case spv::OpFunctionCall:
        function_->calls.insert(Operand(2));
        for (size_t i = 3; i < operand_count_; ++i) Escape(Operand(i));
        break;
      default:
        if (op_ >= spv::OpAtomicExchange && op_ <= spv::OpAtomicXor) {
          Atomic(Operand(2), true, true);
        } else if ((op_ >= spv::OpImageSampleImplicitLod && op_ <= spv::OpImageRead) ||
                   (op_ >= spv::OpImageSparseSampleImplicitLod &&
                    op_ <= spv::OpImageSparseDrefGather) ||
                   op_ == spv::OpImageSparseRead) {
          ReadsImage();
        }
        break;
    }
  }

  // The image may be combined with a separate sampler, which the instruction then reads too.
  void ReadsImage() {
    Reads(Operand(2));
    Use* use = UseOf(Operand(2));
    if (const auto sampler = samplers_.find(Operand(2)); sampler != samplers_.end()) {
      if (sampler->second.variable == 0) return;  // not known
      use = &function_->uses[sampler->second];
      use->reads = use->loads = true;
    }
    if (use != nullptr) use->sampling |= SamplingOf(op_, [this](size_t i) { return Operand(i); });
  }

  // The size of a value in a buffer [bytes]; 0: not derived.
  uint64_t SizeOf(uint32_t id) {
    const Type& type = types_[id];
    if (type.op == spv::OpTypeVector) {
      const Type& element = types_[type.element];
      return element.op == spv::OpTypeVector ? 0 : uint64_t{type.count} * (element.count / 8);
    }
    return type.op == spv::OpTypeInt || type.op == spv::OpTypeFloat ? type.count / 8 : 0;
  }
  // Derives the bytes that an access chain with constant indices names.
  void FollowConstants() {
    const uint32_t base = Operand(2);
    const auto variable = variables_.find(base);
    if (variable == variables_.end()) return;
    uint32_t type = variable->second.pointee;
    uint64_t offset = 0;
    for (size_t i = 3; i < operand_count_; ++i) {
      const auto index = constants_.find(Operand(i));
      if (index == constants_.end()) return;
      const Type& at = types_[type];
      if (at.op == spv::OpTypeStruct && index->second < at.members.size()) {
        const auto member = offsets_.find({type, index->second});
        if (member == offsets_.end()) return;
        offset += member->second;
        type = at.members[index->second];
      } else if (at.op == spv::OpTypeArray || at.op == spv::OpTypeRuntimeArray) {
        const auto stride = strides_.find(type);
        if (stride == strides_.end()) return;
        offset += uint64_t{index->second} * stride->second;
        type = at.element;
      } else if (at.op == spv::OpTypeVector) {
        offset += index->second * SizeOf(at.element);
        type = at.element;
      } else {
        return;
      }
    }
    if (const uint64_t width = SizeOf(type); width != 0)
      bytes_[Operand(1)] = {base, {offset, width}};
  }
  // Resources that are handles in the shader: loading the handle does not access the resource.
  bool IsOpaque(uint32_t pointer) {
    const auto root = roots_.find(pointer);
    if (root == roots_.end()) return false;
    return IsOpaqueType(variables_[root->second.variable].pointee);
  }
  bool IsOpaqueType(uint32_t id) {
    for (int depth = 0; depth < 8; ++depth) {
      const Type& type = types_[id];
      if (type.op == spv::OpTypeArray || type.op == spv::OpTypeRuntimeArray) {
        id = type.element;
        continue;
      }
      return type.op == spv::OpTypeImage || type.op == spv::OpTypeSampledImage ||
             type.op == spv::OpTypeSampler || type.op == spv::OpTypeAccelerationStructureKHR;
    }
    return false;
  }
  void Derive(uint32_t result, uint32_t from) {
    const auto root = roots_.find(from);
    if (root != roots_.end()) roots_[result] = root->second;
  }
  // An access chain into an array of resources.
  void SelectElement() {
    const auto variable = variables_.find(Operand(2));
    const auto index = constants_.find(Operand(3));
    if (variable != variables_.end() && index != constants_.end() && operand_count_ > 3 &&
        IsArray(types_[variable->second.pointee]))
      roots_[Operand(1)].element = index->second;
  }
  static bool IsArray(const Type& type) {
    return type.op == spv::OpTypeArray || type.op == spv::OpTypeRuntimeArray;
  }
  Use* UseOf(uint32_t id) {
    const auto root = roots_.find(id);
    return root != roots_.end() ? &function_->uses[root->second] : nullptr;
  }
  void Reads(uint32_t id) {
    if (Use* use = UseOf(id)) use->reads = use->loads = true;
  }
  void Writes(uint32_t id) {
    if (Use* use = UseOf(id)) use->writes = true;
  }
  void Atomic(uint32_t id, bool reads, bool writes) {
    Use* use = UseOf(id);
    if (use == nullptr) return;
    use->reads |= reads;
    use->writes |= writes;
    use->atomics = true;
  }
  void Escape(uint32_t id) {
    Reads(id);
    Writes(id);
  }

  bool AllMembers(uint32_t type, const std::map<uint32_t, uint32_t>& decorated) {
    for (int depth = 0; depth < 8; ++depth) {
      const Type& at = types_[type];
      if (at.op == spv::OpTypeArray || at.op == spv::OpTypeRuntimeArray) {
        type = at.element;
        continue;
      }
      if (at.op != spv::OpTypeStruct || at.members.empty()) return false;
      const auto found = decorated.find(type);
      return found != decorated.end() && found->second >= at.members.size();
    }
    return false;
  }

  // Adds what the shader declares of an image.
  void AddImage(const Type& declared, ShaderBinding* binding) {
    const Type& image =
        declared.op == spv::OpTypeSampledImage ? types_[declared.element] : declared;
    if (image.op != spv::OpTypeImage) return;
    binding->dims |= static_cast<uint8_t>(1u << std::min(image.count, 7u));
    const spv::Op texel = types_[image.element].op;
    binding->floats |= texel != spv::OpTypeInt;
    binding->integers |= texel != spv::OpTypeFloat;
  }

  // Returns the ResourceKinds bit of a variable; 0: of another kind.
  uint16_t KindOf(const Variable& variable) {
    uint32_t id = variable.pointee;
    for (int depth = 0; depth < 8; ++depth) {
      const Type& type = types_[id];
      switch (type.op) {
        case spv::OpTypeArray:
        case spv::OpTypeRuntimeArray:
          id = type.element;
          continue;
        case spv::OpTypeSampler:
          return kSamplers;
        case spv::OpTypeAccelerationStructureKHR:
          return kAccelerationStructures;
        case spv::OpTypeSampledImage:
          return types_[type.element].count != spv::DimBuffer ? kCombinedSamplers : 0;
        case spv::OpTypeImage:
          return KindOfImage(type);
        case spv::OpTypeStruct:
          if (variable.storage == spv::StorageClassStorageBuffer) return kStorageBuffers;
          if (variable.storage != spv::StorageClassUniform) return 0;
          if (blocks_of_buffers_.contains(id)) return kStorageBuffers;
          return blocks_of_uniforms_.contains(id) ? kUniformBuffers : 0;
        default:
          return 0;
      }
    }
    return 0;
  }
  static uint16_t KindOfImage(const Type& image) {
    if (image.count == spv::DimSubpassData) return kInputAttachments;
    if (image.count > spv::DimBuffer) return 0;
    const bool texels = image.count == spv::DimBuffer;
    if (image.sampled == 1) return texels ? kUniformTexels : kSampledImages;
    if (image.sampled == 2) return texels ? kStorageTexels : kStorageImages;
    return 0;
  }

  // By set, binding and element.
  using BindingKey = std::tuple<uint32_t, uint32_t, uint32_t>;
  using Bindings = std::map<BindingKey, ShaderBinding>;

  // Adds what a function does with a variable, or with one element of an array of descriptors.
  // `all`: what the functions of the entry point do with it.
  void AddUse(const Variable& variable, uint32_t element, const Use& use, ShaderBinding* binding,
              Use* all) {
    const bool one = element != ShaderBinding::kAll;
    const Type& type = types_[variable.pointee];
    AddImage(one ? types_[type.element] : type, binding);
    binding->kinds |= KindOf(variable);
    binding->array |= !one && IsArray(type);
    if (type.op == spv::OpTypeArray) binding->length = std::max(binding->length, type.count);
    const bool read_only =
        variable.non_writable || AllMembers(variable.pointee, non_writable_members_);
    const bool write_only =
        variable.non_readable || AllMembers(variable.pointee, non_readable_members_);
    binding->reads = binding->reads || (use.reads && !write_only);
    binding->writes = binding->writes || (use.writes && !read_only);
    binding->sampling |= use.sampling;
    all->loads |= use.loads;
    all->atomics |= use.atomics;
    binding->atomic = all->atomics && !all->loads;
  }

  // Adds the bindings that the entry point and the functions that it calls use.
  void AddBindings(const Entry& entry, EntryPoint* summary, Bindings* bindings) {
    std::set<uint32_t> seen;
    std::vector<uint32_t> open = {entry.function};
    std::map<BindingKey, Use> used;
    while (!open.empty()) {
      const uint32_t id = open.back();
      open.pop_back();
      const auto function = functions_.find(id);
      if (function == functions_.end() || !seen.insert(id).second) continue;
      for (uint32_t called : function->second.calls) open.push_back(called);
      for (const auto& [root, use] : function->second.uses) {
        const Variable& variable = variables_[root.variable];
        summary->push_constants |= variable.pushed && use.reads;
        if (variable.binding == kNone && variable.set == kNone) continue;
        // Tile shading orders these accesses, which are to the attachments of the render pass.
        if (variable.storage == kStorageClassTileAttachment) continue;
        const uint32_t set = variable.set == kNone ? 0 : variable.set;
        const BindingKey key = {set, variable.binding, root.element};
        ShaderBinding& binding = (*bindings)[key];
        binding.set = set;
        binding.binding = variable.binding;
        binding.element = root.element;
        binding.interlocked = interlocked_.count(entry.function) != 0;
        AddUse(variable, root.element, use, &binding, &used[key]);
      }
    }
  }

  EntryPoint Summarise(const Entry& entry) {
    EntryPoint summary;
    summary.stage = entry.stage;
    if (capturing_.count(entry.function) != 0) summary.captures = captures_;
    Bindings bindings;
    AddBindings(entry, &summary, &bindings);
    const Function& main = functions_[entry.function];
    summary.one_block = main.blocks == 1 && main.calls.empty();
    if (entry.stage == VK_SHADER_STAGE_COMPUTE_BIT) AddWritten(entry.function, &bindings);
    for (const auto& [key, binding] : bindings) summary.bindings.push_back(binding);
    return summary;
  }

  // Every invocation runs the first block of its entry point.
  void AddWritten(uint32_t function, Bindings* bindings) {
    for (const Bytes& written : functions_[function].written) {
      const Variable& variable = variables_[written.variable];
      const auto found = bindings->find(
          {variable.set == kNone ? 0 : variable.set, variable.binding, ShaderBinding::kAll});
      if (variable.binding == kNone || found == bindings->end()) continue;
      ShaderBinding& binding = found->second;
      if (binding.writes && !binding.array && binding.written.size() < kMostWritten)
        binding.written.push_back(written.bytes);
    }
  }

  ShaderModule module_;
  const uint32_t* words_;
  size_t count_;
  spv::Op op_ = spv::OpNop;
  const uint32_t* operands_ = nullptr;
  size_t operand_count_ = 0;
  std::vector<Entry> entries_;
  std::set<uint32_t> interlocked_, capturing_;  // functions of entry points
  uint8_t captures_ = 0;                        // as EntryPoint::captures, of all entry points
  std::map<uint32_t, Type> types_;
  std::map<uint32_t, Variable> variables_;
  std::map<uint32_t, uint32_t> non_writable_members_, non_readable_members_;
  std::set<uint32_t> blocks_of_uniforms_, blocks_of_buffers_;  // structures: Block, BufferBlock
  std::map<uint32_t, Root> roots_;                             // of pointers and images
  std::map<uint32_t, Root> samplers_;          // by OpSampledImage; variable 0: not known
  std::map<uint32_t, uint32_t> constants_;     // of 32 bits
  std::map<uint32_t, uint32_t> constant_ids_;  // of specialization constants
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> offsets_;  // of a structure's members
  std::map<uint32_t, uint32_t> strides_;                       // of arrays
  std::map<uint32_t, Bytes> bytes_;                            // by access chain
  std::map<uint32_t, Function> functions_;
  Function* function_ = nullptr;
  uint32_t blocks_ = 0;  // of the function so far
};

// Whether it may be a variable of a uniform block, and not an array of them.
bool IsUniform(const ShaderBinding& binding) {
  return binding.element == ShaderBinding::kAll && !binding.array && binding.reads &&
         !binding.writes && binding.dims == 0 && binding.kinds != kSamplers;
}

void AddInterface(const SpirvCode& code, const SpirvCode::Entry& from, EntryPoint* entry) {
  entry->interface = ReadStageInterface(code, from);
  if (entry->stage != VK_SHADER_STAGE_VERTEX_BIT) return;
  const InputLocations inputs = ReadInputLocations(code, from);
  entry->inputs = inputs.all;
  entry->integer_inputs = inputs.integers;
  entry->float_inputs = inputs.floats;
}

void AddUniforms(const SpirvCode& code, uint32_t function, EntryPoint* entry) {
  for (const UniformReads& reads : ReadUniforms(code, function)) {
    const uint32_t set = code.Decoration(reads.variable, spv::DecorationDescriptorSet);
    const uint32_t number = code.Decoration(reads.variable, spv::DecorationBinding);
    for (ShaderBinding& binding : entry->bindings) {
      if (IsUniform(binding) && binding.set == (set == SpirvCode::kNone ? 0 : set) &&
          binding.binding == number)
        binding.sure_words |= reads.sure;
    }
  }
}

}  // namespace

const EntryPoint* ShaderModule::Find(const char* name, uint32_t stage) const {
  if (name == nullptr) return nullptr;
  for (const EntryPoint& entry : entry_points) {
    if (entry.stage == stage && entry.name == name) return &entry;
  }
  return nullptr;
}

ShaderModule ReadShaderModule(const uint32_t* words, size_t count) {
  ShaderModule module = Reader(words, count).Read();
  std::vector<EntryPoint>& entries = module.entry_points;
  constexpr uint32_t kDraws = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_MESH_BIT_EXT;
  const auto flows = [](const EntryPoint& entry) {
    return entry.one_block && (entry.inputs != 0 || !entry.bindings.empty());
  };
  const auto uniforms = [](const EntryPoint& entry) {
    return (entry.stage == VK_SHADER_STAGE_VERTEX_BIT ||
            entry.stage == VK_SHADER_STAGE_COMPUTE_BIT) &&
           std::ranges::any_of(entry.bindings, IsUniform);
  };
  const auto stores = [](const EntryPoint& entry) {
    return entry.stage == VK_SHADER_STAGE_COMPUTE_BIT &&
           std::ranges::any_of(entry.bindings, WritesImage);
  };
  // The inputs, which flows() asks for, are not known before the code is read.
  const bool bodies = std::ranges::any_of(entries, [&](const EntryPoint& entry) {
    return entry.push_constants || entry.one_block || uniforms(entry) || stores(entry);
  });
  const bool draws = std::ranges::any_of(
      entries, [](const EntryPoint& entry) { return (entry.stage & kDraws) != 0; });
  if (!bodies && !draws) return module;
  // What functions of another entry point read does not count.
  const SpirvCode code({words, count}, {}, bodies || entries.size() != 1);
  for (size_t i = 0; i < entries.size() && i < code.entries().size(); ++i) {
    if ((entries[i].stage & kDraws) != 0) AddInterface(code, code.entries()[i], &entries[i]);
    if (entries[i].push_constants) entries[i].pushes = ReadPushes(code, code.entries()[i].function);
    if (flows(entries[i])) entries[i].flow = ReadValueFlow(code, code.entries()[i]);
    if (uniforms(entries[i])) AddUniforms(code, code.entries()[i].function, &entries[i]);
    if (stores(entries[i])) AddTexels(code, code.entries()[i].function, &entries[i].bindings);
  }
  return module;
}

}  // namespace gpusan::vulkan
