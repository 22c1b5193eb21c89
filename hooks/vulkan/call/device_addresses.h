// The buffers of a device by their addresses on it (vkGetBufferDeviceAddress).
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/container/btree_map.h"
#include "tracker/base/spin_lock.h"
#include "tracker/objects/resource.h"

namespace gpusan::vulkan {

// Thread-safe. Buffers that share memory may share addresses: look-ups return the buffer whose
// address was queried last.
class DeviceAddresses {
 public:
  struct Found {
    Resource* buffer = nullptr;  // nullptr: no live buffer is known to have the address
    uint64_t offset = 0;         // of the address in the buffer [bytes]
  };

  // Notes that the buffer begins at `address`.
  void Add(uint64_t address, Resource& buffer);
  Found Find(uint64_t address) { return FindIn(address, false); }
  // The same, but the buffer may be destroyed.
  Found FindAny(uint64_t address) { return FindIn(address, true); }

 private:
  Found FindIn(uint64_t address, bool destroyed);

  SpinLock lock_;
  absl::btree_map<uint64_t, WeakRef<Resource>> buffers_;  // by first address
  size_t purge_at_ = 64;  // number of buffers at which destroyed ones are removed
};

}  // namespace gpusan::vulkan
