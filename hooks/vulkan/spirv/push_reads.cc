// The push constants and the parts of uniform buffers that an entry point of a SPIR-V module reads.
#include "hooks/vulkan/spirv/push_reads.h"

#include <spirv/unified1/spirv.hpp>

#include <map>
#include <optional>
#include <set>

namespace gpusan::vulkan {
namespace {

constexpr uint64_t kMostBytes = sizeof(PushWords) * 8 * 4;
constexpr int kMaxTypes = 8;  // inside of each other
constexpr size_t kMostSome = 4;

// How the matrices of a structure's member are laid out.
struct MatrixLayout {
  uint32_t stride = SpirvCode::kNone;
  bool rows = false;  // row-major
};

// A pointer into a block.
struct Pointer {
  uint32_t variable = 0;
  uint32_t type = 0;  // of what it points to
  uint64_t offset = 0;
  MatrixLayout matrices;
  PushWords some = 0;  // not 0: it points to one of these words
};

class Reader {
 public:
  Reader(const SpirvCode& code, spv::StorageClass blocks) : code_(code) {
    code.ForEachVariable([&](uint32_t id, uint32_t storage, uint32_t pointee) {
      if (storage == static_cast<uint32_t>(blocks)) pointers_[id] = {id, pointee, 0, {}, 0};
    });
  }

  // By variable.
  std::map<uint32_t, PushReads> Read(uint32_t entry) {
    std::set<uint32_t> seen;
    std::vector<uint32_t> open = {entry};
    while (!open.empty()) {
      const SpirvFunction* function = code_.Function(open.back());
      open.pop_back();
      if (function == nullptr || !seen.insert(function->id).second) continue;
      for (const SpirvBlock& block : function->blocks) {
        // Each invocation runs the first block of the entry point.
        sure_ = function->id == entry && &block == function->blocks.data();
        for (const SpirvInstruction& instruction : block.instructions) {
          if (instruction.op == spv::OpFunctionCall) open.push_back(instruction[2]);
          Follow(instruction);
        }
      }
    }
    return std::move(reads_);
  }

 private:
  void Follow(const SpirvInstruction& instruction) {
    switch (instruction.op) {
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
        if (const auto pointer = Chain(instruction)) pointers_[instruction[1]] = *pointer;
        break;
      case spv::OpLoad:
        Use(instruction[2]);
        break;
      case spv::OpCopyMemory:
        Use(instruction[1]);
        break;
      default:
        break;
    }
  }

  void Use(uint32_t id) {
    const auto found = pointers_.find(id);
    if (found == pointers_.end()) return;
    const Pointer& pointer = found->second;
    PushReads& reads = reads_[pointer.variable];
    if (pointer.some != 0) {
      if (reads.some.size() < kMostSome) reads.some.push_back(pointer.some);
      return;
    }
    PushWords words = 0;
    if (!AddWords(pointer.type, pointer.offset, pointer.matrices, &words, 0)) return;
    reads.all |= words;
    const uint32_t op = code_.Defined(pointer.type).op;
    if (sure_ && op != spv::OpTypeStruct && op != spv::OpTypeArray) reads.sure |= words;
  }

  // Returns nothing if the base does not point into the block, or is not understood.
  std::optional<Pointer> Chain(const SpirvInstruction& chain) const {
    const auto base = pointers_.find(chain[2]);
    if (base == pointers_.end()) return std::nullopt;
    Pointer pointer = base->second;
    for (uint32_t i = 3; i < chain.count && pointer.some == 0; ++i) {
      if (!Step(chain[i], &pointer)) return std::nullopt;
    }
    return pointer;
  }

  bool Step(uint32_t index_id, Pointer* pointer) const {
    const SpirvInstruction& type = code_.Defined(pointer->type);
    const std::optional<int64_t> index = code_.Constant(index_id);
    const bool row_major = type.op == spv::OpTypeMatrix && pointer->matrices.rows;
    if (!index || row_major) return PointToSome(pointer);
    if (*index < 0 || *index >= static_cast<int64_t>(kMostBytes)) return false;
    const auto at = static_cast<uint32_t>(*index);
    uint64_t stride = SpirvCode::kNone;
    switch (type.op) {
      case spv::OpTypeStruct: {
        const auto offset = code_.MemberOffset(pointer->type, at, true);
        if (!offset) return false;
        pointer->matrices = MatricesOf(pointer->type, at);
        pointer->offset += *offset;
        pointer->type = type[1 + at];
        return true;
      }
      case spv::OpTypeArray:
        stride = code_.Decoration(pointer->type, spv::DecorationArrayStride);
        break;
      case spv::OpTypeMatrix:
        stride = pointer->matrices.stride;
        break;
      case spv::OpTypeVector:
        stride = code_.Bytes(type[1], true);
        break;
      default:
        return false;
    }
    if (stride == SpirvCode::kNone || stride == 0) return false;
    pointer->offset += at * stride;
    pointer->type = type[1];
    return true;
  }

