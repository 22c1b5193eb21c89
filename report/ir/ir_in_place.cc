// Finds loads of bytes that the same work item stores later.
#include "report/ir/ir_in_place.h"

#include <algorithm>
#include <utility>

namespace gpusan {
namespace {

constexpr size_t kMostAccesses = 64;  // through one parameter; of more, nothing is known

bool IsStore(const InPlaceAccess& one) { return one.access.kind == SummaryAccess::Kind::kWrite; }

// Two equal formulas, and two uses of one value, are the same address in the same iteration of each
// loop around both.
bool SameBytes(const InPlaceAccess& a, const InPlaceAccess& b) {
  if (a.bytes == 0 || a.bytes != b.bytes) return false;
  if (!a.pointer.empty() && a.pointer == b.pointer) return true;
  return a.access.ranged && b.access.ranged && a.access.parts == b.access.parts &&
         a.access.offset == b.access.offset;
}

}  // namespace

void InPlaceUpdates::AddTo(const IrFormulas& formulas,
                           std::map<size_t, std::vector<SummaryAccess>>* updates) const {
  for (const auto& [parameter, accesses] : accesses_) {
    if (accesses.size() > kMostAccesses) continue;
    std::vector<bool> in_place(accesses.size());
    bool all = true;
    for (size_t store = 0; store < accesses.size(); ++store) {
      if (!IsStore(accesses[store])) continue;
      for (size_t load = 0; load < accesses.size(); ++load) {
        const uint32_t from = accesses[load].block, to = accesses[store].block;
        if (IsStore(accesses[load]) || !SameBytes(accesses[load], accesses[store]) ||
            !(from == to ? load < store : formulas.Dominates(from, to)))
          continue;
        in_place[load] = in_place[store] = true;
      }
      all = all && in_place[store];
    }
    for (size_t i = 0; all && i < accesses.size(); ++i) {
      if (in_place[i]) (*updates)[parameter].push_back(accesses[i].access);
    }
  }
}

}  // namespace gpusan
