// The content of the registers of a kernel, by a fixed point over its basic blocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "hooks/cuda/analysis/conditions.h"
#include "hooks/cuda/analysis/loop_bounds.h"
#include "hooks/cuda/analysis/loop_counters.h"
#include "hooks/cuda/analysis/paths.h"
#include "hooks/cuda/analysis/value_table.h"
#include "hooks/cuda/analysis/values.h"
#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/cubin.h"

namespace gpusan::cuda {

// The 255 general registers, then the 255 uniform registers.
using RegisterFile = std::array<ValueTable::Id, 512>;

class DataFlow {
 public:
  DataFlow(const CubinKernel& kernel, const ControlFlow& flow);

  // Returns nullptr, or the reason for which the kernel stays unknown.
  const char* Run();
  uint32_t failure_offset() const { return failure_offset_; }
  // Whether each of ControlFlow::returns continues where it is assumed, after Run.
  bool ReturnsToCallers();
  // The blocks that end with a call from which no thread returns, after Run.
  std::vector<uint32_t> EndlessCalls() const;
  // The kernel calls a function of the driver that may read memory.
  bool calls_readers() const { return calls_readers_; }

  // Calls `visit(instruction index, address, conditions)` for each reachable access to global
  // memory, after Run.
  using Visit = std::function<void(uint32_t, const Expression&, const Conditions&)>;
  void VisitAccesses(const Visit& visit);

  // The accesses that all paths of a thread have in common, see FollowPaths. After VisitAccesses.
  std::vector<SureAccess> SureAccesses(PathsOf whose, const std::vector<AccessGuard>& known);
  // A thread executes the block only if all of them hold. After VisitAccesses.
  const std::vector<AccessGuard>& GuardsOf(uint32_t block) const {
    return conditions_->Of(block).guards;
  }

  const std::vector<Extension>& extensions() const { return extensions_.all(); }

 private:
  // The lower words of the addition that wrote a carry predicate.
  struct Carry {
    std::vector<Addend> lows;
    unsigned shift = 0;              // of the first one
    uint8_t guard = kTruePredicate;  // of the addition
  };

  // The value of a register where a predicate is true: guarded instructions occur in groups with
  // one guard.
  struct Conditional {
    uint16_t reg = 0;  // index in RegisterFile
    uint8_t guard = 0;
    ValueTable::Id value = 0;
  };

  // A comparison of the lower words of two integers of 64 bits.
  struct LowerWords {
    uint8_t relation = 0;  // 0: none
    Value a, b;
  };

  // The functions of the driver that kernels may call.
  enum class DriverFunction : uint8_t {
    kUnknown,
    kFail,   // does not return
    kPrint,  // returns a number, and may read the texts that its arguments point to
  };
  DriverFunction CalledFunction(const Instruction& call);
  const char* CallDriver(uint32_t block);

  void FindUsedRegisters();
  const char* Solve();
  bool JoinInto(uint32_t from, uint32_t block);

  // --- path_flow.cc
  class Path;
  bool IsWanted(const Instruction& instruction) const {
    return whose_ != PathsOf::kWritesOfFirstThread || instruction.Changes();
  }
  Value NewOpaque(Sources sources, OpaqueWords::Masked known);
  ValueTable::Id Opaque(ValueTable::Id value);
  // The same for a value that is 0 where the guard of the instruction does not hold.
  ValueTable::Id OpaqueUnless(const Instruction& instruction, ValueTable::Id value);
  Expression WideOf(const Value& low, const Value& high);

