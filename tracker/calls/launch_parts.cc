// Quotients, remainders and exclusive ors of the identifiers of work items.
#include <algorithm>

#include "tracker/calls/launch_box.h"

namespace gpusan {
namespace {

using Kind = SummaryPart::Kind;

bool IsNumber(const LinearValue& linear) {
  return linear.known && !linear.products &&
         std::all_of(std::begin(linear.factors), std::end(linear.factors),
                     [](Wide factor) { return factor == 0; });
}

// The least and the greatest value of x ^ by for all x in `of`, none of them negative.
Interval XorOf(const Interval& of, Wide by) {
  Wide least = of.low, greatest = of.high;
  for (Wide bit = kMostItems; bit != 0; bit >>= 1) {
    // The bit is the same on both sides if a higher x has it as well.
    if ((by & bit) != 0 && (least & bit) == 0) {
      const Wide higher = (least | bit) & -bit;
      if (higher <= of.high) least = higher;
    }
    if ((by & greatest & bit) != 0) {
      const Wide lower = (greatest - bit) | (bit - 1);
      if (lower >= of.low) greatest = lower;
    }
  }
  return {least ^ by, greatest ^ by};
}

}  // namespace

void LaunchBox::BoundDerivedPart(int loop) {
  const SummaryPart& part = *parts_[loop];
  Derived& derived = derived_[loop];
  derived = {};
  bounded_[loop] = false;
  symbols_[kIterations + loop] = {0, 0};
  const LinearValue of = Read(part.of), by = Read(part.by);
  if (!of.known || !IsNumber(by)) return;
  derived.of = Range(of);
  derived.by = by.constant;
  const auto [low, high] = derived.of;
  const bool divides = part.kind != Kind::kXor;
  if (low < 0 || high >= kMostItems || derived.by < (divides ? 1 : 0) || derived.by >= kMostItems)
    return;
  bounded_[loop] = true;
  int count = 0;
  bool source_dense = !of.products && !of.entangled;
  for (int symbol = kGlobalId; symbol < kAllSymbols; ++symbol) {
    const Wide factor = of.factors[symbol];
    if (factor == 0 || Single(symbol)) continue;
    ++count;
    derived.source = symbol;
    source_dense &= factor == 1 || factor == -1;
    if (const int source = SourcePartOf(loop); source >= 0) source_dense &= derived_[source].dense;
  }
  if (count > 1) {
    source_dense = false;
    derived.source = 0;
  }
  const Wide first = divides ? low / derived.by : 0, last = divides ? high / derived.by : 0;
  derived.ends = source_dense;
  Interval& values = symbols_[kIterations + loop];
  switch (part.kind) {
    case Kind::kBits:
      break;
    case Kind::kQuotient:
      values = {first, last};
      derived.dense = source_dense;
      break;
    case Kind::kRemainder:
      if (first == last) {
        values = {low % derived.by, high % derived.by};
        derived.dense = source_dense;
      } else {
        values = {0, derived.by - 1};
        derived.dense = source_dense && high - low + 1 >= derived.by;
      }
      break;
    case Kind::kXor:
      values = XorOf(derived.of, derived.by);
      derived.dense = source_dense && values.high - values.low == high - low;
      break;
  }
}

void LaunchBox::BoundDerivedParts() {
  for (int loop = 0; loop < kMaxLoops; ++loop) bounded_[loop] &= !IsDerivedPart(loop);
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if (IsDerivedPart(loop)) BoundDerivedPart(loop);
  }
}

uint32_t LaunchBox::PartsIn(const LinearValue& linear) const {
  uint32_t parts = 0;
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    const int symbol = kIterations + loop;
    if (IsDerivedPart(loop) &&
        (restricted_[symbol] || (linear.factors[symbol] != 0 && !Single(symbol))))
      parts |= 1u << loop;
  }
  return parts;
}

bool LaunchBox::NamedByParts(uint16_t loop_symbol) const {
  return std::any_of(std::begin(parts_), std::end(parts_), [&](const SummaryPart* part) {
    return part != nullptr && Names(part->of, loop_symbol);
  });
}

