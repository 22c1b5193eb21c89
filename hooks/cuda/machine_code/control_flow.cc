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
// Instructions: of a kernel whose functions are copied, and of the copies.
constexpr size_t kMaxWithCopies = 1 << 12;
constexpr size_t kMaxCopied = 1 << 12;
constexpr uint32_t kNoBlock = UINT32_MAX;

class Builder {
 public:
  Builder(const CubinKernel& kernel, bool copies_functions, ControlFlow* out)
      : kernel_(kernel), copies_functions_(copies_functions), out_(*out) {}

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
    if (copies_functions_) CopyFunctions();
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
      case Operation::kTableBranch:
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
      if (instruction.operation == Operation::kTableBranch && !MarkTargets(i)) {
        out_.failure = "a branch to unknown addresses";
        return false;
      }
      if (!HasTarget(instruction)) continue;
      const uint32_t target = IndexOf(instruction.target);
      // Before sm_90 the field of a WARPSYNC with a mask is not a target.
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

  // Returns nullptr if the targets of the branch are not known.
  const TableBranch* TableOf(size_t index) const {
    for (const TableBranch& branch : kernel_.table_branches) {
      if (branch.offset == index * kInstructionBytes && !branch.targets.empty()) return &branch;
    }
    return nullptr;
  }

  bool MarkTargets(size_t index) {
    const TableBranch* table = TableOf(index);
    if (table == nullptr) return false;
    for (const uint32_t offset : table->targets) {
      const uint32_t target = IndexOf(offset);
      if (target == kNoBlock) return false;
      starts_[target] = true;
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
      case Operation::kTableBranch:
        for (const uint32_t offset : TableOf(block.end - 1)->targets)
          AddEdge(number, IndexOf(offset));
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
      case Operation::kTableBranch:
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
    uint32_t to = block_of_[to_instruction];
    if (const auto copies = copies_.find(from); copies != copies_.end()) {
      const auto copy = copies->second.find(to);
      if (copy != copies->second.end()) to = copy->second;
    }
    if (std::find(successors.begin(), successors.end(), to) != successors.end()) return false;
    successors.push_back(to);
    return true;
  }

  // The returns that the function reaches without returning from it continue after its calls.
  void AddReturns(uint32_t function, const std::vector<uint32_t>& after_calls) {
    for (const uint32_t number : BlocksOf(block_of_[function]).blocks) {
      if (Last(out_.blocks[number]).operation != Operation::kReturn) continue;
      for (const uint32_t after : after_calls) AddEdge(number, after);
    }
  }

  struct Function {
    std::vector<uint32_t> blocks;  // the entry first
    // Each synchronization uses a barrier that the function pushes.
    bool synchronizes_itself = true;
  };

  // The blocks that a function reaches without returning from it. Where a synchronization continues
  // is not known yet: after a push of the function, or after any one.
  Function BlocksOf(uint32_t entry) {
    Function function{{entry}};
    std::vector<uint32_t>& blocks = function.blocks;
    std::vector<bool> seen(out_.blocks.size());
    seen[entry] = true;
    const auto visit = [&](uint32_t next) {
      if (!seen[next]) blocks.push_back(next);
      seen[next] = true;
    };
    unsigned pushed = 0, synchronized = 0;  // barriers, as bits
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Block& block = out_.blocks[blocks[i]];
      for (uint32_t k = block.first; k < block.end; ++k) {
        const Instruction& instruction = out_.instructions[k];
        if (instruction.operation == Operation::kPush) {
          pushed |= 1u << instruction.barrier;
          visit(block_of_[IndexOf(instruction.target)]);
        }
        if (instruction.operation == Operation::kBarrierMove) function.synchronizes_itself = false;
      }
      const Instruction& last = Last(block);
      if (last.operation == Operation::kSync) synchronized |= 1u << last.barrier;
      const bool returns = last.operation == Operation::kReturn;
      if (last.operation == Operation::kCall || (returns && last.Guarded())) {
        if (block.end < out_.instructions.size()) visit(block_of_[block.end]);
      } else if (!returns) {
        for (const uint32_t next : block.successors) visit(next);
      }
      if (i + 1 != blocks.size() || (synchronized & ~pushed) == 0) continue;
      function.synchronizes_itself = false;
      for (const uint32_t target : AllPushed()) visit(block_of_[target]);
    }
    return function;
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

  // Every synchronization may continue after every push.
  void AddAllSyncs() {
    for (uint32_t number = 0; number < out_.blocks.size(); ++number) {
      if (Last(out_.blocks[number]).operation != Operation::kSync) continue;
      for (const uint32_t target : AllPushed()) AddEdge(number, target);
    }
  }

  // Gives each call of a small function that accesses no memory its own copy of the blocks, so that
  // what holds at one call does not get lost at another one.
  void CopyFunctions() {
    if (out_.instructions.size() > kMaxWithCopies) return;
    std::vector<std::vector<uint32_t>> before(out_.blocks.size());
    for (uint32_t i = 0; i < out_.blocks.size(); ++i) {
      for (const uint32_t next : out_.blocks[i].successors) before[next].push_back(i);
    }
    size_t room = kMaxCopied;
    for (const auto& [entry, after_calls] : returns_to_) {
      if (after_calls.size() < 2) continue;
      const Function function = BlocksOf(block_of_[entry]);
      if (!CanCopy(function, after_calls.size(), before)) continue;
      size_t length = 0;
      for (const uint32_t number : function.blocks)
        length += out_.blocks[number].end - out_.blocks[number].first;
      length *= after_calls.size() - 1;
      if (length > room) continue;
      room -= length;
      CopyFor(function.blocks, after_calls);
    }
  }

  // False if the function accesses memory or calls functions, or if its blocks belong to other code
  // as well.
  bool CanCopy(const Function& function, size_t calls,
               const std::vector<std::vector<uint32_t>>& before) const {
    if (!function.synchronizes_itself) return false;
    std::vector<bool> inside(before.size());
    for (const uint32_t number : function.blocks) inside[number] = true;
    for (const uint32_t number : function.blocks) {
      const Block& block = out_.blocks[number];
      for (uint32_t k = block.first; k < block.end; ++k) {
        if (!CanCopy(out_.instructions[k])) return false;
      }
      const Instruction& last = Last(block);
      if (last.operation == Operation::kReturn &&
          (last.Guarded() || block.successors.size() != calls))
        return false;
      for (const uint32_t from : before[number]) {
        if (!inside[from] && (number != function.blocks[0] || !Calls(from, number))) return false;
      }
    }
    return true;
  }

  static bool CanCopy(const Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::kUnknown:
      case Operation::kCall:
      case Operation::kCallAddress:
      case Operation::kExit:
      case Operation::kLoadLocal:
      case Operation::kStoreLocal:
        return false;
      default:
        return !instruction.Accesses();
    }
  }

