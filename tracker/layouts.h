// Layouts and owners of an image's subresources (mip level x array layer): as they are, and as
// commands that were recorded but not yet submitted expect and leave them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tracker/ids.h"

namespace gpusan {

struct CallInfo;

// As the API numbers layouts; the caller says which number means "undefined".
using Layout = uint32_t;
inline constexpr Layout kNoLayout = ~Layout{0};  // not known or not asked for: matches everything

struct SubresourceRange {
  uint32_t first_mip = 0, mips = 1;
  uint32_t first_layer = 0, layers = 1;
};

struct LayoutMismatch {
  uint32_t mip = 0, layer = 0;  // the first subresource that differs
  Layout expected = kNoLayout;
  Layout actual = kNoLayout;
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

  uint32_t mips() const { return mips_; }
  uint32_t layers() const { return layers_; }
  Layout At(uint32_t mip, uint32_t layer) const { return StateAt(mip, layer).layout; }
  const State& StateAt(uint32_t mip, uint32_t layer) const {
    return each_.empty() ? common_ : each_[size_t{layer} * mips_ + mip];
  }
  // nullptr: they do not all agree.
  const State* Common() const { return each_.empty() ? &common_ : nullptr; }
  void Set(const SubresourceRange& range, Layout layout, const CallInfo* call = nullptr,
           SiteId site = kUnknownSite);
  SubresourceRange Clip(SubresourceRange range) const;

 private:
  uint32_t mips_ = 1, layers_ = 1;
  State common_;
  std::vector<State> each_;  // empty while all agree
};

// What one command buffer does to one image: the layouts it needs first, and those it leaves. Not
// thread-safe.
class RecordedLayouts {
 public:
  RecordedLayouts(uint32_t mips, uint32_t layers, Layout undefined)
      : undefined_(undefined), first_(mips, layers, kNoLayout), current_(mips, layers, kNoLayout) {}

  // A command needs the subresources in this layout. A mismatch with what was recorded before is
  // answered at once.
  std::optional<LayoutMismatch> Need(const SubresourceRange& range, Layout layout);
  // A barrier from one layout to another; from "undefined" any content may be dropped and anything
  // matches.
  std::optional<LayoutMismatch> Change(const SubresourceRange& range, Layout from, Layout to);

  // The command buffer is submitted: compares its first needs with the image's state and leaves its
  // last.
  std::optional<LayoutMismatch> Submit(LayoutMap* image) const;

 private:
  Layout undefined_;
  LayoutMap first_, current_;
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
