// Tensor maps (CUtensorMap): descriptors of tensors in global memory, which kernels get by value.
#include "hooks/cuda/arrays/tensor_maps.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>

namespace gpusan::cuda {
namespace {

// One entry for each hash modulo the number of entries. Threads that write the same entry at the
// same time may mix their values: the names of calls are wrong then.
struct Entry {
  std::atomic<uint64_t> hash{0};  // 0: empty
  std::atomic<uintptr_t> address{0};
  std::atomic<const CallInfo*> call{nullptr};
  std::atomic<SiteId> site{kUnknownSite};
};
constinit Entry g_entries[1024] = {};

Entry& EntryOf(uint64_t hash) { return g_entries[hash % std::size(g_entries)]; }

// Never 0. Two different maps have the same hash with a probability of 2^-64.
uint64_t HashOf(const unsigned char* bytes) {
  uint64_t hash = 0;
  for (size_t i = 0; i < kTensorMapBytes; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes + i, sizeof(word));
    hash = (std::rotl(hash, 23) ^ word) * 0x9e3779b97f4a7c15u;
  }
  return (hash ^ hash >> 32) | 1;
}

}  // namespace

constinit std::atomic<bool> has_tensor_maps{false};

// The first word of the descriptor is the address. The toolkit does not document it.
uintptr_t MemoryOfTensorMap(const unsigned char* bytes) {
  uintptr_t address;
  std::memcpy(&address, bytes, sizeof(address));
  return address;
}

void NoteTensorMap(const unsigned char* bytes, const CallInfo& call, SiteId site) {
  const uint64_t hash = HashOf(bytes);
  Entry& entry = EntryOf(hash);
  entry.address.store(MemoryOfTensorMap(bytes), std::memory_order_relaxed);
  entry.call.store(&call, std::memory_order_relaxed);
  entry.site.store(site, std::memory_order_relaxed);
  entry.hash.store(hash, std::memory_order_release);
  has_tensor_maps.store(true, std::memory_order_relaxed);
}

bool IsKnownTensorMap(const unsigned char* bytes) {
  const uint64_t hash = HashOf(bytes);
  return EntryOf(hash).hash.load(std::memory_order_relaxed) == hash;
}

TensorMapSource SourceOfTensorMap(uintptr_t address) {
  for (const Entry& entry : g_entries) {
    if (entry.hash.load(std::memory_order_acquire) == 0 ||
        entry.address.load(std::memory_order_relaxed) != address)
      continue;
    return {entry.call.load(std::memory_order_relaxed), entry.site.load(std::memory_order_relaxed)};
  }
  return {};
}

}  // namespace gpusan::cuda
