// The work items of a launch as intervals, and the values that formulas of kernel summaries have in
// them.
#include "tracker/calls/launch_box.h"

namespace gpusan {
namespace {

Wide FloorDivide(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

}  // namespace

bool LaunchBox::BoundLoop(int loop, const SummaryGuard& condition) {
  const int iteration = kIterations + loop;
  end_ = kAllSymbols;
  symbols_[iteration] = {0, kMostItems};
  bounding_ = loop;
  LinearValue linear = Read(condition.value);
  bounding_ = -1;
  const Wide step = linear.factors[iteration];
  if (condition.kind != SummaryGuard::Kind::kNegative || !linear.known || step <= 0) {
    rough_loops_ = true;
    return true;
  }
  linear.factors[iteration] = 0;
  const Interval others = Range(linear);  // of the value in the first iteration
  int only = 0, count = 0;
  for (int symbol = kGlobalId; symbol < end_; ++symbol) {
    if (linear.factors[symbol] == 0 || Single(symbol)) continue;
    only = symbol;
    ++count;
  }
  // A loop that the least value does not enter is entered by none.
  const bool runs = others.low < 0;
  bounded_[loop] = true;
  symbols_[iteration] = {0, runs ? FloorDivide(-others.low - 1, step) : 0};
  if (!runs) return false;
  if (linear.products || linear.entangled || count > 1 ||
      (count == 1 &&
       (only >= kItemSymbols || linear.factors[only] < 0 || step % linear.factors[only] != 0))) {
    rough_loops_ = true;
  } else if (count == 1) {
    const Wide factor = linear.factors[only];
    const Interval& items = symbols_[only];
    strides_[loop] = {only, factor, step};
    // The values are factor * n for all n from the first identifier on, each of them once, if the
    // step is as long as the launch.
    symbols_[kStrides + loop] = {items.low,
                                 FloorDivide(factor * items.low - others.low - 1, factor)};
    if (step != factor * (items.high - items.low + 1)) rough_loops_ = true;
  }
  return true;
}

void LaunchBox::BoundPart(int loop, const SummaryPart& part) {
  end_ = kAllSymbols;
  parts_[loop] = &part;
  if (part.kind != SummaryPart::Kind::kBits) return BoundDerivedPart(loop);
  const uint64_t size = shape_.local_size[part.dimension];
  const bool all = part.bits == SummaryPart::kAllBits;
  const uint64_t unit = uint64_t{1} << (part.shift + (all ? 0 : part.bits));
  symbols_[kIterations + loop] = {0, 0};
  if (size == 0 || !uniform_ || size % unit != 0) {
    rough_loops_ = true;
    return;
  }
  bounded_[loop] = true;
  const uint64_t count = all ? size >> part.shift : uint64_t{1} << part.bits;
  symbols_[kIterations + loop].high = static_cast<Wide>(count) - 1;
}

bool LaunchBox::NamesAllParts(const LinearValue& linear, int dimension) const {
  const uint64_t size = shape_.local_size[dimension];
  uint64_t missing = size == 0 ? 1 : size - 1;
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if (parts_[loop] == nullptr || IsDerivedPart(loop) || !bounded_[loop]) continue;
    const SummaryPart& part = *parts_[loop];
    if (part.dimension != dimension || linear.factors[kIterations + loop] == 0) continue;
    const bool all = part.bits == SummaryPart::kAllBits;
    const uint64_t bits = all ? UINT64_MAX : (uint64_t{1} << part.bits) - 1;
    missing &= ~(bits << part.shift);
  }
  return missing == 0;
}

LaunchItem LaunchBox::FirstItem() const {
  LaunchItem item;
  for (int d = 0; d < 3; ++d) {
    item.identifiers[kGlobalId + d] = static_cast<Wide>(shape_.global_offset[d]);
    if (groups_known_) item.identifiers[kGroupId + d] = FirstGroupOf(d);
  }
  return item;
}

std::optional<LaunchItem> LaunchBox::LastItem() const {
  LaunchItem item;
  item.in_groups = groups_known_;
  for (int d = 0; d < 3; ++d) {
    Wide& global = item.identifiers[kGlobalId + d];
    global = Of(kGlobalId + d).high;
    const bool by_group = restricted_[kLocalId + d] || restricted_[kGroupId + d];
    if (!groups_known_) {
      if (by_group) return std::nullopt;
      continue;
    }
    const Wide size = shape_.local_size[d], origin = OriginOf(d);
    if (by_group) {
      global = origin + Of(kGroupId + d).high * size + Of(kLocalId + d).high;
      // The last group may be smaller.
      if (global < Of(kGlobalId + d).low || global > Of(kGlobalId + d).high) return std::nullopt;
    }
    item.identifiers[kLocalId + d] = (global - origin) % size;
    item.identifiers[kGroupId + d] = (global - origin) / size;
  }
  return item;
}

std::optional<Wide> LaunchBox::At(const LaunchItem& item, const SummaryFormula& formula,
                                  int end) const {
  Wide sum = 0;
  for (const SummaryTerm& term : formula) {
    Wide product = term.factor;
    for (const uint16_t symbol : term.symbols) {
      if (symbol == kNoSymbol) continue;
      Wide value = 0;
      if (DiffersByItem(symbol)) {
        if (symbol >= kLocalId && !item.in_groups) return std::nullopt;
        value = item.identifiers[symbol];
      } else if (IsLoop(symbol) && parts_[symbol - kLoop] != nullptr) {
        const int loop = symbol - kLoop;
        if (loop >= end) return std::nullopt;
        const std::optional<Wide> part = PartAt(item, loop);
        if (!part) return std::nullopt;
        value = *part;
      } else if (IsLoop(symbol)) {
        value = item.iterations[symbol - kLoop];
      } else if (!Number(symbol, &value)) {
        return std::nullopt;
      }
      if (__builtin_mul_overflow(product, value, &product) || product > kHuge || product < -kHuge)
        return std::nullopt;
    }
    sum += product;
  }
  return sum;
}

std::optional<Wide> LaunchBox::PartAt(const LaunchItem& item, int loop) const {
  const SummaryPart& part = *parts_[loop];
  if (part.kind == SummaryPart::Kind::kBits) {
    if (!item.in_groups) return std::nullopt;
    const Wide shifted = item.identifiers[kLocalId + part.dimension] >> part.shift;
    return part.bits == SummaryPart::kAllBits ? shifted : shifted & ((Wide{1} << part.bits) - 1);
  }
  const std::optional<Wide> of = At(item, part.of, loop), by = At(item, part.by, 0);
  const bool divides = part.kind != SummaryPart::Kind::kXor;
  if (!of || !by || *of < 0 || *by < 0 || (divides && *by == 0)) return std::nullopt;
  return part.kind == SummaryPart::Kind::kQuotient    ? *of / *by
         : part.kind == SummaryPart::Kind::kRemainder ? *of % *by
                                                      : *of ^ *by;
}

bool HoldsFor(const LaunchItem& item, const SummaryGuard& guard, const LaunchBox& box) {
  const std::optional<Wide> value = box.At(item, guard.value);
  if (!value) return false;
  switch (guard.kind) {
    case SummaryGuard::Kind::kNegative:
      return *value < 0;
    case SummaryGuard::Kind::kNotPositive:
      return *value <= 0;
    case SummaryGuard::Kind::kZero:
      return *value == 0;
    case SummaryGuard::Kind::kNotZero:
      return *value != 0;
    case SummaryGuard::Kind::kPositive:
      return *value > 0;
    case SummaryGuard::Kind::kNotNegative:
      return *value >= 0;
  }
  return false;
}

namespace {

bool IsInRange(Wide value, const DerivedNumber& number) {
  // As in Fits.
  const int bits = number.is_signed || number.bits == 64 ? number.bits - 1 : number.bits;
  const Wide end = Wide{1} << bits;
  return value >= (number.is_signed ? -end : 0) && value < end;
}

}  // namespace

LaunchInteger ValueOf(const DerivedNumber& number, const LaunchShape& shape,
                      absl::Span<const LaunchInteger> integers) {
  using Kind = DerivedNumber::Kind;
  const LaunchBox box(shape, integers);
  const auto constant = [&](const SummaryFormula& formula) -> std::optional<Wide> {
    const LinearValue linear = box.Read(formula, false);
    const bool varies =
        std::any_of(std::begin(linear.factors), std::end(linear.factors), [](Wide f) { return f; });
    if (!linear.known || linear.products || varies) return std::nullopt;
    if (number.kind != Kind::kField && !IsInRange(linear.constant, number)) return std::nullopt;
    return linear.constant;
  };
  const std::optional<Wide> left = constant(number.left), right = constant(number.right);
  if (number.kind == Kind::kWhen && left && *left == 0) return {0, 8};
  if (!left || !right) return {};
  Wide value = 0;
  switch (number.kind) {
    case Kind::kQuotient:
    case Kind::kRemainder:
    case Kind::kFloor:
      if (*right == 0 || (number.kind == Kind::kFloor && *right < 0)) return {};
      value = number.kind == Kind::kFloor ? FloorDivide(*left, *right) : *left / *right;
      if (!IsInRange(value, number)) return {};
      if (number.kind == Kind::kRemainder) value = *left % *right;
      break;
    case Kind::kBoth:
      value = *left & *right;
      break;
    case Kind::kEither:
      value = *left ^ *right;
      break;
    case Kind::kMinimum:
      value = std::min(*left, *right);
      break;
    case Kind::kMaximum:
      value = std::max(*left, *right);
      break;
    case Kind::kShifted:
      if (*right < 0 || *right >= number.bits) return {};
      value = *left * (Wide{1} << static_cast<int>(*right));
      break;
    case Kind::kPowerOfTwo:
      if (*left <= 0 || (*left & (*left - 1)) != 0) return {};
      value = *left;
      break;
    case Kind::kBelow:
      value = *left < *right ? 1 : 0;
      break;
    case Kind::kEqual:
      value = *left == *right ? 1 : 0;
      break;
    case Kind::kWhen:
      value = *right;
      break;
    case Kind::kField: {
      if (*right < 0 || *right * 8 + number.bits > 64) return {};
      const int unused = 64 - number.bits;
      const uint64_t field = static_cast<uint64_t>(*left) >> static_cast<int>(*right * 8);
      value = static_cast<int64_t>(field << unused) >> unused;
      break;
    }
  }
  if (!IsInRange(value, number)) return {};
  return {static_cast<uint64_t>(value), 8};
}

bool Fits(const SummaryFit& fit, const LaunchBox& box) {
  const LinearValue linear = box.Read(fit.value);
  if (!linear.known) return false;
  const Interval range = box.Range(linear);
  // 64-bit values above the signed range do not occur in sizes; they are not followed.
  const int bits = fit.is_signed || fit.bits == 64 ? fit.bits - 1 : fit.bits;
  const Wide end = Wide{1} << bits;
  return range.low >= (fit.is_signed ? -end : 0) && range.high < end;
}

namespace {

bool IsEquality(SummaryGuard::Kind kind) {
  return kind == SummaryGuard::Kind::kZero || kind == SummaryGuard::Kind::kNotZero;
}

// Returns the value of the guard. Every kind but the two for equality becomes "value < 0".
LinearValue ReadGuard(const SummaryGuard& guard, const LaunchBox& box, bool split = true) {
  using Kind = SummaryGuard::Kind;
  LinearValue linear = box.Read(guard.value, split);
  if (guard.kind == Kind::kPositive || guard.kind == Kind::kNotNegative) {
    linear.constant = -linear.constant;
    linear.rest = {-linear.rest.high, -linear.rest.low};
    for (Wide& factor : linear.factors) factor = -factor;
  }
  if (guard.kind == Kind::kNotPositive || guard.kind == Kind::kNotNegative) linear.constant -= 1;
  return linear;
}

// Narrows the box to the work items for which factor * symbol + rest < 0.
void NarrowBelow(int symbol, Wide factor, Wide rest, LaunchBox* box) {
  const Interval all = box->Of(symbol);
  const Wide limit = FloorDivide(-rest - 1, factor > 0 ? factor : -factor);
  if (factor > 0) {
    box->Narrow(symbol, {all.low, limit});
  } else {
    box->Narrow(symbol, {-limit, all.high});
  }
}

}  // namespace

bool NarrowWithin(const SummaryGuard& guard, bool to_corner, LaunchBox* box) {
  if (IsEquality(guard.kind)) return false;
  const LinearValue linear = ReadGuard(guard, *box);
  if (!linear.known || linear.products) return false;
  LinearValue others = linear;
  // The least and the greatest sum of the identifiers that were restricted.
  Interval restricted;
  for (;;) {
    // The identifier that changes the value most is restricted first.
    int widest = -1;
    Wide most = 0;
    for (int symbol = kGlobalId; symbol < kItemSymbols; ++symbol) {
      const Wide factor = others.factors[symbol];
      const Interval& of = box->Of(symbol);
      const Wide change = (factor < 0 ? -factor : factor) * (of.high - of.low);
      if (change <= most) continue;
      most = change;
      widest = symbol;
    }
    if (widest < 0) return to_corner && box->Range(others).high + restricted.high < 0;
    const Wide factor = others.factors[widest];
    others.factors[widest] = 0;
    const Interval rest = box->Range(others);
    // For a corner, the remaining identifiers are restricted later.
    NarrowBelow(widest, factor, (to_corner ? rest.low : rest.high) + restricted.high, box);
    if (box->empty()) return false;
    if (!to_corner) return true;
    const Interval part = Product({factor, factor}, box->Of(widest));
    restricted.low += part.low;
    restricted.high += part.high;
  }
}

namespace {

Truth Apply(const SummaryGuard& guard, bool split, LaunchBox* box) {
  using Kind = SummaryGuard::Kind;
  LinearValue linear = ReadGuard(guard, *box, split);
  if (!linear.known) return Truth::kSometimes;
  const bool equality = IsEquality(guard.kind);
  const Interval range = box->Range(linear);
  if (equality) {
    const bool never_zero = range.low > 0 || range.high < 0;
    const bool always_zero = range.low == 0 && range.high == 0;
    if (never_zero) return guard.kind == Kind::kZero ? Truth::kNever : Truth::kAlways;
    if (always_zero) return guard.kind == Kind::kZero ? Truth::kAlways : Truth::kNever;
  } else {
    if (range.high < 0) return Truth::kAlways;
    if (range.low >= 0) return Truth::kNever;
  }
  int only = 0, count = 0;
  for (int symbol = kGlobalId; symbol < box->end(); ++symbol) {
    Wide& factor = linear.factors[symbol];
    if (factor == 0) continue;
    if (box->Single(symbol)) {
      linear.constant += factor * box->Of(symbol).low;
      factor = 0;
      continue;
    }
    only = symbol;
    ++count;
  }
  if (count != 1 || linear.products) return Truth::kSometimes;
  const Wide factor = linear.factors[only];
  const Interval all = box->Of(only);
  if (equality) {
    if (linear.constant % factor != 0)
      return guard.kind == Kind::kZero ? Truth::kNever : Truth::kAlways;
    const Wide root = -linear.constant / factor;
    if (guard.kind == Kind::kZero) {
      box->Narrow(only, {root, root});
    } else if (root == all.low) {
      box->Narrow(only, {root + 1, all.high});
    } else if (root == all.high) {
      box->Narrow(only, {all.low, root - 1});
    } else {
      return Truth::kSometimes;
    }
  } else {
    NarrowBelow(only, factor, linear.constant, box);
  }
  return box->empty() ? Truth::kNever : Truth::kAlways;
}

}  // namespace

Truth Apply(const SummaryGuard& guard, LaunchBox* box) {
  const Truth truth = Apply(guard, true, box);
  // A guard of a group and a local identifier may be one of a global identifier.
  return truth == Truth::kSometimes ? Apply(guard, false, box) : truth;
}

bool Collides(const LinearValue& linear, const LaunchBox& box) {
  for (int d = 0; d < 3; ++d) {
    const auto tells_apart = [&](int symbol) {
      bool apart = linear.factors[symbol + d] != 0 || box.Single(symbol + d);
      if (apart || box.end() == kItemSymbols) return apart;
      for (int loop = 0; loop < kMaxLoops; ++loop) {
        apart |= box.StridesBy(loop) == symbol + d && linear.factors[kStrides + loop] != 0;
      }
      return apart || box.IsToldApart(symbol + d, linear);
    };
    if (tells_apart(kGlobalId)) continue;
    const bool local = tells_apart(kLocalId) || box.NamesAllParts(linear, d);
    if (!local || !tells_apart(kGroupId)) return true;
  }
  return false;
}

}  // namespace gpusan
