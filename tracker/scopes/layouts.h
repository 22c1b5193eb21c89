// Layouts and owners of an image's subresources (mip level x array layer).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tracker/model/ids.h"

namespace gpusan {

struct CallInfo;

// A layout in the API's numbers. The caller decides which number means "undefined".
using Layout = uint32_t;
inline constexpr Layout kNoLayout = ~Layout{0};  // unknown or not specified: matches every layout

struct SubresourceRange {
  uint32_t first_mip = 0, mips = 1;
  uint32_t first_layer = 0, layers = 1;
};

// The layout of each subresource. Stores a single layout while all subresources have the same one.
// Clips ranges to the image. Not thread-safe.
class LayoutMap {
 public:
  // A layout and the call that set it. nullptr: the initial layout, or the call was not
  // intercepted.
  struct State {
    Layout layout = kNoLayout;
    SiteId site = kUnknownSite;
    const CallInfo* call = nullptr;
    friend bool operator==(const State&, const State&) = default;
  };

  LayoutMap() = default;
  LayoutMap(uint32_t mips, uint32_t layers, Layout initial)
      : mips_(mips), layers_(layers), common_{initial} {}
  // Sets the state that the constructor with these arguments creates.
  void Reset(uint32_t mips, uint32_t layers, Layout initial) {
    mips_ = mips;
    layers_ = layers;
    common_.layout = initial;
    common_.site = kUnknownSite;
    common_.call = nullptr;
    Free();
  }
  // Frees memory. Call Reset() before the next use.
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
  // Compares the layouts of the subresources with `expected`. An unknown layout matches every
  // layout. Returns the first mismatch.
  std::optional<Mismatch> Check(const SubresourceRange& range, Layout expected) const;
  void Set(const SubresourceRange& range, Layout layout, const CallInfo* call = nullptr,
           SiteId site = kUnknownSite);
  SubresourceRange Clip(SubresourceRange range) const;

 private:
  uint32_t mips_ = 1, layers_ = 1;
  State common_;
  std::unique_ptr<State[]> each_;  // nullptr while all agree
};

// The queue family that owns an exclusive resource. A transfer of ownership is a release on the
// source queue family and an acquire on the destination queue family. Not thread-safe.
class Ownership {
 public:
  static constexpr uint32_t kNobody = ~uint32_t{0};
  enum class Misuse : uint8_t {
    kNone,
    kNotOwner,           // a family used the resource without owning it
    kNotReleased,        // a family acquired the resource before a family released it
    kDifferentTransfer,  // acquire and release name different families
    kReleasedByNonOwner,
  };
  // Checks a use by `family`. The first use makes the family the owner. With `discards` the use
  // needs no content and thus no transfer: the family becomes the owner.
  Misuse Use(uint32_t family, bool discards = false);
  // Makes the family the owner of a resource that it leaves without content. Until the owner uses
  // the resource, another family may use or release it without a transfer.
  void Discard(uint32_t family);
  // Forgets the owner. Earlier uses and transfers count as unknown.
  void Forget();
  // Begins a transfer, also if `from` does not own the resource: the acquire completes it.
  Misuse Release(uint32_t from, uint32_t to);
  Misuse Acquire(uint32_t from, uint32_t to);
  uint32_t owner() const { return owner_; }
  // True between the release and the acquire of a transfer.
  bool released() const { return released_to_ != kNobody; }
  // The family that may acquire; kNobody: no transfer is under way.
  uint32_t released_to() const { return released_to_; }

 private:
  uint32_t owner_ = kNobody;
  uint32_t released_from_ = kNobody, released_to_ = kNobody;
  bool empty_ = false;    // the owner has no content to lose
  bool unknown_ = false;  // earlier uses and transfers are unknown
};

}  // namespace gpusan
