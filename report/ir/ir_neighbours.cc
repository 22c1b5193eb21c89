// Accesses of a kernel to bytes side by side.
#include "report/ir/ir_neighbours.h"

#include <algorithm>

namespace gpusan {
namespace {

int64_t ConstantPart(const SummaryFormula& formula) {
  for (const SummaryTerm& term : formula) {
    if (term.symbols[0] == kNoSymbol) return term.factor;
  }
  return 0;
}

// Whether two formulas differ by a constant only.
bool SameButConstant(const SummaryFormula& a, const SummaryFormula& b) {
  const auto contained = [](const SummaryFormula& in, const SummaryFormula& of) {
    return std::all_of(of.begin(), of.end(), [&](const SummaryTerm& term) {
      return term.symbols[0] == kNoSymbol || std::find(in.begin(), in.end(), term) != in.end();
    });
  };
  return contained(a, b) && contained(b, a);
}

}  // namespace

bool SameGuards(const SummaryAccess& a, const SummaryAccess& b) {
  return a.guarded == b.guarded && a.parts == b.parts &&
         std::equal(a.guards.begin(), a.guards.end(), b.guards.begin(), b.guards.end(),
                    [](const SummaryGuard& one, const SummaryGuard& other) {
                      return one.kind == other.kind && one.value == other.value;
                    });
}

void JoinNeighbours(std::vector<SummaryAccess>* accesses) {
  constexpr uint64_t kMostBytes = 1 << 30;
  constexpr size_t kMostFits = 64;
  std::stable_sort(accesses->begin(), accesses->end(),
                   [](const SummaryAccess& a, const SummaryAccess& b) {
                     return ConstantPart(a.offset) < ConstantPart(b.offset);
                   });
  for (size_t i = 0; i < accesses->size(); ++i) {
    for (size_t j = i + 1; j < accesses->size();) {
      SummaryAccess& first = (*accesses)[i];
      const SummaryAccess& second = (*accesses)[j];
      const uint64_t distance = static_cast<uint64_t>(ConstantPart(second.offset)) -
                                static_cast<uint64_t>(ConstantPart(first.offset));
      if (first.kind != second.kind || !first.ranged || !second.ranged || distance > first.bytes ||
          distance + second.bytes > kMostBytes ||
          first.fits.size() + second.fits.size() > kMostFits ||
          first.offset_fits.size() + second.offset_fits.size() > kMostFits ||
          !SameGuards(first, second) || !SameButConstant(first.offset, second.offset)) {
        ++j;
        continue;
      }
      first.bytes = static_cast<uint32_t>(std::max<uint64_t>(first.bytes, distance + second.bytes));
      first.fits.insert(first.fits.end(), second.fits.begin(), second.fits.end());
      first.offset_fits.insert(first.offset_fits.end(), second.offset_fits.begin(),
                               second.offset_fits.end());
      accesses->erase(accesses->begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

}  // namespace gpusan