  bool PointToSome(Pointer* pointer) const {
    PushWords words = 0;
    if (!AddWords(pointer->type, pointer->offset, pointer->matrices, &words, 0)) return false;
    pointer->some = words;
    return words != 0;
  }

  MatrixLayout MatricesOf(uint32_t type, uint32_t member) const {
    return {code_.Decoration(type, spv::DecorationMatrixStride, member),
            code_.Has(type, spv::DecorationRowMajor, member)};
  }

  // Adds the words of a value. Returns false if its layout is not known. Padding is not a part of
  // it.
  bool AddWords(uint32_t type_id, uint64_t offset, const MatrixLayout& matrices, PushWords* words,
                int depth) const {
    const SpirvInstruction& type = code_.Defined(type_id);
    if (depth > kMaxTypes) return false;
    // Calls add(offset, type) for each of `count` parts.
    const auto each = [&](uint64_t count, uint64_t stride) {
      if (stride == SpirvCode::kNone || stride == 0 || count > kMostBytes) return false;
      for (uint64_t i = 0; i < count; ++i) {
        if (!AddWords(type[1], offset + i * stride, matrices, words, depth + 1)) return false;
      }
      return true;
    };
    switch (type.op) {
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
      case spv::OpTypePointer:
      case spv::OpTypeVector:
        return AddBytes(offset, code_.Bytes(type_id, true), words);
      case spv::OpTypeMatrix: {
        const SpirvInstruction& column = code_.Defined(type[1]);
        if (!matrices.rows) return each(type[2], matrices.stride);
        if (matrices.stride == SpirvCode::kNone) return false;
        const uint64_t row_bytes = type[2] * code_.Bytes(column[1], true);
        for (uint64_t row = 0; row < column[2] && row < 4; ++row) {
          if (!AddBytes(offset + row * matrices.stride, row_bytes, words)) return false;
        }
        return true;
      }
      case spv::OpTypeArray: {
        const std::optional<int64_t> count = code_.Constant(type[2]);
        return count && *count > 0 &&
               each(static_cast<uint64_t>(*count),
                    code_.Decoration(type_id, spv::DecorationArrayStride));
      }
      case spv::OpTypeStruct:
        for (uint32_t i = 0; i + 1 < type.count; ++i) {
          const auto member = code_.MemberOffset(type_id, i, true);
          if (!member ||
              !AddWords(type[1 + i], offset + *member, MatricesOf(type_id, i), words, depth + 1))
            return false;
        }
        return true;
      default:
        return false;
    }
  }

  static bool AddBytes(uint64_t offset, uint64_t bytes, PushWords* words) {
    if (bytes == 0 || offset >= kMostBytes || bytes > kMostBytes - offset) return false;
    for (uint64_t word = offset / 4; word * 4 < offset + bytes; ++word)
      *words |= PushWords{1} << word;
    return true;
  }

  const SpirvCode& code_;
  std::map<uint32_t, Pointer> pointers_;
  std::map<uint32_t, PushReads> reads_;
  bool sure_ = false;
};

}  // namespace

PushReads ReadPushes(const SpirvCode& code, uint32_t function) {
  // A module has at most one block of push constants that an entry point uses.
  for (auto& [variable, reads] : Reader(code, spv::StorageClassPushConstant).Read(function))
    return std::move(reads);
  return {};
}

std::vector<UniformReads> ReadUniforms(const SpirvCode& code, uint32_t function) {
  std::vector<UniformReads> uniforms;
  for (const auto& [variable, reads] : Reader(code, spv::StorageClassUniform).Read(function)) {
    if (reads.sure != 0) uniforms.push_back({variable, reads.sure});
  }
  return uniforms;
}

}  // namespace gpusan::vulkan
