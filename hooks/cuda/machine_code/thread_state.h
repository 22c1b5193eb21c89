// The registers and predicates of one thread, and what instructions do to them (first_thread.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/first_thread.h"
#include "hooks/cuda/machine_code/instruction.h"
#include "hooks/cuda/machine_code/thread_words.h"

namespace gpusan::cuda {

// The state of thread 0 in block 0. Refers to both arguments of the constructor.
class ThreadState {
 public:
  ThreadState(const CubinKernel& kernel, const ThreadInput& input);

  // Whether the instruction executes.
  Flag GuardOf(const Instruction& instruction) const;
  // Whether a branch or an exit is taken.
  Flag Leaves(const Instruction& last) const;
  // The 64-bit value of an operand; nullopt: not known.
  std::optional<uint64_t> AddressIn(const Operand& operand) const;
  // Returns the address where a kSync of this barrier continues; kNoTarget: unknown.
  uint64_t TargetOf(uint8_t barrier) const { return barriers_[barrier % barriers_.size()]; }

  // Returns the access of a memory instruction; nullopt if it is unknown or atomic.
  std::optional<ThreadAccess> AccessOf(const Instruction& instruction) const;
  // Executes an instruction whose guard is true, except for its accesses and jumps.
  void Execute(const Instruction& instruction);
  // Makes the registers unknown that the instruction may write.
  void Forget(const Instruction& instruction);

  // The words of the parameter block that were read, by index.
  std::vector<uint32_t> words() const;

 private:
  // The results of an instruction.
  struct Results {
    WordPair words;
    uint8_t predicate = kTruePredicate;  // that gets `flag`
    Flag flag;
    std::optional<uint64_t> carry;
    bool carry_varies = false;
  };

  Flag FlagOf(uint8_t number, bool uniform) const;
  Flag SourceOf(const Instruction& instruction) const;
  Word WordIn(const Register& reg, unsigned at) const;
  // Word `at` of an operand.
  Word WordOf(const Operand& operand, unsigned at) const;
  Word ValueOf(const Operand& operand) const { return WordOf(operand, 0); }
  WordPair PairIn(const Operand& operand) const { return {WordOf(operand, 0), WordOf(operand, 1)}; }
  // `bytes` bytes of a constant bank from byte `at` of the operand on, widened.
  Word ConstantOf(const Operand& operand, uint32_t at, unsigned bytes, bool is_signed) const;
  Word ParameterAt(uint64_t offset, unsigned bytes, bool is_signed) const;

  void Set(const Instruction& instruction, unsigned at, const Word& word);
  void SetFlag(const Instruction& instruction, uint8_t number, const Flag& flag);
  void SetCarries(const Instruction& instruction, const Results& results);

  void LoadConstant(const Instruction& instruction);
  Results Compute(const Instruction& instruction) const;
  WordPair Select(const Instruction& instruction) const;
  Word MinMax(const Instruction& instruction, const Word& a, const Word& b) const;
  Word AddMinMax(const Instruction& instruction) const;
  void AddWords(const Instruction& instruction, Results* results) const;
  WordPair AddPairs(const Instruction& instruction) const;
  void Lea(const Instruction& instruction, Results* results) const;
  Word MultiplyAdd(const Instruction& instruction) const;
  WordPair MultiplyAddWide(const Instruction& instruction) const;
  Word MultiplyAddHigh(const Instruction& instruction) const;
  Flag PredicateLogic(const Instruction& instruction) const;
  Flag Compare(const Instruction& instruction) const;

  const CubinKernel& kernel_;
  const ThreadInput& input_;
  std::array<Word, 512> registers_{};  // the general registers, then the uniform ones
  std::array<Flag, 16> flags_{};       // P0 to P6, and from 8 on UP0 to UP6
  std::array<uint64_t, 16> barriers_;
  mutable std::vector<bool> read_;  // by word of the parameter block
};

}  // namespace gpusan::cuda
