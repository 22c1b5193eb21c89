// What the first thread of a launch accesses, found by executing its code with the arguments of the
// launch.
#include "hooks/cuda/machine_code/first_thread.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "hooks/cuda/machine_code/control_flow.h"
#include "hooks/cuda/machine_code/thread_state.h"
#include "hooks/cuda/machine_code/waits.h"

namespace gpusan::cuda {
namespace {

constexpr unsigned kMaxSteps = 1 << 14;  // instructions
constexpr size_t kMaxAccesses = 512;

// Executes block after block.
class Execution {
 public:
  // `endless`: by block, whether no thread leaves it.
  Execution(const CubinKernel& kernel, const ControlFlow& flow, std::vector<bool> endless,
            const ThreadInput& input)
      : flow_(flow), endless_(std::move(endless)), state_(kernel, input) {
    joins_ = Backward(flow.blocks, [this](uint32_t i) { return bool{endless_[i]}; }).joins;
    if (input.before_waits) ordering_ = FindOrdering(flow);
    relocated_.assign(flow.instructions.size(), false);
    for (const CodeRelocation& relocation : kernel.relocations) {
      const uint64_t index = relocation.offset / kInstructionBytes;
      if (index < relocated_.size()) relocated_[index] = true;
    }
  }

  ThreadTrace Run() {
    uint32_t block = 0;
    while (RunBlock(block)) {
      const std::optional<uint32_t> next = Next(block);
      if (!next) break;
      block = *next;
    }
    std::sort(accesses_.begin(), accesses_.end());
    accesses_.erase(std::unique(accesses_.begin(), accesses_.end()), accesses_.end());
    return {std::move(accesses_), state_.words(), end_};
  }

 private:
  const Instruction& LastOf(uint32_t block) const {
    return flow_.instructions[flow_.blocks[block].end - 1];
  }

  // Returns false at a limit.
  bool RunBlock(uint32_t block) {
    for (uint32_t i = flow_.blocks[block].first; i < flow_.blocks[block].end; ++i) {
      if (++steps_ > kMaxSteps || accesses_.size() >= kMaxAccesses) {
        end_ = steps_ > kMaxSteps ? "too many steps" : "too many accesses";
        return false;
      }
      const Instruction& instruction = flow_.instructions[i];
      const Flag guard = state_.GuardOf(instruction);
      if (Orders(i) && !(guard.IsFixed() && !guard.value)) {
        end_ = "what can order accesses";
        return false;
      }
      if (!guard.IsFixed() || relocated_[i]) {
        state_.Forget(instruction);
        continue;
      }
      if (!guard.value) continue;
      if (instruction.Accesses()) {
        if (const std::optional<ThreadAccess> access = state_.AccessOf(instruction))
          accesses_.push_back(*access);
      }
      state_.Execute(instruction);
    }
    return true;
  }

  // Whether the execution must end in front of the instruction.
  bool Orders(uint32_t instruction) const { return !ordering_.empty() && ordering_[instruction]; }

  // The block in which the thread continues; nullopt: it ends, or that is not known.
  std::optional<uint32_t> Next(uint32_t number) {
    const Block& block = flow_.blocks[number];
    const Instruction& last = LastOf(number);
    const std::vector<uint32_t>& next = block.successors;
    end_ = "the end of the thread";
    if (endless_[number] || next.empty() || last.operation == Operation::kCallAddress)
      return std::nullopt;
    if (last.operation == Operation::kExit) {
      const Flag ends = state_.Leaves(last);
      if (!ends.IsFixed()) end_ = "an exit under an unknown condition";
      if (!ends.IsFixed() || ends.value || next.size() != 1) return std::nullopt;
    }
    end_ = "a jump to an unknown address";
    // Branches and exits have their own condition.
    const bool conditional = last.Guarded() && last.operation != Operation::kBranch &&
                             last.operation != Operation::kExit;
    if (conditional) {
      const Flag guard = state_.GuardOf(last);
      if (!guard.IsFixed()) return Pass(number);
      if (!guard.value) return BlockAt(next, uint64_t{block.end} * kInstructionBytes);
    }
    if (last.operation == Operation::kReturn) return BlockAt(next, state_.AddressIn(last.a));
    if (next.size() == 1) return next[0];
    if (last.operation == Operation::kSync) return BlockAt(next, state_.TargetOf(last.barrier));
    const Flag jumps = last.operation == Operation::kBranch ? state_.Leaves(last) : Flag();
    if (!jumps.IsFixed() || next.size() != 2) return Pass(number);
    const bool first = IsAt(next[0], last.target);
    return next[first == jumps.value ? 0 : 1];
  }

