// Puts the accesses of a kernel together to its summary.
#include "hooks/cuda/analysis/access_collector.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxAccesses = 1024;

// Whether one of the accesses implies that a thread surely makes this one.
bool IsKnown(const KernelMemoryAccess& access, const std::vector<KernelMemoryAccess>& accesses) {
  return std::any_of(accesses.begin(), accesses.end(), [&access](const KernelMemoryAccess& one) {
    const bool same = one.address == access.address && one.width == access.width;
    return one.guards_complete && one.loops.empty() && one.kind == access.kind &&
           one.view == access.view && one.strong == access.strong &&
           one.address.Bases() == access.address.Bases() && (same || access.address.inexact) &&
           std::all_of(one.guards.begin(), one.guards.end(), [&access](const AccessGuard& guard) {
             return std::find(access.guards.begin(), access.guards.end(), guard) !=
                    access.guards.end();
           });
  });
}

// Also behind loops: they end.
bool ByEveryThread(const KernelMemoryAccess& access) {
  return access.always || (access.guards_complete && access.guards.empty() && access.loops.empty());
}

}  // namespace

void AccessCollector::Add(KernelMemoryAccess access) {
  const uint8_t kind = access.kind;
  const Sources bases = access.address.Bases();
  // Any memory may be behind a texture or surface object.
  if (access.view != ViewKind::kNone) out_.unknown |= kind;
  if (bases.Empty() || (bases.flags & Sources::kMemory) != 0) out_.unknown |= kind;
  if ((bases.flags & Sources::kGlobals) != 0) out_.globals |= kind;
  if (bases.flags == Sources::kGlobals && bases.slots.empty() && ByEveryThread(access) &&
      !access.strong && kind != kAtomics && bases.module_word != Sources::kAnyWord)
    variables_[bases.module_word] |= kind;
  if ((bases.flags & Sources::kParameters) != 0) {
    for (unsigned at = 0; at + 8 <= parameter_bytes_; at += 8)
      pointers_[static_cast<uint16_t>(at)] |= kind;
  }
  for (const uint16_t slot : bases.slots) pointers_[slot] |= kind;
  // Variables of the module, and the memory of the driver.
  if (!bases.Empty() && bases.slots.empty() &&
      (bases.flags & (Sources::kParameters | Sources::kMemory)) == 0)
    return;
  if (out_.accesses.size() >= kMaxAccesses) {
    out_.accesses_complete = false;
    return;
  }
  out_.accesses.push_back(std::move(access));
}

void AccessCollector::AddSure(const std::optional<AccessGuard>& waits_only_if, const FindSure& find,
                              const std::function<KernelMemoryAccess(uint32_t)>& describe) {
  const std::vector<KernelMemoryAccess>& known = out_.accesses;
  const auto is_open = [](const KernelMemoryAccess& one) {
    return !one.guards_complete || one.address.inexact;
  };
  std::vector<AccessGuard> facts;
  if (out_.may_wait) {
    if (!waits_only_if) return;
    facts.push_back(waits_only_if->Opposite());
  } else if (std::none_of(known.begin(), known.end(), is_open)) {
    return;
  }
  const auto is_sure = [this](const KernelMemoryAccess& one) {
    return one.guards_complete && (!out_.may_wait || one.without_waiting);
  };
  const auto add = [&](PathsOf whose, const auto& is_wanted) {
    std::vector<KernelMemoryAccess> wanted;
    for (SureAccess& sure : find(whose, facts)) {
      KernelMemoryAccess one = describe(sure.instruction);
      one.address = std::move(sure.address);
      one.guards = std::move(sure.guards);
      one.guards.insert(one.guards.end(), facts.begin(), facts.end());
      one.guards_complete = one.without_waiting = true;
      if (is_wanted(one)) wanted.push_back(std::move(one));
    }
    for (KernelMemoryAccess& one : wanted) Add(std::move(one));
  };
  add(PathsOf::kAnyThread,
      [&](const KernelMemoryAccess& one) { return out_.may_wait || !IsKnown(one, known); });
  // Nothing of this sort is sure, or at no bytes that are known.
  const auto is_missing = [&](const KernelMemoryAccess& one) {
    return !one.address.Bases().slots.empty() &&
           std::none_of(known.begin(), known.end(), [&](const KernelMemoryAccess& other) {
             return is_sure(other) && other.kind == one.kind && other.view == one.view &&
                    other.address.Bases() == one.address.Bases() &&
                    (one.address.inexact || !other.address.inexact);
           });
  };
  const auto is_unknown = [&](const KernelMemoryAccess& one, bool changes) {
    KernelMemoryAccess exact = one;
    exact.address.inexact = false;
    return (one.kind != kReads) == changes && is_missing(exact);
  };
  for (const bool changes : {true, false}) {
    if (std::any_of(known.begin(), known.end(),
                    [&](const KernelMemoryAccess& one) { return is_unknown(one, changes); }))
      add(changes ? PathsOf::kWritesOfFirstThread : PathsOf::kFirstThread, is_missing);
  }
}

void AccessCollector::FinishPointers() {
  for (const auto& [offset, kinds] : pointers_) out_.pointers.push_back({offset, kinds});
}

}  // namespace gpusan::cuda
