// The bytes that shaders access in the buffers of their descriptors and addresses.
#include "hooks/vulkan/spirv/dispatch_ranges.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan::vulkan {
namespace {

// Whether the accesses may depend on the symbol.
bool NamesSymbol(const ParameterSummary& summary, uint16_t symbol) {
  const auto in_fits = [&](const std::vector<SummaryFit>& fits) {
    return std::ranges::any_of(fits,
                               [&](const SummaryFit& fit) { return Names(fit.value, symbol); });
  };
  return std::ranges::any_of(summary.accesses, [&](const SummaryAccess& access) {
    return Names(access.offset, symbol) || in_fits(access.fits) || in_fits(access.offset_fits) ||
           std::ranges::any_of(access.guards, [&](const SummaryGuard& guard) {
             return Names(guard.value, symbol);
           });
  });
}

}  // namespace

std::optional<std::vector<SpirvSpecialization>> SpecializationOf(
    const VkSpecializationInfo* constants) {
  std::vector<SpirvSpecialization> specialized;
  for (uint32_t i = 0; constants != nullptr && i < constants->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& from = constants->pMapEntries[i];
    SpirvSpecialization& one = specialized.emplace_back(SpirvSpecialization{from.constantID, 0});
    if (from.size > sizeof(one.value) || from.offset > constants->dataSize ||
        from.size > constants->dataSize - from.offset)
      return std::nullopt;
    std::memcpy(&one.value, static_cast<const char*>(constants->pData) + from.offset, from.size);
  }
  return specialized;
}

std::shared_ptr<const DispatchRanges> DispatchRanges::Read(absl::Span<const uint32_t> code,
                                                           const char* entry,
                                                           const VkSpecializationInfo* constants,
                                                           SpirvStage stage) {
  if (code.empty() || entry == nullptr) return nullptr;
  const auto specialized = SpecializationOf(constants);
  if (!specialized) return nullptr;
  for (SpirvKernel& kernel : AnalyseSpirv(code, *specialized)) {
    if (kernel.stage != stage || kernel.name != entry || kernel.local_size[0] == 0 ||
        kernel.local_size[1] == 0 || kernel.local_size[2] == 0)
      continue;
    auto ranges = std::make_shared<DispatchRanges>();
    std::vector<const ParameterSummary*> known, at_addresses;
    for (const SpirvBuffer& buffer : kernel.buffers) {
      if (!buffer.summary.known || buffer.array) continue;
      if (buffer.by_address) {
        ranges->addresses_.push_back({buffer.address_offset, NamesSymbol(buffer.summary, kGlobalId),
                                      NamesSymbol(buffer.summary, kGlobalId + 1)});
        at_addresses.push_back(&buffer.summary);
      } else if (stage == SpirvStage::kCompute) {
        ranges->bindings_.push_back({buffer.set, buffer.binding});
        known.push_back(&buffer.summary);
      }
    }
    known.insert(known.end(), at_addresses.begin(), at_addresses.end());
    if (known.empty()) return nullptr;
    ranges->program_ = LaunchProgram(known);
    std::copy(kernel.local_size, kernel.local_size + 3, ranges->local_size_);
    ranges->numbers_ = std::move(kernel.numbers);
    for (uint32_t i = 0; i < ranges->numbers_.size(); ++i) {
      if (ranges->numbers_[i].kind == SpirvNumber::Kind::kPushConstant &&
          ranges->pushed_.size() < PushedNumbers::kMost)
        ranges->pushed_.push_back(i);
    }
    return ranges;
  }
  return nullptr;
}

std::shared_ptr<const DispatchRanges> DispatchRanges::Read(absl::Span<const uint32_t> code,
                                                           const char* entry,
                                                           const VkSpecializationInfo* constants) {
  return Read(code, entry, constants, SpirvStage::kCompute);
}

std::shared_ptr<const DispatchRanges> DispatchRanges::ReadDraws(
    absl::Span<const uint32_t> code, const char* entry, const VkSpecializationInfo* constants,
    SpirvStage stage) {
  return Read(code, entry, constants, stage);
}

std::vector<LaunchUses> DispatchRanges::UsesOfDraw(const LaunchShape& shape,
                                                   const PushedNumbers& pushed) const {
  Numbers numbers(numbers_.size());
  for (size_t i = 0; i < pushed_.size(); ++i)
    numbers[pushed_[i]] = {pushed.values[i], pushed.bytes[i]};
  std::vector<LaunchUses> uses(bindings_.size() + addresses_.size());
  program_.Evaluate(shape, numbers, absl::MakeSpan(uses));
  return uses;
}

