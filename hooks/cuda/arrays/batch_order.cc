// The copies of one batch, which have no order.
#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "hooks/cuda/arrays/shaped_copies.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

struct Use {
  const Side* side;
  const CopyState* copy;
  size_t index;  // of the copy
  bool write;
  const Resource* resource() const { return side->resource; }
  const Region& region() const { return side->region; }
};

bool SameSide(const Side& a, const Side& b) {
  return a.resource == b.resource && a.pointer == b.pointer && a.region == b.region;
}

bool Depend(const Use& a, const Use& b) {
  if (a.copy == b.copy || a.resource() != b.resource() || !(a.write || b.write) ||
      !Overlaps(a.region(), b.region()))
    return false;
  const Transfer& one = a.copy->transfer;
  const Transfer& other = b.copy->transfer;
  return !SameSide(one.source, other.source) || !SameSide(one.destination, other.destination);
}

Access AccessOf(CuCall& call, const Use& use) {
  Access access;
  access.call = &call.info();
  access.site = call.site();
  access.write = use.write;
  access.read = !use.write;
  access.region = use.region();
  return access;
}

void Report(CuCall& call, const Use& a, const Use& b) {
  const bool a_first = a.index < b.index;
  const Access earlier = AccessOf(call, a_first ? a : b);
  const Access later = AccessOf(call, a_first ? b : a);
  Conflict conflict{a.resource(), &earlier, &later};
  conflict.within_call = true;
  rules::OnConflict(conflict, call);
}

}  // namespace

void CheckOrderOfBatch(CuCall& call, const std::deque<CopyState>& copies) {
  if (copies.size() < 2) return;
  std::vector<Use> uses;
  uses.reserve(2 * copies.size());
  for (size_t i = 0; i < copies.size(); ++i) {
    const CopyState& copy = copies[i];
    if (!copy.usable) continue;
    for (const bool write : {false, true}) {
      const Side& side = write ? copy.transfer.destination : copy.transfer.source;
      if (side.resource != nullptr && !side.region.empty())
        uses.push_back({&side, &copy, i, write});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return a.resource() != b.resource() ? std::less<>()(a.resource(), b.resource())
                                        : a.region().offset < b.region().offset;
  });
  // Of the uses before the current one: the write and the use that reach farthest.
  const Use* write = nullptr;
  const Use* any = nullptr;
  for (const Use& use : uses) {
    if (any != nullptr && any->resource() != use.resource()) write = any = nullptr;
    for (const Use* before : {write, any}) {
      if (before != nullptr && Depend(*before, use)) return Report(call, *before, use);
    }
    if (any == nullptr || use.region().end() > any->region().end()) any = &use;
    if (use.write && (write == nullptr || use.region().end() > write->region().end())) write = &use;
  }
}

}  // namespace gpusan::cuda
