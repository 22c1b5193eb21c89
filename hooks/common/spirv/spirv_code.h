// The instructions of a SPIR-V module, by what they define: types, constants, decorations,
// functions and their blocks. Any words may be given; nothing outside of them is read. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace gpusan {

struct SpirvInstruction {
  uint32_t op = 0;  // spv::Op
  const uint32_t* words = nullptr;
  uint32_t count = 0;

  // The operands after the op; 0 where the instruction is shorter than it should be.
  uint32_t operator[](size_t i) const { return i < count ? words[i] : 0; }
};

struct SpirvBlock {
  uint32_t label = 0;
  std::vector<SpirvInstruction> instructions;
  std::vector<uint32_t> successors;  // indices of blocks; those of a condition: if true, if false
  bool ends_oddly = false;           // its successors are not known
};

struct SpirvFunction {
  uint32_t id = 0;
  std::vector<uint32_t> parameters;
  std::vector<SpirvBlock> blocks;
};

// A value for a specialization constant, by its SpecId.
struct SpirvSpecialization {
  uint32_t id = 0;
  uint64_t value = 0;
};

class SpirvCode {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // The words must outlive the code. Without `bodies`, functions have no parameters and blocks,
  // which takes a third of the time.
  SpirvCode(absl::Span<const uint32_t> words, absl::Span<const SpirvSpecialization> specialized,
            bool bodies = true);

  bool has_bodies() const { return bodies_; }

  // False if the module could not be read to its end.
  bool complete() const { return complete_; }

  struct Entry {
    uint32_t model = 0;  // spv::ExecutionModel
    uint32_t function = 0;
    std::string name;
    std::vector<uint32_t> interface;  // variables
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const SpirvFunction* Function(uint32_t id) const;
  // Calls visit(const SpirvInstruction&) for each instruction of the module, in their order.
  template <typename Visitor>
  void ForEachInstruction(Visitor visit) const;
  // Calls visit(uint32_t id, uint32_t storage_class, uint32_t pointee) for each variable outside of
  // functions.
  template <typename Visitor>
  void ForEachVariable(Visitor visit) const {
    for (const uint32_t id : variables_) visit(id, Defined(id)[2], Defined(Defined(id)[0])[2]);
  }

  // The instruction that defines an id; op 0 if none does. Its operands begin with the type, if it
  // has one, and the id.
  const SpirvInstruction& Defined(uint32_t id) const;
  // The first operand of a decoration; kNone without it. `member`: of a structure, or kNone.
  uint32_t Decoration(uint32_t id, uint32_t decoration, uint32_t member = kNone) const;
  bool Has(uint32_t id, uint32_t decoration, uint32_t member = kNone) const {
    return decorations_.count({id, {member, decoration}}) != 0;
  }
  // The local size of an entry point, with its specialization; 0: not known.
  void LocalSize(uint32_t function, uint32_t (&size)[3]) const;

  // The value of an integer constant of at most 64 bits.
  std::optional<int64_t> Constant(uint32_t id) const;
  // Bits of an integer or float type; 0 for others.
  uint32_t Bits(uint32_t type) const;
  bool IsSigned(uint32_t type) const;
  // The bytes of a type in memory, and the distance of array elements. `explicit_layout`: by the
  // decorations; otherwise by the rules of OpenCL C. 0: not known.
  uint64_t Bytes(uint32_t type, bool explicit_layout) const;
  // The offset of a member.
  std::optional<uint64_t> MemberOffset(uint32_t type, uint32_t member, bool explicit_layout) const;

 private:
  uint64_t ComputeBytes(uint32_t type, bool explicit_layout) const;
  uint64_t Alignment(uint32_t type) const;
  void Read();
  void Keep(const SpirvInstruction& instruction);
  void KeepDefinition(uint32_t id, const SpirvInstruction& instruction);
  void KeepEntry(const SpirvInstruction& instruction);
  void KeepBody(const SpirvInstruction& instruction);
  static void Connect(SpirvFunction* function);
  std::string Text(const SpirvInstruction& instruction, size_t from) const;
  std::optional<int64_t> Evaluate(const SpirvInstruction& instruction, int depth) const;
  std::optional<int64_t> Constant(uint32_t id, int depth) const;

  static constexpr size_t kHeaderWords = 5;

  const absl::Span<const uint32_t> words_;
  const bool bodies_;
  bool complete_ = false;
  std::vector<Entry> entries_;
  std::map<uint32_t, SpirvFunction> functions_;
  SpirvFunction* function_ = nullptr;  // that is being read
  std::vector<uint32_t> variables_;
  std::vector<SpirvInstruction> defined_;               // by id
  std::map<uint32_t, SpirvInstruction> defined_above_;  // by ids beyond defined_
  std::map<std::pair<uint32_t, std::pair<uint32_t, uint32_t>>, uint32_t> decorations_;
  std::map<uint32_t, SpirvInstruction> local_sizes_;  // by function
  uint32_t size_constant_ = 0;                        // the constant that is WorkgroupSize
  absl::Span<const SpirvSpecialization> specialized_;
  mutable std::map<uint32_t, uint64_t> sizes_[2], alignments_;
  mutable int depth_ = 0;
};

template <typename Visitor>
void SpirvCode::ForEachInstruction(Visitor visit) const {
  for (size_t at = kHeaderWords; at < words_.size();) {
    const uint32_t length = words_[at] >> 16;
    if (length == 0 || length > words_.size() - at) return;
    visit(SpirvInstruction{words_[at] & 0xffff, words_.data() + at + 1, length - 1});
    at += length;
  }
}

}  // namespace gpusan
