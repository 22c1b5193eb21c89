// Puts the accesses of a kernel together to its summary.
#include "hooks/cuda/machine_code/access_collector.h"

#include <cstddef>
#include <utility>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxAccesses = 1024;

}  // namespace

void AccessCollector::Add(KernelMemoryAccess access) {
  const uint8_t kind = access.kind;
  const Sources bases = access.address.Bases();
  if (bases.Empty() || (bases.flags & Sources::kMemory) != 0) out_.unknown |= kind;
  if ((bases.flags & Sources::kGlobals) != 0) out_.globals |= kind;
  if ((bases.flags & Sources::kParameters) != 0) {
    for (unsigned at = 0; at + 8 <= parameter_bytes_; at += 8)
      pointers_[static_cast<uint16_t>(at)] |= kind;
  }
  for (const uint16_t slot : bases.slots) pointers_[slot] |= kind;
  // Variables of the module, and the memory of the driver.
  if (!bases.Empty() && bases.slots.empty() &&
      (bases.flags & (Sources::kParameters | Sources::kMemory)) == 0)
    return;
  if (out_.accesses.size() >= kMaxAccesses) {
    out_.accesses_complete = false;
    return;
  }
  out_.accesses.push_back(std::move(access));
}

void AccessCollector::Finish() {
  for (const auto& [offset, kinds] : pointers_) out_.pointers.push_back({offset, kinds});
}

}  // namespace gpusan::cuda
