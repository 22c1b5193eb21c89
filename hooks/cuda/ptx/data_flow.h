// The content of the registers of a PTX kernel.
//
// Most registers are written by one instruction and have one value everywhere. If the value depends
// on the iteration of a loop, it is valid only in the same iteration, after the instruction. The
// other registers have a value at the entry of each block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/conditions.h"
#include "hooks/cuda/analysis/loop_bounds.h"
#include "hooks/cuda/analysis/loop_counters.h"
#include "hooks/cuda/analysis/paths.h"
#include "hooks/cuda/analysis/value_table.h"
#include "hooks/cuda/analysis/values.h"
#include "hooks/cuda/ptx/module.h"
#include "hooks/cuda/ptx/opcode.h"

namespace gpusan::cuda {

class PtxDataFlow {
 public:
  PtxDataFlow(const PtxModule& module, const PtxKernel& kernel);

  // Returns nullptr, or the reason for which the kernel stays unknown.
  const char* Run();
  uint32_t failure_offset() const { return failure_offset_; }  // in the text [bytes]

  // Calls `visit(instruction index, address, conditions, always)` for each reachable access to
  // global memory or texels, after Run. The address of texels is the texture or surface object.
  using Visit = std::function<void(uint32_t, const Expression&, const Conditions&, bool)>;
  void VisitAccesses(const Visit& visit);
  // The accesses that all paths of a thread have in common, see FollowPaths. After VisitAccesses.
  std::vector<SureAccess> SureAccesses(PathsOf whose, const std::vector<AccessGuard>& known);

  const PtxOpcode& OpcodeAt(uint32_t index) const { return opcodes_[index]; }
  // The variable of the module that Sources::module_word means.
  std::string_view VariableAt(uint32_t word) const {
    return word < variables_.size() ? variables_[word] : std::string_view();
  }
  // The kernel may call a function of the driver that may read memory.
  bool calls_readers() const { return calls_readers_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Extension>& extensions() const { return extensions_.all(); }

 private:
  void ReadCall(const PtxInstruction& call, PtxOpcode* opcode);
  using Id = ValueTable::Id;
  class Path;

  const char* CutBlocks();
  const char* CheckInstructions();
  void CountWriters();
  const char* Solve();
  bool JoinInto(uint32_t from, uint32_t block);
  void FindBlockConditions();
  bool EndsBlock(uint32_t index) const;
  uint32_t TargetOf(const PtxInstruction& branch) const;
  void RunBlock(uint32_t number, const Visit* visit);
  // Whether the instruction accesses global memory, or may do so.
  bool Accesses(uint32_t index) const;
  Expression AccessedAddress(uint32_t index);
  void Execute(uint32_t index);
  Condition EdgeCondition(uint32_t from, uint32_t to) const;

  PtxSpace SpaceOfName(std::string_view name) const;
  // The address of a variable of the module.
  Expression AddressOfVariable(std::string_view name);
  // The space of an access; kUnknown: any.
  PtxSpace SpaceOfAccess(const PtxOpcode& opcode, const PtxOperand& address) const;
  Expression AddressOf(const PtxOperand& address);

  Value ValueOf(const PtxOperand& operand);
  Value ValueOfSpecial(std::string_view name, bool wide);
  Id IdOf(uint32_t reg);
  Value ValueOfRegister(uint32_t reg);
  // Of 64 bits.
  Expression WideOf(const PtxOperand& operand);
  bool IsZero(const PtxOperand& operand);
  Sources SourcesOf(const PtxInstruction& instruction, size_t first);
  Condition ConditionOf(const PtxOperand& operand) const;
  Condition ConditionOfRegister(uint32_t reg, bool negated) const;

  unsigned BitsOf(uint32_t reg) const { return kernel_.register_bits[reg]; }
  // Writes a register, or the parts of an operand.
  void Write(const PtxInstruction& instruction, const PtxOperand& to, const Value& value);
  void WriteWide(const PtxInstruction& instruction, const PtxOperand& to, Expression wide);
  void WriteRegister(const PtxInstruction& instruction, uint32_t reg, Value value);
  bool Changes(uint32_t index) const;
  bool IsWanted(uint32_t index) const {
    return whose_ != PathsOf::kWritesOfFirstThread || Changes(index);
  }
  // On a path, the value itself or an atom instead of it.
  Id Opaque(Id value);
  void WriteCondition(const PtxInstruction& instruction, uint32_t reg, Condition condition);

  void Move(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void Add(const PtxInstruction& instruction, const PtxOpcode& opcode, bool minus);
  void Multiply(const PtxInstruction& instruction, const PtxOpcode& opcode);
  // nullopt: not known.
  std::optional<Expression> ShiftRight(const PtxInstruction& instruction, const PtxOpcode& opcode);
  std::optional<Expression> BitsOfWord(const PtxInstruction& instruction, const PtxOpcode& opcode);
  std::optional<Expression> BitwiseSum(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void Logic(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void Select(const PtxInstruction& instruction, const PtxOperand& a, const PtxOperand& b);
  void Convert(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void ConvertAddress(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void Compare(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void LoadParameter(const PtxInstruction& instruction, const PtxOpcode& opcode);
  void Load(const PtxInstruction& instruction, const PtxOpcode& opcode);

  const PtxModule& module_;
  const PtxKernel& kernel_;
  std::vector<PtxOpcode> opcodes_;  // by instruction
  bool calls_readers_ = false;
  std::vector<std::string_view> variables_;  // of the module, by Sources::module_word
  std::vector<Block> blocks_;
  std::vector<uint32_t> block_of_;  // by instruction
  ValueTable table_;
  Extensions extensions_;
  bool takes_parameter_addresses_ = false;

  std::optional<BlockConditions> conditions_;
  LoopCounters counters_{&table_, &extensions_};
  LoopBounds bounds_{&counters_};

  // By register.
  std::vector<uint32_t> writers_;       // how many instructions write it
  std::vector<uint32_t> writer_block_;  // the block of the last one
  std::vector<Id> values_;              // what all of them have in common
  std::vector<Id> plain_values_;        // the same without the iterations of loops
  struct Local {
    uint32_t block = UINT32_MAX;  // valid in this block
    Id value = ValueTable::kUndefined;
  };
  std::vector<Local> locals_;
  // The registers that several instructions write, and their values at the entry of each block.
  static constexpr uint32_t kNoEntry = UINT32_MAX;
  std::vector<uint32_t> joined_;           // registers
  std::vector<uint32_t> entry_index_;      // by register: in joined_, or kNoEntry
  std::vector<std::vector<Id>> entry_;     // by block, then as joined_
  std::vector<Condition> conditions_of_;   // of predicates
  std::vector<uint32_t> condition_block_;  // in which conditions_of_ was written
  uint32_t block_ = 0;
  bool changed_ = false;
  bool with_conditions_ = false;
  std::vector<bool> uses_parameters_;     // by block: accesses memory through parameters
  std::vector<bool> changes_parameters_;  // by block: and changes it
  // While a path is followed, each number that is not known is an atom, and the path is one block.
  bool on_path_ = false;
  PathsOf whose_ = PathsOf::kAnyThread;
  OpaqueWords opaque_;
  FirstThread first_thread_;
  uint32_t failure_offset_ = 0;
};

}  // namespace gpusan::cuda