PushedNumbers DispatchRanges::Pushed(const PushConstants& constants) const {
  PushedNumbers pushed;
  for (size_t i = 0; i < pushed_.size(); ++i) {
    const SpirvNumber& number = numbers_[pushed_[i]];
    if (number.bytes <= sizeof(pushed.values[i]) &&
        constants.Read(number.offset, number.bytes, &pushed.values[i]))
      pushed.bytes[i] = static_cast<uint8_t>(number.bytes);
  }
  return pushed;
}

std::string GroupsText(const DispatchInputs& inputs) {
  const auto text = [](const Groups& groups) {
    return absl::StrCat(groups.x, " x ", groups.y, " x ", groups.z);
  };
  return inputs.base == Groups{}
             ? text(inputs.groups)
             : absl::StrCat(text(inputs.groups), " (from ", text(inputs.base), " on)");
}

DispatchRanges::Uses DispatchRanges::UsesOf(const DispatchInputs& inputs,
                                            const BytesOfBinding& bytes) const {
  const Groups& groups = inputs.groups;
  Numbers numbers;
  for (const SpirvNumber& number : numbers_) {
    if (number.kind == SpirvNumber::Kind::kPushConstant) {
      numbers.emplace_back();
      continue;
    }
    const uint64_t covered = bytes(number.set, number.binding);
    const bool known = covered >= number.offset && covered != 0;
    numbers.push_back({known ? (covered - number.offset) / number.bytes : 0,
                       static_cast<uint8_t>(known ? 8 : 0)});
  }
  for (size_t i = 0; i < pushed_.size(); ++i)
    numbers[pushed_[i]] = {inputs.pushed.values[i], inputs.pushed.bytes[i]};
  uint64_t mixed = groups.x ^ uint64_t { groups.y } << 21 ^ uint64_t { groups.z } << 42;
  mixed = mixed * 31 + (inputs.base.x ^ uint64_t{inputs.base.y} << 21);
  for (const LaunchInteger& number : numbers) mixed = mixed * 31 + number.value;
  const size_t place = (mixed * 0x9e3779b97f4a7c15u) >> 61;
  static_assert(kKept == 8);
  {
    std::lock_guard lock(lock_);
    if (!kept_.empty() && kept_[place].uses != nullptr && kept_[place].groups == groups &&
        kept_[place].base == inputs.base && kept_[place].numbers == numbers)
      return kept_[place].uses;
  }
  LaunchShape shape;
  const uint32_t counts[] = {groups.x, groups.y, groups.z};
  const uint32_t bases[] = {inputs.base.x, inputs.base.y, inputs.base.z};
  for (int d = 0; d < 3; ++d) {
    shape.local_size[d] = local_size_[d];
    shape.global_size[d] = uint64_t{local_size_[d]} * counts[d];
    shape.global_offset[d] = uint64_t{local_size_[d]} * bases[d];
  }
  auto uses = std::make_shared<std::vector<LaunchUses>>(bindings_.size() + addresses_.size());
  program_.Evaluate(shape, numbers, absl::MakeSpan(*uses), FirstGroup::kByOffset);
  std::lock_guard lock(lock_);
  kept_.resize(kKept);
  kept_[place] = {groups, inputs.base, std::move(numbers), uses};
  return uses;
}

const LaunchUses* DispatchRanges::Find(const Uses& uses, uint32_t set, uint32_t binding) const {
  for (size_t i = 0; i < bindings_.size() && i < uses->size(); ++i) {
    if (bindings_[i].set == set && bindings_[i].binding == binding) return &(*uses)[i];
  }
  return nullptr;
}

std::optional<SureBytes> FindPastTheEnd(const LaunchUse& use, uint64_t bytes) {
  if (!use.sure || bytes > INT64_MAX) return std::nullopt;
  const auto end = static_cast<int64_t>(bytes);
  if (use.has_core() && use.core_last > end) return SureBytes{use.core_first, use.core_last, false};
  if (use.has_ends() && use.end_last > end) return SureBytes{use.end_first, use.end_last, true};
  return std::nullopt;
}

KnownBytes Narrow(const LaunchUses& uses, bool write, Region* region) {
  const LaunchUse& use = write ? uses.writes : uses.reads;
  // The combined effect of atomic and other accesses is unknown.
  if (uses.atomics.possible) return KnownBytes::kNothing;
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
