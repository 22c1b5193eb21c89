// Layouts and owners: comparing, changing.
#include "tracker/layouts.h"

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
    each_.clear();
    return;
  }
  if (each_.empty()) {
    if (common_ == state || range.mips == 0 || range.layers == 0) return;
    each_.assign(size_t{mips_} * layers_, common_);
  }
  ForEach(range,
          [&](uint32_t mip, uint32_t layer) { each_[size_t{layer} * mips_ + mip] = state; });
}

std::optional<LayoutMismatch> RecordedLayouts::Need(const SubresourceRange& wanted, Layout layout) {
  std::optional<LayoutMismatch> mismatch;
  if (layout == kNoLayout) return mismatch;
  const SubresourceRange range = current_.Clip(wanted);
  ForEach(range, [&](uint32_t mip, uint32_t layer) {
    const Layout current = current_.At(mip, layer);
    if (current == kNoLayout) {
      const SubresourceRange one{mip, 1, layer, 1};
      first_.Set(one, layout);
      current_.Set(one, layout);
    } else if (current != layout && !mismatch) {
      mismatch = LayoutMismatch{mip, layer, layout, current};
    }
  });
  return mismatch;
}

std::optional<LayoutMismatch> RecordedLayouts::Change(const SubresourceRange& range, Layout from,
                                                      Layout to) {
  std::optional<LayoutMismatch> mismatch;
  if (from != undefined_) mismatch = Need(range, from);
  current_.Set(range, to);
  return mismatch;
}

std::optional<LayoutMismatch> RecordedLayouts::Submit(LayoutMap* image) const {
  std::optional<LayoutMismatch> mismatch;
  ForEach(SubresourceRange{0, image->mips(), 0, image->layers()},
          [&](uint32_t mip, uint32_t layer) {
            const Layout first = first_.At(mip, layer);
            const Layout actual = image->At(mip, layer);
            if (first != kNoLayout && actual != kNoLayout && first != actual && !mismatch) {
              mismatch = LayoutMismatch{mip, layer, first, actual};
            }
            const Layout last = current_.At(mip, layer);
            if (last != kNoLayout) image->Set({mip, 1, layer, 1}, last);
          });
  return mismatch;
}

Ownership::Misuse Ownership::Use(uint32_t family, bool discards) {
  const bool others = owner_ != kNobody && owner_ != family;
  const bool under_way = released_to_ != kNobody;
  if ((others || under_way) && !discards) return Misuse::kNotOwner;
  owner_ = family;
  released_from_ = released_to_ = kNobody;
  return Misuse::kNone;
}

Ownership::Misuse Ownership::Release(uint32_t from, uint32_t to) {
  if (owner_ != kNobody && owner_ != from) return Misuse::kReleasedByNonOwner;
  owner_ = from;
  released_from_ = from;
  released_to_ = to;
  return Misuse::kNone;
}

Ownership::Misuse Ownership::Acquire(uint32_t from, uint32_t to) {
  Misuse misuse = Misuse::kNone;
  if (released_to_ == kNobody) {
    // Never used by anybody that is known: nothing is claimed.
    misuse = owner_ == kNobody ? Misuse::kNone : Misuse::kNotReleased;
  } else if (released_from_ != from || released_to_ != to) {
    misuse = Misuse::kDifferentTransfer;
  }
  owner_ = to;
  released_from_ = released_to_ = kNobody;
  return misuse;
}

}  // namespace gpusan
