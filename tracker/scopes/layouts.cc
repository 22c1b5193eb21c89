// Comparison and update of layouts and owners.
#include "tracker/scopes/layouts.h"

#include <algorithm>

namespace gpusan {
namespace {

template <typename Visitor>
void ForEach(const SubresourceRange& range, Visitor visit) {
  for (uint32_t layer = range.first_layer; layer < range.first_layer + range.layers; ++layer) {
    for (uint32_t mip = range.first_mip; mip < range.first_mip + range.mips; ++mip)
      visit(mip, layer);
  }
}

}  // namespace

SubresourceRange LayoutMap::Clip(SubresourceRange range) const {
  range.first_mip = std::min(range.first_mip, mips_);
  range.first_layer = std::min(range.first_layer, layers_);
  range.mips = std::min(range.mips, mips_ - range.first_mip);
  range.layers = std::min(range.layers, layers_ - range.first_layer);
  return range;
}

void LayoutMap::Set(const SubresourceRange& wanted, Layout layout, const CallInfo* call,
                    SiteId site) {
  const SubresourceRange range = Clip(wanted);
  const State state{layout, site, call};
  if (range.mips == mips_ && range.layers == layers_) {
    common_ = state;
    each_.reset();
    return;
  }
  if (each_ == nullptr) {
    if (common_ == state || range.mips == 0 || range.layers == 0) return;
    const size_t count = size_t{mips_} * layers_;
    each_ = std::make_unique<State[]>(count);
    std::fill_n(each_.get(), count, common_);
  }
  ForEach(range, [&](uint32_t mip, uint32_t layer) { each_[size_t{layer} * mips_ + mip] = state; });
}

std::optional<LayoutMap::Mismatch> LayoutMap::Check(const SubresourceRange& wanted,
                                                    Layout expected) const {
  auto fits = [&](const State& state) {
    return state.layout == expected || state.layout == kNoLayout || expected == kNoLayout;
  };
  const SubresourceRange range = Clip(wanted);
  if (each_ == nullptr) {
    if (fits(common_) || range.mips == 0 || range.layers == 0) [[likely]]
      return std::nullopt;
    return Mismatch{range.first_mip, range.first_layer, expected, common_};
  }
  std::optional<Mismatch> mismatch;
  ForEach(range, [&](uint32_t mip, uint32_t layer) {
    const State& state = StateAt(mip, layer);
    if (!mismatch && !fits(state)) mismatch = Mismatch{mip, layer, expected, state};
  });
  return mismatch;
}

Ownership::Misuse Ownership::Use(uint32_t family, bool discards) {
  const bool others = owner_ != kNobody && owner_ != family && !empty_;
  const bool under_way = released_to_ != kNobody;
  if ((others || under_way) && !discards) return Misuse::kNotOwner;
  owner_ = family;
  released_from_ = released_to_ = kNobody;
  empty_ = false;
  return Misuse::kNone;
}

void Ownership::Discard(uint32_t family) {
  Use(family, true);
  empty_ = true;
}

void Ownership::Forget() {
  *this = Ownership();
  unknown_ = true;
}

Ownership::Misuse Ownership::Release(uint32_t from, uint32_t to) {
  const bool owned = owner_ == kNobody || owner_ == from || empty_;
  owner_ = from;
  released_from_ = from;
  released_to_ = to;
  empty_ = false;
  return owned ? Misuse::kNone : Misuse::kReleasedByNonOwner;
}

Ownership::Misuse Ownership::Acquire(uint32_t from, uint32_t to) {
  Misuse misuse = Misuse::kNone;
  if (released_to_ == kNobody) {
    misuse = owner_ == kNobody && unknown_ ? Misuse::kNone : Misuse::kNotReleased;
  } else if (released_from_ != from || released_to_ != to) {
    misuse = Misuse::kDifferentTransfer;
  }
  owner_ = to;
  released_from_ = released_to_ = kNobody;
  empty_ = false;
  return misuse;
}

}  // namespace gpusan
