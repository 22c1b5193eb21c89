// Layouts and owners of an image's subresources (mip level x array layer).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tracker/model/ids.h"

namespace gpusan {

struct CallInfo;

// As the API numbers layouts; the caller says which number means "undefined".
using Layout = uint32_t;
inline constexpr Layout kNoLayout = ~Layout{0};  // not known or not asked for: matches everything

struct SubresourceRange {
  uint32_t first_mip = 0, mips = 1;
  uint32_t first_layer = 0, layers = 1;
};

// One layout a subresource; one for all of them while they agree. Ranges are clipped to the image.
// Not thread-safe.
class LayoutMap {
 public:
  // A layout with the command that brought it; nullptr: it was created so, or nobody saw.
  struct State {
    Layout layout = kNoLayout;
    SiteId site = kUnknownSite;
    const CallInfo* call = nullptr;
    friend bool operator==(const State&, const State&) = default;
  };

  LayoutMap() = default;
  LayoutMap(uint32_t mips, uint32_t layers, Layout initial)
      : mips_(mips), layers_(layers), common_{initial} {}
  // As one that was made so.
  void Reset(uint32_t mips, uint32_t layers, Layout initial) {
    mips_ = mips;
    layers_ = layers;
    common_.layout = initial;
    common_.site = kUnknownSite;
    common_.call = nullptr;
    Free();
  }
  // Gives memory back; to be Reset() before it is used again.
  void Free() {
    if (each_ != nullptr) [[unlikely]]
      each_.reset();
  }

  uint32_t mips() const { return mips_; }
  uint32_t layers() const { return layers_; }
  Layout At(uint32_t mip, uint32_t layer) const { return StateAt(mip, layer).layout; }
  const State& StateAt(uint32_t mip, uint32_t layer) const {
    return each_ == nullptr ? common_ : each_[size_t{layer} * mips_ + mip];
  }
  struct Mismatch {
    uint32_t mip = 0, layer = 0;  // the first subresource that differs
    Layout expected = kNoLayout;
    State actual;
  };
  // The subresources are said to be in this layout. One that nobody knows matches all.
  std::optional<Mismatch> Check(const SubresourceRange& range, Layout expected) const;
  void Set(const SubresourceRange& range, Layout layout, const CallInfo* call = nullptr,
           SiteId site = kUnknownSite);
  SubresourceRange Clip(SubresourceRange range) const;

 private:
  uint32_t mips_ = 1, layers_ = 1;
  State common_;
  std::unique_ptr<State[]> each_;  // nullptr while all agree
};

// Which queue family owns an exclusive resource. A transfer is a release there and an acquire here.
// Not thread-safe.
class Ownership {
 public:
  static constexpr uint32_t kNobody = ~uint32_t{0};
  enum class Misuse : uint8_t {
    kNone,
    kNotOwner,           // used by a family that does not own it
    kNotReleased,        // acquired, but the owner has not released it
    kDifferentTransfer,  // acquire and release name different families
    kReleasedByNonOwner,
  };
  // The first use makes the family the owner; `discards`: content is not needed, so no transfer is.
  Misuse Use(uint32_t family, bool discards = false);
  Misuse Release(uint32_t from, uint32_t to);
  Misuse Acquire(uint32_t from, uint32_t to);
  uint32_t owner() const { return owner_; }
  // A transfer is under way.
  bool released() const { return released_to_ != kNobody; }

 private:
  uint32_t owner_ = kNobody;
  uint32_t released_from_ = kNobody, released_to_ = kNobody;
};

}  // namespace gpusan
