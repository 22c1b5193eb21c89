// Finds the instructions that can order the accesses of threads.
#include "hooks/cuda/machine_code/waits.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace gpusan::cuda {
namespace {

bool IsOneOf(const char* mnemonic, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), std::string_view(mnemonic)) != names.end();
}

// Whether threads of a block can wait for each other by the instruction, except by the convergence
// of a warp: programs may rely on that only after kWarpSync.
bool Synchronizes(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kNothing:
      return !IsOneOf(instruction.mnemonic, {"NOP", "STS", "BREAK", "YIELD", "DEPBAR", "LDGDEPBAR",
                                             "FSETP", "DSETP", "HSETP2", "UFSETP", "FCHK", "R2P"});
    case Operation::kNumber:
      return IsOneOf(instruction.mnemonic, {"VOTE", "VOTEU", "MATCH", "ELECT", "B2R"});
    case Operation::kOpaque:
      return IsOneOf(instruction.mnemonic, {"SHFL", "REDUX", "CREDUX"});
    case Operation::kUnknown:
    case Operation::kFence:
    case Operation::kFetch:
    case Operation::kAtomic:
    case Operation::kReduction:
    case Operation::kMulticastLoad:
    case Operation::kBulkLoad:
    case Operation::kBulkStore:
    case Operation::kBulkReduction:
    case Operation::kCallAddress:
    case Operation::kWarpSync:
      return true;
    default:
      return false;
  }
}

// Whether the instruction lets others wait for the thread, or the thread for others.
bool Orders(const Instruction& instruction) {
  return instruction.memory.strong || instruction.operation == Operation::kAtomic ||
         instruction.beyond_block;
}

bool Sleeps(const Instruction& instruction) { return IsOneOf(instruction.mnemonic, {"NANOSLEEP"}); }

// Whether the instruction may read what other threads or the host write.
bool ReadsShared(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kUnknown:
    case Operation::kFetch:
    case Operation::kLoad:
    case Operation::kAtomic:
    case Operation::kCopyToShared:
    case Operation::kMulticastLoad:
    case Operation::kBulkLoad:
    case Operation::kReadTexels:
    case Operation::kCallAddress:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool MayWait(const ControlFlow& flow, uint32_t block) {
  const auto has = [&flow](const Block& one, bool (*is_one)(const Instruction&)) {
    return std::any_of(flow.instructions.begin() + one.first, flow.instructions.begin() + one.end,
                       is_one);
  };
  const Block& self = flow.blocks[block];
  if (!self.reachable) return false;
  return has(self, Orders) ||
         (has(self, Sleeps) && LoopVisits(flow.blocks, block, [&has](const Block& one) {
            return has(one, ReadsShared);
          }));
}

std::vector<bool> FindOrdering(const ControlFlow& flow) {
  std::vector<uint32_t> waits;
  for (uint32_t i = 0; i < flow.blocks.size(); ++i) {
    if (MayWait(flow, i)) waits.push_back(i);
  }
  const std::vector<bool> behind = BlocksBehind(flow.blocks, std::move(waits));
  std::vector<bool> ordering(flow.instructions.size());
  for (uint32_t number = 0; number < flow.blocks.size(); ++number) {
    for (uint32_t i = flow.blocks[number].first; i < flow.blocks[number].end; ++i) {
      const Instruction& instruction = flow.instructions[i];
      // Threads of a warp that have waited converge with those that have not.
      const bool converges = instruction.operation == Operation::kSync && behind[number];
      ordering[i] = Orders(instruction) || Synchronizes(instruction) || converges;
    }
  }
  return ordering;
}

}  // namespace gpusan::cuda