  bool IsAt(uint32_t block, uint64_t target) const {
    return uint64_t{flow_.blocks[block].first} * kInstructionBytes == target;
  }

  std::optional<uint32_t> BlockAt(const std::vector<uint32_t>& blocks,
                                  std::optional<uint64_t> target) const {
    for (const uint32_t block : blocks) {
      if (target && IsAt(block, *target)) return block;
    }
    return std::nullopt;
  }

  // Continues where the paths after a branch meet. What they write is forgotten.
  std::optional<uint32_t> Pass(uint32_t number) {
    const uint32_t join = joins_[number];
    std::vector<uint32_t> open;
    for (const uint32_t next : flow_.blocks[number].successors) {
      if (joins_[next] != BackwardGraph::kNoJoin) open.push_back(next);
    }
    if (open.size() == 1) return open[0];
    end_ = "a thread that may end in an unknown branch";
    if (join >= flow_.blocks.size()) return std::nullopt;
    std::vector<bool> passed(flow_.blocks.size());
    while (!open.empty()) {
      const uint32_t next = open.back();
      open.pop_back();
      if (next == join || passed[next] || joins_[next] == BackwardGraph::kNoJoin) continue;
      passed[next] = true;
      if (LastOf(next).operation == Operation::kCallAddress) return std::nullopt;
      const Block& block = flow_.blocks[next];
      for (uint32_t i = block.first; i < block.end; ++i) {
        if (Orders(i)) return std::nullopt;
        state_.Forget(flow_.instructions[i]);
      }
      steps_ += block.end - block.first;
      open.insert(open.end(), block.successors.begin(), block.successors.end());
    }
    return join;
  }

  const ControlFlow& flow_;
  const std::vector<bool> endless_;
  std::vector<uint32_t> joins_;  // BackwardGraph::joins
  std::vector<bool> ordering_;   // FindOrdering; empty: nothing ends the execution
  std::vector<bool> relocated_;  // by instruction: the loader writes it
  ThreadState state_;
  std::vector<ThreadAccess> accesses_;
  unsigned steps_ = 0;
  const char* end_ = "not executed";  // ThreadTrace::end
};

}  // namespace

ThreadCode::ThreadCode(const CubinKernel& kernel)
    : code_(kernel.code.begin(), kernel.code.end()), kernel_(kernel) {
  kernel_.name = {};
  kernel_.code = code_;
  kernel_.words = nullptr;
  for (CodeRelocation& relocation : kernel_.relocations) relocation.symbol = {};
  calls_failure_only_ =
      kernel.words == nullptr ||
      std::all_of(kernel.words->begin(), kernel.words->end(), [](const CodeRelocation& word) {
        return word.defined || word.symbol == "__assertfail";
      });
}

ThreadTrace ThreadCode::Execute(const ThreadInput& input) const {
  for (const uint32_t offset : input.pointers) {
    if (offset % 4 != 0 || offset > input.parameters.size() || input.parameters.size() - offset < 8)
      return {};
  }
  const ControlFlow flow = ReadControlFlow(kernel_, true);
  if (flow.failure != nullptr || flow.blocks.empty() || input.pointers.size() >= Word::kSeveral - 1)
    return {};
  std::vector<bool> endless;
  for (const Block& block : flow.blocks) {
    const Instruction& last = flow.instructions[block.end - 1];
    endless.push_back(calls_failure_only_ && last.operation == Operation::kCallAddress &&
                      !last.Guarded());
  }
  return Execution(kernel_, flow, std::move(endless), input).Run();
}

}  // namespace gpusan::cuda
