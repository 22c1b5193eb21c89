// The buffers of a device by their addresses on it (vkGetBufferDeviceAddress).
#include "hooks/vulkan/call/device_addresses.h"

#include <algorithm>
#include <mutex>

namespace gpusan::vulkan {
namespace {

Resource* Live(const WeakRef<Resource>& buffer) {
  Resource* resource = buffer.get();
  return resource != nullptr && resource->live() ? resource : nullptr;
}

}  // namespace

void DeviceAddresses::Add(uint64_t address, Resource& buffer) {
  if (address == 0) return;
  std::lock_guard lock(lock_);
  buffers_[address] = WeakRef<Resource>(&buffer);
  if (buffers_.size() < purge_at_) return;
  absl::erase_if(buffers_, [](const auto& entry) { return Live(entry.second) == nullptr; });
  purge_at_ = std::max<size_t>(64, 2 * buffers_.size());
}

DeviceAddresses::Found DeviceAddresses::FindIn(uint64_t address, bool destroyed) {
  std::lock_guard lock(lock_);
  auto behind = buffers_.upper_bound(address);
  if (behind == buffers_.begin()) return {};
  --behind;
  Resource* buffer = destroyed ? behind->second.get() : Live(behind->second);
  const uint64_t offset = address - behind->first;
  if (buffer == nullptr || offset >= buffer->bytes) return {};
  return {buffer, offset};
}

}  // namespace gpusan::vulkan