  void RunBlock(uint32_t number, const Visit* visit);
  void Advance(uint32_t index);
  void FindBlockConditions();
  Condition EdgeCondition(uint32_t from, uint32_t to) const;
  Condition Compared(const Instruction& instruction);
  LowerWords LowerWordsOf(const Instruction& instruction) const;
  Condition PredicateAt(uint8_t predicate, bool negated) const;
  void Execute(uint32_t index);
  void ExecuteOn(uint32_t index, const Instruction& instruction);
  static uint8_t GuardOf(const Instruction& instruction);
  ValueTable::Id* FindConditional(unsigned reg, uint8_t guard);
  void DropConditionals(unsigned reg, uint8_t kept_guard, uint8_t other_kept_guard);
  void Write(const Instruction& instruction, unsigned at, Value value);
  void WriteAll(const Instruction& instruction, const Value& value);
  void WritePair(const Instruction& instruction, const Expression& wide);
  void KillPredicates(const Instruction& instruction);
  // nullptr: unknown.
  const Carry* CarryOf(const Instruction& instruction, uint8_t predicate) const;
  void SetCarry(const Instruction& instruction, Carry carry);

  Value ValueOfRegister(Register reg) const;
  Value ValueOf(const Operand& operand) const;
  Value UpperValueOf(const Operand& operand) const;
  Expression PairOf(const Operand& operand);
  Value ValueOfConstant(const Operand& operand, unsigned at) const;
  Value ValueOfModuleWord(const Operand& operand, unsigned at) const;
  Value ValueOfIndexedBank0(const Operand& operand, unsigned at) const;
  Value ValueOfBank0(unsigned offset) const;
  Expression AddressOf(const Instruction& instruction);
  // The texture or surface object, if it is a word of the parameter block.
  Expression ObjectOf(const Instruction& instruction);
  Sources SourcesOf(const Instruction& instruction) const;

  void LoadConstant(const Instruction& instruction);
  void Select(const Instruction& instruction);
  void MinMax(const Instruction& instruction);
  void AddWords(const Instruction& instruction);
  void AddPairs(const Instruction& instruction);
  void Lea(const Instruction& instruction);
  void Logic(const Instruction& instruction);
  void LowBits(const Instruction& instruction);
  void Permute(const Instruction& instruction);
  void Shift(const Instruction& instruction);
  Value ShiftedRight(const Value& value, unsigned shift, bool is_signed);
  Value ProductOfWords(const Value& a, const Value& b);
  void MultiplyAdd(const Instruction& instruction);
  void MultiplyAddWide(const Instruction& instruction);
  void MultiplyAddHigh(const Instruction& instruction);
  void ToUniform(const Instruction& instruction);
  void Special(const Instruction& instruction);

  const CubinKernel& kernel_;
  const ControlFlow& flow_;
  ValueTable table_;
  Extensions extensions_;
  LoopCounters counters_{&table_, &extensions_};
  LoopBounds bounds_{&counters_};
  std::vector<RegisterFile> entry_;  // by block
  std::vector<uint16_t> used_;       // indices of the registers that the kernel writes
  std::vector<bool> relocated_;      // by instruction
  RegisterFile registers_;
  std::vector<Conditional> conditionals_;  // within a block
  const Instruction* current_ = nullptr;
  std::array<Carry, 16> carries_;               // of P0 to P6, and from 8 on of UP0 to UP6
  using Predicates = std::array<Condition, 7>;  // of P0 to P6
  Predicates predicates_;                       // within a block
  std::array<LowerWords, 7> lowers_;            // of P0 to P6, within a block
  // After FindBlockConditions.
  std::optional<BlockConditions> conditions_;
  std::vector<Predicates> entry_predicates_;  // by block
  std::vector<bool> uses_parameters_;         // by block: accesses memory through parameters
  std::vector<bool> changes_parameters_;      // by block: and changes it
  // While a path is followed, each word that is not known is an atom.
  bool on_path_ = false;
  PathsOf whose_ = PathsOf::kAnyThread;
  OpaqueWords opaque_;
  FirstThread first_thread_;
  uint32_t failure_offset_ = 0;
  std::vector<bool> endless_;  // by block: ends with a call from which no thread returns
  bool calls_readers_ = false;
};

}  // namespace gpusan::cuda
