// The bytes that a compute pipeline accesses in the buffers of its descriptors.
#include "hooks/vulkan/shaders/dispatch_ranges.h"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace gpusan::vulkan {

std::shared_ptr<const DispatchRanges> DispatchRanges::Read(absl::Span<const uint32_t> code,
                                                           const char* entry,
                                                           const VkSpecializationInfo* constants) {
  if (code.empty() || entry == nullptr) return nullptr;
  std::vector<SpirvSpecialization> specialized;
  for (uint32_t i = 0; constants != nullptr && i < constants->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& from = constants->pMapEntries[i];
    SpirvSpecialization& one = specialized.emplace_back(SpirvSpecialization{from.constantID, 0});
    if (from.size > sizeof(one.value) || from.offset > constants->dataSize ||
        from.size > constants->dataSize - from.offset)
      return nullptr;
    std::memcpy(&one.value, static_cast<const char*>(constants->pData) + from.offset, from.size);
  }
  for (SpirvKernel& kernel : AnalyseSpirv(code, specialized)) {
    if (kernel.name != entry || kernel.local_size[0] == 0 || kernel.local_size[1] == 0 ||
        kernel.local_size[2] == 0)
      continue;
    auto ranges = std::make_shared<DispatchRanges>();
    std::vector<const ParameterSummary*> known;
    for (const SpirvBuffer& buffer : kernel.buffers) {
      if (!buffer.summary.known || buffer.array) continue;
      ranges->bindings_.push_back({buffer.set, buffer.binding});
      known.push_back(&buffer.summary);
    }
    if (known.empty()) return nullptr;
    ranges->program_ = LaunchProgram(known);
    std::copy(kernel.local_size, kernel.local_size + 3, ranges->local_size_);
    ranges->lengths_ = std::move(kernel.lengths);
    return ranges;
  }
  return nullptr;
}

DispatchRanges::Uses DispatchRanges::UsesOf(const Groups& groups,
                                            const BytesOfBinding& bytes) const {
  Numbers numbers;
  for (const SpirvLength& length : lengths_) {
    const uint64_t covered = bytes(length.set, length.binding);
    const bool known = covered >= length.offset && covered != 0;
    numbers.push_back({known ? (covered - length.offset) / length.stride : 0,
                       static_cast<uint8_t>(known ? 8 : 0)});
  }
  {
    std::lock_guard lock(lock_);
    if (last_uses_ != nullptr && last_groups_ == groups && last_numbers_ == numbers)
      return last_uses_;
  }
  LaunchShape shape;
  const uint32_t counts[] = {groups.x, groups.y, groups.z};
  for (int d = 0; d < 3; ++d) {
    shape.local_size[d] = local_size_[d];
    shape.global_size[d] = uint64_t{local_size_[d]} * counts[d];
  }
  auto uses = std::make_shared<std::vector<LaunchUses>>(bindings_.size());
  program_.Evaluate(shape, numbers, absl::MakeSpan(*uses));
  std::lock_guard lock(lock_);
  last_groups_ = groups;
  last_numbers_ = std::move(numbers);
  last_uses_ = uses;
  return uses;
}

const LaunchUses* DispatchRanges::Find(const Uses& uses, uint32_t set, uint32_t binding) const {
  for (size_t i = 0; i < bindings_.size() && i < uses->size(); ++i) {
    if (bindings_[i].set == set && bindings_[i].binding == binding) return &(*uses)[i];
  }
  return nullptr;
}

KnownBytes Narrow(const LaunchUses& uses, bool write, Region* region) {
  const LaunchUse& use = write ? uses.writes : uses.reads;
  // What atomic and other accesses do together is not known.
  if (uses.atomics) return KnownBytes::kNothing;
  if (!use.possible) return KnownBytes::kNone;
  const auto first = static_cast<uint64_t>(use.first), last = static_cast<uint64_t>(use.last);
  const bool inside = use.ranged && use.first >= 0 && use.first < use.last && region->linear() &&
                      last <= region->width;
  if (!use.sure) {
    if (inside) *region = Region::Linear(region->offset + first, last - first);
    return KnownBytes::kMaybe;
  }
  if (!inside || (!use.exact && !(use.has_ends() && use.end_first == use.first)))
    return KnownBytes::kNothing;
  *region = Region::Linear(region->offset + first, last - first);
  return use.exact ? KnownBytes::kExactly : KnownBytes::kInside;
}

}  // namespace gpusan::vulkan
