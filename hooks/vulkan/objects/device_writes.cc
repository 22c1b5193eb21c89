// Recent accesses of the device to host-visible memory.
#include "hooks/vulkan/objects/device_writes.h"

#include <algorithm>
#include <cstring>

namespace gpusan::vulkan {

uint64_t HashOf(const void* bytes, uint64_t count) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t hash = count * kFactor;
  const auto* at = static_cast<const std::byte*>(bytes);
  auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 29;
  };
  for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), at += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    mix(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, at, count);
  mix(rest);
  return hash ^ hash >> 32;
}

void AtomHashes::Reset(uint64_t memory_bytes, uint64_t atom) {
  memory_bytes_ = memory_bytes;
  atom_ = std::max<uint64_t>(atom, 64);
  hashes_.clear();
}

uint32_t AtomHashes::HashAt(uintptr_t memory, uint64_t atom) const {
  const uint64_t hash = HashOf(reinterpret_cast<const void*>(memory + atom * atom_), atom_);
  return std::max<uint32_t>(static_cast<uint32_t>(hash), kChanged + 1);
}

void AtomHashes::Agree(uintptr_t memory, uint64_t begin, uint64_t end) {
  if (memory_bytes_ > kMaxBytes) return;
  Forget(begin, end);
  const uint64_t first = (begin + atom_ - 1) / atom_, last = end / atom_;
  if (first >= last) return;
  if (hashes_.empty()) hashes_.resize(memory_bytes_ / atom_, kUnknown);
  for (uint64_t i = first; i < std::min<uint64_t>(last, hashes_.size()); ++i)
    hashes_[i] = HashAt(memory, i);
}

void AtomHashes::KeepUnknown(uintptr_t memory, uint64_t begin, uint64_t end) {
  if (memory_bytes_ > kMaxBytes) return;
  if (hashes_.empty()) hashes_.resize(memory_bytes_ / atom_, kUnknown);
  const uint64_t last = std::min<uint64_t>(end / atom_, hashes_.size());
  for (uint64_t i = (begin + atom_ - 1) / atom_; i < last; ++i) {
    if (hashes_[i] == kUnknown) hashes_[i] = HashAt(memory, i);
  }
}

void AtomHashes::Forget(uint64_t begin, uint64_t end) {
  const uint64_t last = std::min<uint64_t>((end + atom_ - 1) / atom_, hashes_.size());
  for (uint64_t i = begin / atom_; i < last; ++i) hashes_[i] = kUnknown;
}

void AtomHashes::Close(uintptr_t memory, uint64_t begin, uint64_t end) {
  const uint64_t last = std::min<uint64_t>(end / atom_, hashes_.size());
  for (uint64_t i = (begin + atom_ - 1) / atom_; i < last; ++i) {
    if (hashes_[i] > kChanged && hashes_[i] != HashAt(memory, i)) hashes_[i] = kChanged;
  }
}

bool AtomHashes::Changed(uintptr_t memory, uint64_t begin, uint64_t end, uint64_t mapped_begin,
                         uint64_t mapped_end, uint64_t* from, uint64_t* to) const {
  bool changed = false;
  const uint64_t last = std::min<uint64_t>(end / atom_, hashes_.size());
  for (uint64_t i = (begin + atom_ - 1) / atom_; i < last; ++i) {
    if (hashes_[i] == kUnknown) continue;
    if (hashes_[i] != kChanged) {
      const bool mapped = i * atom_ >= mapped_begin && (i + 1) * atom_ <= mapped_end;
      if (!mapped || hashes_[i] == HashAt(memory, i)) continue;
    }
    if (!changed) *from = i * atom_;
    *to = (i + 1) * atom_;
    changed = true;
  }
  return changed;
}

void HostView::Add(const DeviceUse& use, const HostClock& host) {
  for (size_t i = 0; i < uses.size();) {
    const DeviceUse& known = uses[i];
    const bool complete = host.Completed(known.epoch);
    const bool inside = use.begin <= known.begin && known.end <= use.end;
    if ((complete && !known.write) ||
        (inside && known.write == use.write &&
         (complete || (known.queue == use.queue && known.exact <= use.exact)))) {
      uses.erase(uses.begin() + static_cast<ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (uses.size() >= kMaxUses) uses.erase(uses.begin());
  uses.push_back(use);
}

DeviceUse* HostView::LastWrite(uint64_t begin, uint64_t end) {
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {
    if (use->write && use->Overlaps(begin, end)) return &*use;
  }
  return nullptr;
}

bool HostView::WritePending(uint64_t begin, uint64_t end, const HostClock& host) const {
  for (const DeviceUse& use : uses) {
    if (use.write && use.Overlaps(begin, end) && !host.Completed(use.epoch)) return true;
  }
  return false;
}

}  // namespace gpusan::vulkan
