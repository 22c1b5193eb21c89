// The basic blocks of a kernel.
#include "hooks/cuda/machine_code/control_flow.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxInstructions = 1 << 17;
constexpr size_t kMaxBlocks = 1 << 14;
constexpr size_t kMaxBarrierSteps = 1 << 14;
constexpr uint32_t kNoBlock = UINT32_MAX;

class Builder {
 public:
  Builder(const CubinKernel& kernel, ControlFlow* out) : kernel_(kernel), out_(*out) {}

  void Build() {
    if (!DecodeAll()) return;
    for (const CodeRelocation& relocation : kernel_.relocations) {
      const uint64_t index = relocation.offset / kInstructionBytes;
      if (index < out_.instructions.size() && EndsBlock(out_.instructions[index])) {
        out_.failure = "a call or branch out of the kernel";
        return;
      }
    }
    if (!MarkStarts()) return;
    CutBlocks();
    if (out_.blocks.size() > kMaxBlocks) {
      out_.failure = "too many basic blocks";
      return;
    }
    for (uint32_t i = 0; i < out_.blocks.size(); ++i) AddSuccessors(i);
    for (const auto& [function, after_calls] : returns_to_) AddReturns(function, after_calls);
    AddSyncs();
    OrderBlocks(&out_.blocks);
  }