int LaunchBox::SourcePartOf(int loop) const {
  const int source = derived_[loop].source;
  const bool is_part =
      source >= kIterations && source < kStrides && IsDerivedPart(source - kIterations);
  return is_part ? source - kIterations : -1;
}

int LaunchBox::RootOf(int loop) const {
  for (int source = SourcePartOf(loop); source >= 0; source = SourcePartOf(loop)) loop = source;
  return derived_[loop].source;
}

int LaunchBox::PairOf(int loop, Kind kind) const {
  for (int other = 0; other < kMaxLoops; ++other) {
    if (IsDerivedPart(other) && parts_[other]->kind == kind && bounded_[other] &&
        parts_[other]->of == parts_[loop]->of && derived_[other].by == derived_[loop].by)
      return other;
  }
  return -1;
}

uint32_t LaunchBox::DerivedFrom(int symbol, uint32_t parts) const {
  uint32_t found = 0;
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if ((parts >> loop & 1) == 0) continue;
    int part = loop;
    while (derived_[part].source != symbol && SourcePartOf(part) >= 0) part = SourcePartOf(part);
    if (derived_[part].source == symbol) found |= 1u << loop;
  }
  return found;
}

bool LaunchBox::IsCurrent(int loop) const {
  for (int part = loop; part >= 0; part = SourcePartOf(part)) {
    const Interval now = Range(Read(parts_[part]->of));
    if (now.low != derived_[part].of.low || now.high != derived_[part].of.high) return false;
  }
  return true;
}

bool LaunchBox::HaveEnds(uint32_t parts) const {
  const int loop = parts == 0 ? -1 : __builtin_ctz(parts);
  return loop >= 0 && (parts & (parts - 1)) == 0 && bounded_[loop] && derived_[loop].ends &&
         !restricted_[kIterations + loop] && IsCurrent(loop);
}

bool LaunchBox::AreFull(uint32_t parts) const {
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if ((parts >> loop & 1) == 0) continue;
    if (!bounded_[loop] || !derived_[loop].dense || !IsCurrent(loop)) return false;
    const int root = RootOf(loop);
    if (root != 0 && !AreFullFrom(root, DerivedFrom(root, parts))) return false;
  }
  return true;
}

bool LaunchBox::AreFullFrom(int symbol, uint32_t parts) const {
  if ((parts & (parts - 1)) == 0) return true;
  // A remainder and its quotient, or what is derived from them.
  const auto is_full = [&](int loop, uint32_t of_loop) {
    return of_loop == 1u << loop ||
           ((of_loop >> loop & 1) == 0 && AreFullFrom(kIterations + loop, of_loop));
  };
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if (!IsDerivedPart(loop) || !bounded_[loop] || derived_[loop].source != symbol ||
        parts_[loop]->kind != Kind::kRemainder)
      continue;
    const int quotient = PairOf(loop, Kind::kQuotient);
    const Derived& derived = derived_[loop];
    if (quotient < 0 || derived.of.low % derived.by != 0 || (derived.of.high + 1) % derived.by != 0)
      continue;
    const uint32_t low = DerivedFrom(kIterations + loop, parts) | (parts & 1u << loop);
    const uint32_t high = DerivedFrom(kIterations + quotient, parts) | (parts & 1u << quotient);
    if ((low | high) == parts && low != 0 && high != 0)
      return is_full(loop, low) && is_full(quotient, high);
  }
  return false;
}

bool LaunchBox::IsToldApart(int symbol, const LinearValue& linear) const {
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    const int part = kIterations + loop;
    if (!IsDerivedPart(loop) || !bounded_[loop] || derived_[loop].source != symbol ||
        !derived_[loop].dense)
      continue;
    const auto told_apart = [&](int value) {
      return linear.factors[value] != 0 || Single(value) || IsToldApart(value, linear);
    };
    if (parts_[loop]->kind == Kind::kXor && told_apart(part)) return true;
    if (parts_[loop]->kind != Kind::kRemainder || !told_apart(part)) continue;
    const int quotient = PairOf(loop, Kind::kQuotient);
    if (quotient >= 0 && told_apart(kIterations + quotient)) return true;
  }
  return false;
}

}  // namespace gpusan
