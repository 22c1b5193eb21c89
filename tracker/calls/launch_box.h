// The work items of a launch as intervals, and the values that formulas of kernel summaries have in
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "tracker/calls/combined_accesses.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {

// Larger factors, and identifiers of larger launches, are not evaluated, so that nothing overflows.
inline constexpr Wide kHuge = Wide{1} << 62;
inline constexpr Wide kMostItems = Wide{1} << 40;
inline constexpr int kItemSymbols = kGlobalSize;  // kGlobalId to kGroupId + 2
// Behind them, for each loop: its iteration, and the value that a work item's identifier and the
// iteration have together where a loop strides over the launch.
inline constexpr int kIterations = kItemSymbols;
inline constexpr int kStrides = kIterations + kMaxLoops;
inline constexpr int kAllSymbols = kStrides + kMaxLoops;

// A formula with the numbers of a launch: a constant and a factor for each symbol that differs
// between work items, plus `rest` for products of such symbols.
struct LinearValue {
  bool known = true;
  Wide constant = 0;
  Wide factors[kAllSymbols] = {};
  bool products = false;
  bool entangled = false;  // names symbols that a loop connects
  Interval rest;
};

inline Interval Product(const Interval& a, const Interval& b) {
  const Wide ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

// One work item in one iteration of each loop.
struct LaunchItem {
  Wide identifiers[kItemSymbols] = {};
  Wide iterations[kMaxLoops] = {};
  bool in_groups = true;  // the identifiers of the group and inside of the group are known
};

// The work items of a launch: an interval for each symbol. The three symbols of a dimension are
// connected, but are treated as if they were not.
class LaunchBox {
 public:
  LaunchBox(const LaunchShape& shape, absl::Span<const LaunchInteger> integers,
            FirstGroup first_group = FirstGroup::kZero)
      : shape_(shape), integers_(integers), first_group_(first_group) {
    for (int d = 0; d < 3; ++d) {
      const Wide size = shape.global_size[d], group = shape.local_size[d];
      const Wide begin = shape.global_offset[d];
      symbols_[kGlobalId + d] = {begin, begin + size - 1};
      groups_known_ &= group != 0;
      if (group == 0) {
        symbols_[kLocalId + d] = symbols_[kGroupId + d] = {0, size - 1};
        continue;
      }
      uniform_ &= size % group == 0;
      symbols_[kLocalId + d] = {0, std::min(group, size) - 1};
      const Wide first = FirstGroupOf(d);
      symbols_[kGroupId + d] = {first, first + (size + group - 1) / group - 1};
    }
  }

  // The symbols of formulas are kGlobalId to end() - 1.
  int end() const { return end_; }
  const Interval& Of(int symbol) const { return symbols_[symbol]; }
  bool Single(int symbol) const { return symbols_[symbol].low == symbols_[symbol].high; }
  bool uniform() const { return uniform_; }
  void Narrow(int symbol, const Interval& to) {
    restricted_[symbol] = true;
    in_groups_ |= symbol >= kLocalId && symbol < kItemSymbols;
    symbols_[symbol].low = std::max(symbols_[symbol].low, to.low);
    symbols_[symbol].high = std::min(symbols_[symbol].high, to.high);
    empty_ |= symbols_[symbol].low > symbols_[symbol].high;
  }
  bool empty() const { return empty_; }
  bool restricted(int symbol) const { return restricted_[symbol]; }

  // Bounds the iterations of a loop by its condition, a value that must be negative. Returns false
  // if no work item runs an iteration; the loop then has one, so that its formulas have values.
  bool BoundLoop(int loop, const SummaryGuard& condition);
  // Gives the loop the values of a part, which must outlive the box. Of kBits: without effect, but
  // for rough_loops(), if not all of them occur.
  void BoundPart(int loop, const SummaryPart& part);
  // Bounds all parts but those of kBits again, by the current limits of what they are derived from.
  // Precondition: no part has been narrowed.
  void BoundDerivedParts();
  // Whether a part is derived from the loop.
  bool NamedByParts(uint16_t loop_symbol) const;
  // A bit for each part that is not kBits and has a factor in `linear`, or is narrowed.
  uint32_t PartsIn(const LinearValue& linear) const;
  // Whether these parts have each combination of their values, if the symbols from which they are
  // derived have each value.
  bool AreFull(uint32_t parts) const;
  // The same for the least and the greatest value of a part, if it is the only one.
  bool HaveEnds(uint32_t parts) const;
  // The symbol from which a part is derived; 0: its value is constant, or it has no such symbol.
  int RootOf(int loop) const;
  // Whether different values of the symbol have different values of parts in `linear`.
  bool IsToldApart(int symbol, const LinearValue& linear) const;
  // Whether the formula names all bits of the local identifier of a dimension, by parts.
  bool NamesAllParts(const LinearValue& linear, int dimension) const;
  // A loop has other iterations than its interval for some work items.
  bool rough_loops() const { return rough_loops_; }
  // The identifier that strides through the loop; 0: none does.
  int StridesBy(int loop) const { return strides_[loop].item; }

  // `split`: global identifiers become groups and local identifiers where the limits of these are
  // known, and the limits of the global identifiers are not.
  LinearValue Read(const SummaryFormula& formula, bool split = true) const {
    LinearValue linear;
    for (const SummaryTerm& term : formula) {
      Wide factor = term.factor;
      int items[SummaryTerm::kMaxSymbols];
      int count = 0;
      for (const uint16_t symbol : term.symbols) {
        if (symbol == kNoSymbol) continue;
        if (IsLoop(symbol)) {
          items[count++] = kIterations + symbol - kLoop;
          linear.known &= bounded_[symbol - kLoop] || bounding_ == symbol - kLoop;
          continue;
        }
        if (DiffersByItem(symbol)) {
          items[count++] = symbol;
          linear.known &= symbol < kLocalId || groups_known_;
          continue;
        }
        Wide value = 0;
        linear.known &= Number(symbol, &value);
        factor *= value;
        if (factor > kHuge || factor < -kHuge) linear.known = false;
        if (!linear.known) return linear;
      }
      for (int i = 0; i < count; ++i) {
        if (Of(items[i]).high > kMostItems) linear.known = false;
      }
      if (count > 2 || (count == 2 && (factor > kMostItems || factor < -kMostItems)))
        linear.known = false;
      if (!linear.known) return linear;
      if (count == 0) {
        linear.constant += factor;
      } else if (count == 1) {
        linear.factors[items[0]] += factor;
      } else {
        linear.products = true;
        const Interval product = Product(Product(Of(items[0]), Of(items[1])), {factor, factor});
        linear.rest.low += product.low;
        linear.rest.high += product.high;
      }
    }
    JoinGroups(&linear);
    if (split && in_groups_) [[unlikely]]
      SplitGroups(&linear);
    if (end_ != kItemSymbols) JoinLoops(&linear);
    if (linear.constant > kHuge || linear.constant < -kHuge) linear.known = false;
    return linear;
  }

  // Returns the value for a work item; nullopt: a number in it is not known.
  std::optional<Wide> At(const LaunchItem& item, const SummaryFormula& formula) const {
    return At(item, formula, kMaxLoops);
  }
  // The work item with the least identifiers, in the first iteration of each loop.
  LaunchItem FirstItem() const;
  // The work item of the launch with the greatest identifiers that the box allows, in the first
  // iteration of each loop; nullopt: there is none, or it is not known.
  std::optional<LaunchItem> LastItem() const;

  Interval Range(const LinearValue& linear) const {
    Interval range = {linear.constant + linear.rest.low, linear.constant + linear.rest.high};
    for (int symbol = kGlobalId; symbol < end_; ++symbol) {
      const Wide factor = linear.factors[symbol];
      if (factor == 0) continue;
      const Interval part = Product({factor, factor}, Of(symbol));
      range.low += part.low;
      range.high += part.high;
    }
    return range;
  }

 private:
  // Precondition: the size of groups is known.
  Wide FirstGroupOf(int dimension) const {
    return first_group_ == FirstGroup::kZero
               ? 0
               : static_cast<Wide>(shape_.global_offset[dimension] / shape_.local_size[dimension]);
  }

  // The global identifier of the first item of group 0. Precondition: as FirstGroupOf.
  Wide OriginOf(int dimension) const {
    return static_cast<Wide>(shape_.global_offset[dimension]) -
           FirstGroupOf(dimension) * static_cast<Wide>(shape_.local_size[dimension]);
  }

  // The index of a group times the size of a group, plus the index in the group, is the index in
  // the launch.
  void JoinGroups(LinearValue* linear) const {
    if (!groups_known_ || !uniform_) return;
    for (int d = 0; d < 3; ++d) {
      Wide& local = linear->factors[kLocalId + d];
      Wide& group = linear->factors[kGroupId + d];
      if (local == 0 || group != local * static_cast<Wide>(shape_.local_size[d])) continue;
      // The known limits of the parts would be lost.
      if (restricted_[kLocalId + d] || restricted_[kGroupId + d]) continue;
      linear->factors[kGlobalId + d] += local;
      linear->constant -= local * OriginOf(d);
      local = group = 0;
    }
  }

  // The reverse of JoinGroups, where it keeps limits that are known.
  void SplitGroups(LinearValue* linear) const {
    if (!groups_known_ || !uniform_) return;
    for (int d = 0; d < 3; ++d) {
      Wide& global = linear->factors[kGlobalId + d];
      if (global == 0 || restricted_[kGlobalId + d] ||
          !(restricted_[kLocalId + d] || restricted_[kGroupId + d]) || IsConnected(kGlobalId + d) ||
          global > kMostItems || global < -kMostItems)
        continue;
      linear->factors[kLocalId + d] += global;
      linear->factors[kGroupId + d] += global * static_cast<Wide>(shape_.local_size[d]);
      linear->constant += global * OriginOf(d);
      global = 0;
    }
  }

  // Whether a loop names parts of the identifiers of the dimension, or is strided through by one.
  bool IsConnected(int symbol) const {
    const int dimension = (symbol - kGlobalId) % 3;
    for (int loop = 0; loop < kMaxLoops; ++loop) {
      if (strides_[loop].item != 0 && (strides_[loop].item - kGlobalId) % 3 == dimension)
        return true;
      if (parts_[loop] != nullptr && IsDerivedFrom(*parts_[loop], dimension)) return true;
    }
    return false;
  }

  static bool IsDerivedFrom(const SummaryPart& part, int dimension) {
    if (part.kind == SummaryPart::Kind::kBits) return part.dimension == dimension;
    return Names(part.of, static_cast<uint16_t>(kGlobalId + dimension)) ||
           Names(part.of, static_cast<uint16_t>(kLocalId + dimension)) ||
           Names(part.of, static_cast<uint16_t>(kGroupId + dimension));
  }

  void BoundDerivedPart(int loop);
  // Whether a part has the values of its derivation: no guard has narrowed a source since then.
  bool IsCurrent(int loop) const;
  // The part from which a part is derived; -1: it is derived from another symbol.
  int SourcePartOf(int loop) const;
  bool IsDerivedPart(int loop) const {
    return parts_[loop] != nullptr && parts_[loop]->kind != SummaryPart::Kind::kBits;
  }
  // The remainder or the quotient, `kind`, to the other one, `loop`; -1: there is none.
  int PairOf(int loop, SummaryPart::Kind kind) const;
  // AreFull, of parts that are derived from `symbol`.
  bool AreFullFrom(int symbol, uint32_t parts) const;
  // The parts of `parts` that are derived from `symbol`.
  uint32_t DerivedFrom(int symbol, uint32_t parts) const;
  // At, with parts below `end`.
  std::optional<Wide> At(const LaunchItem& item, const SummaryFormula& formula, int end) const;
  // The value of a part.
  std::optional<Wide> PartAt(const LaunchItem& item, int loop) const;

  // Where an identifier strides through a loop, the sum of both is one value.
  void JoinLoops(LinearValue* linear) const {
    for (int loop = 0; loop < kMaxLoops; ++loop) {
      const Stride& stride = strides_[loop];
      if (stride.item == 0) continue;
      Wide& iteration = linear->factors[kIterations + loop];
      Wide& item = linear->factors[stride.item];
      if (iteration != 0 && iteration % stride.step == 0) {
        const Wide times = iteration / stride.step;
        linear->factors[kStrides + loop] += times * stride.factor;
        item -= times * stride.factor;
        iteration = 0;
      }
      linear->entangled |= iteration != 0 || item != 0;
    }
  }

  // The value of a symbol that is the same for all work items.
  bool Number(int symbol, Wide* value) const {
    if (symbol >= kArgument) {
      const size_t index = static_cast<size_t>(symbol - kArgument);
      if (index >= integers_.size() || integers_[index].bytes == 0) return false;
      const int unused = 64 - 8 * integers_[index].bytes;
      *value = static_cast<int64_t>(integers_[index].value << unused) >> unused;
      return true;
    }
    const int d = (symbol - kGlobalSize) % 3;
    const uint64_t group = shape_.local_size[d];
    if (symbol < kLocalSize) {
      *value = shape_.global_size[d];
    } else if (symbol < kGroupCount) {
      *value = group;
      return group != 0 && uniform_;
    } else if (symbol < kGlobalOffset) {
      if (group == 0) return false;
      *value = (shape_.global_size[d] + group - 1) / group;
    } else {
      *value = shape_.global_offset[d];
    }
    return symbol < kGlobalOffset + 3;
  }

  const LaunchShape& shape_;
  absl::Span<const LaunchInteger> integers_;
  FirstGroup first_group_;
  // value = factor * item + step * iteration
  struct Stride {
    int item = 0;
    Wide factor = 0, step = 0;
  };

  int end_ = kItemSymbols;
  int bounding_ = -1;  // the loop whose condition is read
  bool bounded_[kMaxLoops] = {};
  Stride strides_[kMaxLoops];
  const SummaryPart* parts_[kMaxLoops] = {};  // nullptr: the loop is none
  // Of a part that is not kBits:
  struct Derived {
    int source = 0;      // the symbol with a factor of 1 or -1 in `of`; 0: none
    bool dense = false;  // each value of the interval occurs, if each value of the source does
    bool ends = false;   // the same for the least and the greatest value
    Interval of;
    Wide by = 0;
  };
  Derived derived_[kMaxLoops];
  bool rough_loops_ = false;
  Interval symbols_[kAllSymbols];
  bool restricted_[kAllSymbols] = {};
  bool in_groups_ = false;  // local identifiers or groups are restricted
  bool groups_known_ = true;
  bool uniform_ = true;  // all groups have the same size
  bool empty_ = false;
};

// Returns the value of a derived number. `integers`: of the arguments and of earlier derived
// numbers.
LaunchInteger ValueOf(const DerivedNumber& number, const LaunchShape& shape,
                      absl::Span<const LaunchInteger> integers);

// Whether the value has no more bits than its type, for all work items in the box.
bool Fits(const SummaryFit& fit, const LaunchBox& box);

enum class Truth : uint8_t { kAlways, kSometimes, kNever };

// Returns true if a condition surely holds for the work item.
bool HoldsFor(const LaunchItem& item, const SummaryGuard& guard, const LaunchBox& box);

// Narrows the box to the work items for which a condition holds. kSometimes: the narrowed box may
// be empty.
Truth Apply(const SummaryGuard& guard, LaunchBox* box);

// Narrows the box to work items for which a condition surely holds: not to all of them. Requires a
// box without loops. `to_corner`: to those with the greatest identifiers that change the condition
// most; otherwise to a large number. Returns false if there are none, or if that is not known.
bool NarrowWithin(const SummaryGuard& guard, bool to_corner, LaunchBox* box);

// Whether two work items may access the same bytes, because the formula ignores a dimension.
bool Collides(const LinearValue& linear, const LaunchBox& box);

}  // namespace gpusan