  // Whether the block ends with a call without a guard of the function, after which code follows.
  bool Calls(uint32_t number, uint32_t entry) const {
    const Block& block = out_.blocks[number];
    return Last(block).operation == Operation::kCall && !Last(block).Guarded() &&
           block.successors.size() == 1 && block.successors[0] == entry &&
           block.end < out_.instructions.size();
  }

  void CopyFor(const std::vector<uint32_t>& blocks, const std::vector<uint32_t>& after_calls) {
    const auto originals = static_cast<uint32_t>(out_.blocks.size());
    for (const uint32_t after : after_calls) {
      std::map<uint32_t, uint32_t> copies;
      for (const uint32_t number : blocks) {
        // The first call keeps the function.
        const bool keeps = after == after_calls[0];
        copies[number] = keeps ? number : static_cast<uint32_t>(out_.blocks.size());
        if (!keeps) out_.blocks.push_back(Block(out_.blocks[number]));
      }
      for (const auto& [number, copy] : copies) {
        Block& block = out_.blocks[copy];
        if (Last(block).operation == Operation::kReturn) {
          block.successors = {block_of_[after]};
          out_.returns.push_back(copy);
        } else {
          for (uint32_t& next : block.successors) next = copies.at(next);
        }
        if (copy != number) copies_[copy] = copies;
      }
      for (uint32_t number = 0; number < originals; ++number) {
        if (out_.blocks[number].end == after && Calls(number, blocks[0]))
          out_.blocks[number].successors = {copies.at(blocks[0])};
      }
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
  const bool copies_functions_;
  ControlFlow& out_;
  std::vector<bool> starts_;
  std::vector<uint32_t> block_of_;
  std::vector<uint32_t> pushed_;
  // By block that is a copy: the copies for the same call, by block.
  std::map<uint32_t, std::map<uint32_t, uint32_t>> copies_;
  std::map<uint32_t, std::vector<uint32_t>>
      returns_to_;  // by the first instruction of a called function
};

}  // namespace

ControlFlow ReadControlFlow(const CubinKernel& kernel, bool copies_functions) {
  ControlFlow flow;
  Builder(kernel, copies_functions, &flow).Build();
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