 private:
  bool DecodeAll() {
    const size_t count = kernel_.code.size() / kInstructionBytes;
    if (count == 0 || count > kMaxInstructions) {
      out_.failure = count == 0 ? "no code" : "too much code";
      return false;
    }
    out_.instructions.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      out_.instructions.push_back(
          Decode(kernel_.code, i * kInstructionBytes, kernel_.architecture));
    }
    return true;
  }

  static bool HasTarget(const Instruction& instruction) {
    return instruction.operation == Operation::kBranch ||
           instruction.operation == Operation::kCall || instruction.operation == Operation::kPush ||
           IsCollective(instruction);
  }

  // WARPSYNC.COLLECTIVE names where the warp continues; the other forms have an immediate or
  // nothing.
  static bool IsCollective(const Instruction& instruction) {
    return instruction.operation == Operation::kWarpSync && instruction.opcode == 0x348;
  }

  static bool EndsBlock(const Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::kBranch:
      case Operation::kCall:
      case Operation::kCallAddress:
      case Operation::kReturn:
      case Operation::kExit:
      case Operation::kSync:
        return true;
      default:
        return IsCollective(instruction);
    }
  }

  uint32_t IndexOf(uint64_t target) const {
    return target % kInstructionBytes == 0 && target / kInstructionBytes < out_.instructions.size()
               ? static_cast<uint32_t>(target / kInstructionBytes)
               : kNoBlock;
  }

  bool MarkStarts() {
    starts_.assign(out_.instructions.size() + 1, false);
    starts_[0] = true;
    for (size_t i = 0; i < out_.instructions.size(); ++i) {
      const Instruction& instruction = out_.instructions[i];
      if (EndsBlock(instruction)) starts_[i + 1] = true;
      if (!HasTarget(instruction)) continue;
      const uint32_t target = IndexOf(instruction.target);
      // Before sm_90 the field of a WARPSYNC with a mask is no target.
      if (target == kNoBlock && IsCollective(instruction) && kernel_.architecture < 90) continue;
      if (target == kNoBlock) {
        out_.failure = "a branch out of the kernel";
        return false;
      }
      starts_[target] = true;
      if (instruction.operation == Operation::kCall)
        returns_to_[target].push_back(static_cast<uint32_t>(i + 1));
    }
    return true;
  }

  void CutBlocks() {
    block_of_.assign(out_.instructions.size() + 1, kNoBlock);
    for (uint32_t i = 0; i < out_.instructions.size(); ++i) {
      if (starts_[i]) {
        out_.blocks.emplace_back();
        out_.blocks.back().first = i;
      }
      out_.blocks.back().end = i + 1;
      block_of_[i] = static_cast<uint32_t>(out_.blocks.size() - 1);
    }
  }

  // All edges but those of returns and synchronizations.
  void AddSuccessors(uint32_t number) {
    Block& block = out_.blocks[number];
    const Instruction& last = Last(block);
    block.ends = last.operation == Operation::kExit;
    switch (last.operation) {
      case Operation::kBranch:
      case Operation::kCall:
        AddEdge(number, IndexOf(last.target));
        break;
      case Operation::kWarpSync:
        if (IsCollective(last)) AddEdge(number, IndexOf(last.target));
        break;
      default:
        break;
    }
    if (FallsThrough(last)) AddEdge(number, block.end);
  }

  static bool FallsThrough(const Instruction& last) {
    switch (last.operation) {
      case Operation::kBranch:
      case Operation::kExit:
        return last.conditional;
      case Operation::kCall:
      case Operation::kReturn:
        return last.Guarded();
      default:
        return true;
    }
  }

  const Instruction& Last(const Block& block) const { return out_.instructions[block.end - 1]; }

  // Returns whether the edge is new. Targets outside of the code are ignored.
  bool AddEdge(uint32_t from, uint32_t to_instruction) {
    if (to_instruction >= out_.instructions.size()) return false;
    std::vector<uint32_t>& successors = out_.blocks[from].successors;
    const uint32_t to = block_of_[to_instruction];
    if (std::find(successors.begin(), successors.end(), to) != successors.end()) return false;
    successors.push_back(to);
    return true;
  }

  // The returns that the function reaches without returning from it continue behind its calls.
  void AddReturns(uint32_t function, const std::vector<uint32_t>& after_calls) {
    std::vector<bool> seen(out_.blocks.size());
    std::vector<uint32_t> work{block_of_[function]};
    seen[work[0]] = true;
    std::vector<uint32_t> returns;
    while (!work.empty()) {
      const uint32_t number = work.back();
      work.pop_back();
      const Block& block = out_.blocks[number];
      const Instruction& last = Last(block);
      if (last.operation == Operation::kReturn) returns.push_back(number);
      const auto visit = [&](uint32_t next) {
        if (seen[next]) return;
        seen[next] = true;
        work.push_back(next);
      };
      if (last.operation == Operation::kCall) {
        if (block.end < out_.instructions.size()) visit(block_of_[block.end]);
      } else if (last.operation != Operation::kReturn) {
        for (const uint32_t next : block.successors) visit(next);
      } else if (last.Guarded() && block.end < out_.instructions.size()) {
        visit(block_of_[block.end]);
      }
      // Where a synchronization continues is not known yet: behind any push.
      if (last.operation == Operation::kSync) {
        for (const uint32_t target : AllPushed()) visit(block_of_[target]);
      }
    }
    for (const uint32_t number : returns) {
      for (const uint32_t after : after_calls) AddEdge(number, after);
    }
  }

  const std::vector<uint32_t>& AllPushed() {
    if (!pushed_.empty()) return pushed_;
    for (const Instruction& instruction : out_.instructions) {
      if (instruction.operation == Operation::kPush) pushed_.push_back(IndexOf(instruction.target));
    }
    return pushed_;
  }

  // Which continuations each barrier may hold at the start of a block, and the edges that follow
  // from it.
  void AddSyncs() {
    std::vector<Barriers> entry(out_.blocks.size());
    std::vector<bool> seen(out_.blocks.size());
    std::set<uint32_t> work{0};
    size_t steps = 0;
    while (!work.empty()) {
      const uint32_t number = *work.begin();
      work.erase(work.begin());
      seen[number] = true;
      if (++steps > kMaxBarrierSteps) return AddAllSyncs();
      Barriers barriers = entry[number];
      for (uint32_t i = out_.blocks[number].first; i < out_.blocks[number].end; ++i) {
        const Instruction& instruction = out_.instructions[i];
        std::vector<uint32_t>& held = barriers[instruction.barrier];
        if (instruction.operation == Operation::kPush && !instruction.Guarded()) held.clear();
        if (instruction.operation == Operation::kPush) Insert(IndexOf(instruction.target), &held);
        if (instruction.operation == Operation::kBarrierMove) {
          for (const uint32_t target : AllPushed()) Insert(target, &held);
        }
        if (instruction.operation == Operation::kSync) {
          for (const uint32_t target : held) AddEdge(number, target);
          held.clear();  // the barrier is empty until the next push
        }
      }
      for (const uint32_t next : out_.blocks[number].successors) {
        bool changed = !seen[next];
        for (size_t i = 0; i < barriers.size(); ++i) {
          if (barriers[i] == entry[next][i]) continue;
          for (const uint32_t target : barriers[i]) changed |= Insert(target, &entry[next][i]);
        }
        if (changed) work.insert(next);
      }
    }
  }

  // Every synchronization may continue behind every push.
  void AddAllSyncs() {
    for (uint32_t number = 0; number < out_.blocks.size(); ++number) {
      if (Last(out_.blocks[number]).operation != Operation::kSync) continue;
      for (const uint32_t target : AllPushed()) AddEdge(number, target);
    }
  }

  // Continuations by number of the barrier, as indices of instructions.
  using Barriers = std::array<std::vector<uint32_t>, 16>;

  static bool Insert(uint32_t target, std::vector<uint32_t>* held) {
    const auto at = std::lower_bound(held->begin(), held->end(), target);
    if (at != held->end() && *at == target) return false;
    held->insert(at, target);
    return true;
  }

  const CubinKernel& kernel_;
  ControlFlow& out_;
  std::vector<bool> starts_;
  std::vector<uint32_t> block_of_;
  std::vector<uint32_t> pushed_;
  std::map<uint32_t, std::vector<uint32_t>>
      returns_to_;  // by the first instruction of a called function
};

}  // namespace

ControlFlow ReadControlFlow(const CubinKernel& kernel) {
  ControlFlow flow;
  Builder(kernel, &flow).Build();
  return flow;
}

void EndBlocks(const std::vector<uint32_t>& blocks, ControlFlow* flow) {
  if (blocks.empty()) return;
  for (const uint32_t number : blocks) {
    Block& block = flow->blocks[number];
    block.ends = true;
    if (!flow->instructions[block.end - 1].Guarded()) block.successors.clear();
  }
  for (Block& block : flow->blocks) {
    block.reachable = block.always = false;
    block.order = 0;
  }
  OrderBlocks(&flow->blocks);
}

}  // namespace gpusan::cuda
