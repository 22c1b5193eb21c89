// Reads the instructions of a SPIR-V module.
#include "hooks/common/spirv/spirv_code.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <cstring>

namespace gpusan {
namespace {

constexpr size_t kBound = 3;   // the word of the header that is above all ids
constexpr int kMaxDepth = 16;  // of constants
constexpr int kMaxTypes = 64;  // inside of each other
constexpr uint64_t kMostBytes = uint64_t{1} << 40;

// Whether the first operand is the id, without a type before it.
bool DefinesWithoutType(uint32_t op) {
  return op == spv::OpTypePointer || (op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer) ||
         op == spv::OpLabel || op == spv::OpString || op == spv::OpExtInstImport;
}

// Whether instructions of the kind have a type and an id as their first operands, among those that
// the analysis looks up.
bool DefinesValue(uint32_t op) {
  return (op >= spv::OpConstantTrue && op <= spv::OpSpecConstantOp) || op == spv::OpUndef ||
         op == spv::OpVariable || op == spv::OpFunctionParameter || op == spv::OpFunctionCall ||
         op == spv::OpImageTexelPointer || op == spv::OpLoad ||
         (op >= spv::OpAccessChain && op <= spv::OpInBoundsPtrAccessChain &&
          op != spv::OpGenericPtrMemSemantics) ||
         (op >= spv::OpVectorExtractDynamic && op <= spv::OpTranspose) ||
         (op >= spv::OpConvertFToU && op <= spv::OpBitcast) ||
         (op >= spv::OpSNegate && op <= spv::OpFwidthCoarse) || op == spv::OpPhi ||
         (op >= spv::OpAtomicLoad && op <= spv::OpAtomicXor && op != spv::OpAtomicStore) ||
         op == spv::OpCopyLogical;
}

int64_t Extend(uint64_t value, uint32_t bits, bool is_signed) {
  if (bits == 0 || bits >= 64) return static_cast<int64_t>(value);
  value &= (uint64_t{1} << bits) - 1;
  if (is_signed && (value >> (bits - 1) & 1) != 0) value |= ~uint64_t{0} << bits;
  return static_cast<int64_t>(value);
}

uint64_t RoundUp(uint64_t value, uint64_t to) {
  return to < 2 ? value : (value + to - 1) / to * to;
}

}  // namespace

SpirvCode::SpirvCode(absl::Span<const uint32_t> words,
                     absl::Span<const SpirvSpecialization> specialized, bool bodies)
    : words_(words), bodies_(bodies), specialized_(specialized) {
  Read();
  for (auto& [id, function] : functions_) Connect(&function);
}

void SpirvCode::Read() {
  if (words_.size() < kHeaderWords || words_[0] != spv::MagicNumber) return;
  // A module that is not compact may have higher ids than words.
  defined_.resize(std::min<size_t>(words_[kBound], words_.size()));
  size_t read = kHeaderWords;
  ForEachInstruction([&](const SpirvInstruction& instruction) {
    if (DefinesWithoutType(instruction.op)) {
      KeepDefinition(instruction[0], instruction);
    } else if (DefinesValue(instruction.op)) {
      KeepDefinition(instruction[1], instruction);
    }
    Keep(instruction);
    read += instruction.count + 1;
  });
  complete_ = read == words_.size() && function_ == nullptr;
}

void SpirvCode::Keep(const SpirvInstruction& instruction) {
  switch (instruction.op) {
    case spv::OpEntryPoint:
      KeepEntry(instruction);
      break;
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
      if (instruction[1] == spv::ExecutionModeLocalSize ||
          instruction[1] == spv::ExecutionModeLocalSizeId)
        local_sizes_[instruction[0]] = instruction;
      break;
    case spv::OpDecorate:
      decorations_[{instruction[0], {kNone, instruction[1]}}] = instruction[2];
      if (instruction[1] == spv::DecorationBuiltIn && instruction[2] == spv::BuiltInWorkgroupSize)
        size_constant_ = instruction[0];
      break;
    case spv::OpMemberDecorate:
      decorations_[{instruction[0], {instruction[1], instruction[2]}}] = instruction[3];
      break;
    case spv::OpFunction:
      function_ = &functions_[instruction[1]];
      function_->id = instruction[1];
      break;
    case spv::OpFunctionEnd:
      function_ = nullptr;
      break;
    case spv::OpVariable:
      if (function_ == nullptr) {
        variables_.push_back(instruction[1]);
        break;
      }
      [[fallthrough]];
    default:
      if (function_ != nullptr && bodies_) KeepBody(instruction);
      break;
  }
}

void SpirvCode::KeepDefinition(uint32_t id, const SpirvInstruction& instruction) {
  (id < defined_.size() ? defined_[id] : defined_above_[id]) = instruction;
}

void SpirvCode::KeepEntry(const SpirvInstruction& instruction) {
  Entry& entry =
      entries_.emplace_back(Entry{instruction[0], instruction[1], Text(instruction, 2), {}});
  // The name ends with at least one zero.
  for (size_t i = 2 + entry.name.size() / 4 + 1; i < instruction.count; ++i)
    entry.interface.push_back(instruction[i]);
}

void SpirvCode::KeepBody(const SpirvInstruction& instruction) {
  if (instruction.op == spv::OpFunctionParameter) {
    function_->parameters.push_back(instruction[1]);
  } else if (instruction.op == spv::OpLabel) {
    function_->blocks.emplace_back().label = instruction[0];
  } else if (!function_->blocks.empty()) {
    function_->blocks.back().instructions.push_back(instruction);
  }
}

void SpirvCode::Connect(SpirvFunction* function) {
  std::vector<std::pair<uint32_t, uint32_t>> blocks;  // labels and indices
  for (size_t i = 0; i < function->blocks.size(); ++i)
    blocks.emplace_back(function->blocks[i].label, static_cast<uint32_t>(i));
  std::ranges::sort(blocks);
  for (SpirvBlock& block : function->blocks) {
    const auto to = [&](uint32_t label) {
      const auto found = std::ranges::lower_bound(blocks, std::pair(label, uint32_t{0}));
      if (found == blocks.end() || found->first != label) {
        block.ends_oddly = true;
      } else {
        block.successors.push_back(found->second);
      }
    };
    const SpirvInstruction last =
        block.instructions.empty() ? SpirvInstruction{} : block.instructions.back();
    switch (last.op) {
      case spv::OpBranch:
        to(last[0]);
        break;
      case spv::OpBranchConditional:
        to(last[1]);
        to(last[2]);
        break;
      case spv::OpSwitch:
        to(last[1]);
        // The width of the literals is not known here: a switch decides what is not followed.
        block.ends_oddly = true;
        break;
      case spv::OpReturn:
      case spv::OpReturnValue:
      case spv::OpKill:
      case spv::OpUnreachable:
        break;
      default:
        block.ends_oddly = true;
        break;
    }
  }
}

std::string SpirvCode::Text(const SpirvInstruction& instruction, size_t from) const {
  if (from >= instruction.count) return "";
  const auto* bytes = reinterpret_cast<const char*>(instruction.words + from);
  return std::string(bytes, strnlen(bytes, (instruction.count - from) * 4));
}

const SpirvFunction* SpirvCode::Function(uint32_t id) const {
  const auto found = functions_.find(id);
  return found != functions_.end() ? &found->second : nullptr;
}

const SpirvInstruction& SpirvCode::Defined(uint32_t id) const {
  static constexpr SpirvInstruction kNothing;
  if (id < defined_.size()) return defined_[id];
  const auto found = defined_above_.find(id);
  return found != defined_above_.end() ? found->second : kNothing;
}

uint32_t SpirvCode::Decoration(uint32_t id, uint32_t decoration, uint32_t member) const {
  const auto found = decorations_.find({id, {member, decoration}});
  return found != decorations_.end() ? found->second : kNone;
}

void SpirvCode::LocalSize(uint32_t function, uint32_t (&size)[3]) const {
  const SpirvInstruction& constant = Defined(size_constant_);
  const auto mode = local_sizes_.find(function);
  for (uint32_t d = 0; d < 3; ++d) {
    std::optional<int64_t> value;
    if (constant.op != 0) {
      value = Constant(constant[2 + d]);
    } else if (mode != local_sizes_.end()) {
      const uint32_t given = mode->second[2 + d];
      value =
          mode->second.op == spv::OpExecutionMode ? std::optional<int64_t>(given) : Constant(given);
    }
    size[d] = value && *value > 0 && *value < 65536 ? static_cast<uint32_t>(*value) : 0;
  }
}

std::optional<int64_t> SpirvCode::Constant(uint32_t id) const { return Constant(id, 0); }

std::optional<int64_t> SpirvCode::Constant(uint32_t id, int depth) const {
  const SpirvInstruction& instruction = Defined(id);
  const uint32_t bits = Bits(instruction[0]);
  if (Defined(instruction[0]).op != spv::OpTypeInt || depth > kMaxDepth) return std::nullopt;
  const bool is_signed = IsSigned(instruction[0]);
  switch (instruction.op) {
    case spv::OpConstantNull:
      return 0;
    case spv::OpSpecConstant:
      for (const SpirvSpecialization& one : specialized_) {
        if (one.id == Decoration(id, spv::DecorationSpecId))
          return Extend(one.value, bits, is_signed);
      }
      [[fallthrough]];
    case spv::OpConstant: {
      const uint64_t high = bits > 32 ? uint64_t{instruction[3]} << 32 : 0;
      return Extend(high | instruction[2], bits, is_signed);
    }
    case spv::OpSpecConstantOp: {
      const std::optional<int64_t> value = Evaluate(instruction, depth);
      return value ? std::optional<int64_t>(Extend(static_cast<uint64_t>(*value), bits, is_signed))
                   : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> SpirvCode::Evaluate(const SpirvInstruction& instruction, int depth) const {
  const std::optional<int64_t> a = Constant(instruction[3], depth + 1);
  if (!a) return std::nullopt;
  if (instruction.count == 4) {
    if (instruction[2] == spv::OpUConvert || instruction[2] == spv::OpSConvert) return a;
    return std::nullopt;
  }
  const std::optional<int64_t> b = Constant(instruction[4], depth + 1);
  if (!b || instruction.count != 5) return std::nullopt;
  int64_t result = 0;
  switch (instruction[2]) {
    case spv::OpIAdd:
      return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case spv::OpISub:
      return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case spv::OpIMul:
      return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case spv::OpUDiv:
    case spv::OpSDiv:
      return *a < 0 || *b <= 0 ? std::nullopt : std::optional(*a / *b);
    default:
      return std::nullopt;
  }
}

uint32_t SpirvCode::Bits(uint32_t type) const {
  const SpirvInstruction& defined = Defined(type);
  return defined.op == spv::OpTypeInt || defined.op == spv::OpTypeFloat ? defined[1] : 0;
}

bool SpirvCode::IsSigned(uint32_t type) const {
  return Defined(type).op == spv::OpTypeInt && Defined(type)[2] != 0;
}

uint64_t SpirvCode::Bytes(uint32_t type, bool explicit_layout) const {
  // 0 for a type that contains itself.
  const auto [known, made] = sizes_[explicit_layout ? 1 : 0].emplace(type, 0);
  if (!made) return known->second;
  if (depth_ > kMaxTypes) return 0;
  ++depth_;
  const uint64_t bytes = ComputeBytes(type, explicit_layout);
  --depth_;
  return sizes_[explicit_layout ? 1 : 0][type] = bytes;
}

uint64_t SpirvCode::ComputeBytes(uint32_t type, bool explicit_layout) const {
  const SpirvInstruction& defined = Defined(type);
  switch (defined.op) {
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      return defined[1] / 8;
    case spv::OpTypePointer:
      return 8;
    case spv::OpTypeVector: {
      // OpenCL C gives vectors of three the size of vectors of four.
      const uint64_t elements = defined[2] == 3 && !explicit_layout ? 4 : defined[2];
      const uint64_t element = Bytes(defined[1], explicit_layout);
      return elements > 16 || element > 8 ? 0 : elements * element;
    }
    case spv::OpTypeArray: {
      const std::optional<int64_t> count = Constant(defined[2]);
      const uint32_t stride = Decoration(type, spv::DecorationArrayStride);
      const uint64_t element =
          explicit_layout && stride != kNone ? stride : Bytes(defined[1], explicit_layout);
      if (!count || *count <= 0 || element == 0 ||
          static_cast<uint64_t>(*count) > kMostBytes / element)
        return 0;
      return static_cast<uint64_t>(*count) * element;
    }
    case spv::OpTypeStruct: {
      if (defined.count < 2 || Has(type, spv::DecorationCPacked)) return 0;
      const uint32_t last = defined.count - 2;
      const std::optional<uint64_t> offset = MemberOffset(type, last, explicit_layout);
      const uint64_t bytes = Bytes(defined[1 + last], explicit_layout);
      if (!offset || bytes == 0 || *offset > kMostBytes) return 0;
      return explicit_layout ? *offset + bytes : RoundUp(*offset + bytes, Alignment(type));
    }
    default:
      return 0;
  }
}

uint64_t SpirvCode::Alignment(uint32_t type) const {
  const SpirvInstruction& defined = Defined(type);
  if (defined.op != spv::OpTypeArray && defined.op != spv::OpTypeStruct) return Bytes(type, false);
  const auto [known, made] = alignments_.emplace(type, 0);
  if (!made) return known->second;
  if (depth_ > kMaxTypes) return 0;
  uint64_t alignment = 1;
  const size_t count = defined.op == spv::OpTypeArray ? 2 : defined.count;
  ++depth_;
  for (size_t i = 1; i < count && alignment != 0; ++i) {
    const uint64_t of_member = Alignment(defined[i]);
    alignment = of_member == 0 ? 0 : std::max(alignment, of_member);
  }
  --depth_;
  return alignments_[type] = alignment;
}

std::optional<uint64_t> SpirvCode::MemberOffset(uint32_t type, uint32_t member,
                                                bool explicit_layout) const {
  const SpirvInstruction& defined = Defined(type);
  constexpr uint32_t kMostMembers = 1024;
  if (defined.op != spv::OpTypeStruct || member + 1 >= defined.count || member > kMostMembers)
    return std::nullopt;
  if (explicit_layout) {
    const uint32_t offset = Decoration(type, spv::DecorationOffset, member);
    return offset != kNone ? std::optional<uint64_t>(offset) : std::nullopt;
  }
  if (Has(type, spv::DecorationCPacked)) return std::nullopt;
  uint64_t offset = 0;
  for (uint32_t i = 0;; ++i) {
    const uint64_t alignment = Alignment(defined[1 + i]);
    if (alignment == 0) return std::nullopt;
    offset = RoundUp(offset, alignment);
    if (i == member) return offset;
    const uint64_t bytes = Bytes(defined[1 + i], false);
    if (bytes == 0 || bytes > kMostBytes) return std::nullopt;
    offset += bytes;
  }
}

}  // namespace gpusan
