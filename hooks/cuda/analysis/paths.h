// The certain accesses of a thread. The analysis follows each path of the thread, with one
// iteration of each loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "hooks/cuda/analysis/block_graph.h"
#include "hooks/cuda/analysis/conditions.h"
#include "hooks/cuda/analysis/values.h"

namespace gpusan::cuda {

// An access that a thread certainly makes if all guards hold. If the address is inexact, only its
// pointer is known.
struct SureAccess {
  uint32_t instruction = 0;  // index
  uint32_t sort = 0;         // equal for accesses that differ only by their bytes
  unsigned width = 0;        // [bytes]
  Expression address;
  std::vector<AccessGuard> guards;
};

// The unknown numbers on a path. Each is an atom (Atom::Kind::kOpaque).
class OpaqueWords {
 public:
  // A partly known number. It is `word` & `mask` if the mask is not 0, `word` >> `shift` if the
  // shift is not 0, and the smaller or larger one of `word` and `limit` if there is a limit.
  enum class Limit : uint8_t { kNone, kSmaller, kLarger };
  struct Masked {
    Expression word;
    uint32_t mask = 0;
    uint8_t shift = 0;
    bool is_signed = false;  // of the shift or the limit
    Limit limited = Limit::kNone;
    int64_t limit = 0;  // at least 0
    // The number is 0 if all of these guards hold. Empty: no such condition is known.
    std::vector<AccessGuard> zero_if;
  };
  // Returns a new atom, which may be computed from `sources`.
  Expression Add(Sources sources, Masked known);
  const Masked& operator[](uint16_t number) const { return words_[number]; }
  // Returns the number `word` >> `shift`.
  static Masked Shifted(Expression word, uint8_t shift, bool is_signed);
  // Returns the smaller or the larger one of the words; nullopt if neither is a number of at least
  // 0 or the other one is not known.
  static std::optional<Masked> Limited(const Expression& a, const Expression& b, bool smaller,
                                       bool is_signed);
  // Replaces a comparison of a constant with a shifted, rounded or limited word by an equivalent
  // comparison with the word itself. Does nothing if there is no equivalent comparison.
  void Simplify(AccessGuard* guard) const;
  // Sets the atoms of `expression` that may be 0 to 0, and adds the conditions under which they are
  // 0 to `guards`.
  void AssumeZero(Expression* expression, std::vector<AccessGuard>* guards) const;

 private:
  // The same for a number with a limit.
  static void SimplifyLimited(const Masked& known, int64_t constant, AccessGuard* guard);

  std::vector<Masked> words_;
};

// The thread with the index 0 in the block with the index 0.
class FirstThread {
 public:
  void Start() {
    active_ = true;
    read_.clear();
  }
  void Stop() { active_ = false; }
  // Returns the value of an index: 0 between Start and Stop, else the atom. Records the read.
  Expression ValueOf(Atom atom);
  // Adds the guards "index == 0" for each index that was read since Start.
  void AddGuards(std::vector<AccessGuard>* guards) const;

 private:
  bool active_ = false;
  std::vector<Atom> read_;
};

// The code of a kernel, executed for one thread. Its state is the content of registers and
// predicates.
class PathCode {
 public:
  class State {
   public:
    virtual ~State() = default;
  };
  // Receives an access, and the condition under which the thread executes its instruction.
  using Found = std::function<void(SureAccess, const Condition&)>;

  virtual ~PathCode() = default;
  virtual std::unique_ptr<State> Save() const = 0;
  virtual void Restore(const State& state) = 0;
  // Replaces `state` by the values that it has in common with the current state.
  virtual void JoinInto(State* state) = 0;
  // Executes a block. Returns false if the state after the block is not known.
  virtual bool Run(uint32_t block, const Found& found) = 0;
  // Returns the condition under which a thread that has executed `from` continues at `to`. Requires
  // that Run(from) was the last call.
  virtual Condition EdgeCondition(uint32_t from, uint32_t to) const = 0;
  // If the block ends with the return of a function, returns the block after the call. Returns
  // nullopt for other blocks, and if the call is not known.
  virtual std::optional<uint32_t> ReturnsTo(uint32_t block) = 0;
  // Whether the last instruction of the block calls a function of the kernel.
  virtual bool Calls(uint32_t block) const = 0;
  // Whether no thread leaves the block.
  virtual bool Endless(uint32_t block) const = 0;
  // Whether the block has accesses through parameters of the kind that the walk looks for.
  virtual bool UsesParameters(uint32_t block) const = 0;
  // Whether the registers that the block writes are known. Skip requires it.
  virtual bool CanSkip(uint32_t block) const = 0;
  // Passes the blocks without executing them: sets the registers that they write to their values at
  // the entry of `join`, by the fixed point.
  virtual void Skip(const std::vector<uint32_t>& blocks, uint32_t join) = 0;
};

// Whose accesses FollowPaths looks for. kWritesOfFirstThread: only accesses that change memory.
enum class PathsOf : uint8_t { kAnyThread, kFirstThread, kWritesOfFirstThread };

// Returns the accesses that all paths of a thread have in common, each with its conditions. `known`
// are guards that hold on each path.
std::vector<SureAccess> FollowPaths(const std::vector<Block>& blocks, const Extensions& extensions,
                                    const OpaqueWords& words, PathsOf whose,
                                    const std::vector<AccessGuard>& known, PathCode* code);

}  // namespace gpusan::cuda
