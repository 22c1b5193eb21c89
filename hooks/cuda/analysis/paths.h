// What a thread surely accesses, followed path by path up to the first iterations of loops.
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

// An access that a thread surely makes if all guards hold. An inexact address is the pointer, plus
// something.
struct SureAccess {
  uint32_t instruction = 0;  // index
  uint32_t sort = 0;         // equal for accesses that differ by their bytes only
  unsigned width = 0;        // [bytes]
  Expression address;
  std::vector<AccessGuard> guards;
};

// On a path, a number that is not known is an atom (Atom::Kind::kOpaque).
class OpaqueWords {
 public:
  // The number is `word` & `mask` if the mask is not 0, and `word` >> `shift` if the shift is not
  // 0.
  struct Masked {
    Expression word;
    uint32_t mask = 0;
    uint8_t shift = 0;
    bool is_signed = false;  // of the shift
    // If all of them hold, and there is one, the number is 0.
    std::vector<AccessGuard> zero_if;
  };
  // A new atom, which may be computed from `sources`.
  Expression Add(Sources sources, Masked known);
  const Masked& operator[](uint16_t number) const { return words_[number]; }
  // The number `word` >> `shift`.
  static Masked Shifted(Expression word, uint8_t shift, bool is_signed);
  // Changes a comparison of a constant with a shifted or rounded word to one with the word itself,
  // if it can be one.
  void Simplify(AccessGuard* guard) const;
  // Sets the atoms of `expression` that may be 0 to it, and adds to `guards` what must hold for
  // that.
  void AssumeZero(Expression* expression, std::vector<AccessGuard>* guards) const;

 private:
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
  // The value of an index: 0 for this thread, if it was started.
  Expression ValueOf(Atom atom);
  // What makes a thread this one, as far as an index was read. Adds it to the guards.
  void AddGuards(std::vector<AccessGuard>* guards) const;

 private:
  bool active_ = false;
  std::vector<Atom> read_;
};

// The code of a kernel, executed for one thread. It has a state: what registers and predicates
// hold.
class PathCode {
 public:
  class State {
   public:
    virtual ~State() = default;
  };
  // Takes an access, and the condition under which its instruction is executed.
  using Found = std::function<void(SureAccess, const Condition&)>;

  virtual ~PathCode() = default;
  virtual std::unique_ptr<State> Save() const = 0;
  virtual void Restore(const State& state) = 0;
  // Changes `state` to what it has in common with the current one.
  virtual void JoinInto(State* state) = 0;
  // Executes a block. Returns false if the state behind it is not known.
  virtual bool Run(uint32_t block, const Found& found) = 0;
  // When a thread that has executed `from` goes to `to`. Only between Run and the next call.
  virtual Condition EdgeCondition(uint32_t from, uint32_t to) const = 0;
  // The block to which the function returns whose end the block is; nullopt: it is none, or that is
  // not known.
  virtual std::optional<uint32_t> ReturnsTo(uint32_t block) = 0;
  // Whether the last instruction of the block calls a function of the kernel.
  virtual bool Calls(uint32_t block) const = 0;
  // No thread leaves the block.
  virtual bool Endless(uint32_t block) const = 0;
  // Whether the block has accesses through parameters that are looked for.
  virtual bool UsesParameters(uint32_t block) const = 0;
  // Whether Skip knows what the block writes.
  virtual bool CanSkip(uint32_t block) const = 0;
  // Sets what the blocks write to what is known of it in front of `join`.
  virtual void Skip(const std::vector<uint32_t>& blocks, uint32_t join) = 0;
};

// Whose accesses FollowPaths looks for. kWritesOfFirstThread: only those that change memory.
enum class PathsOf : uint8_t { kAnyThread, kFirstThread, kWritesOfFirstThread };

// The accesses that all paths of a thread have in common, for different conditions. `known` holds
// on each of the paths.
std::vector<SureAccess> FollowPaths(const std::vector<Block>& blocks, const Extensions& extensions,
                                    const OpaqueWords& words, PathsOf whose,
                                    const std::vector<AccessGuard>& known, PathCode* code);

}  // namespace gpusan::cuda
