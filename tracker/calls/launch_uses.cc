// Evaluates the formulas of kernel summaries over the work items of a launch.
#include "tracker/calls/launch_uses.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "tracker/calls/combined_accesses.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {
namespace {

// Larger factors, and identifiers of larger launches, are not evaluated, so that nothing overflows.
constexpr Wide kHuge = Wide{1} << 62;
constexpr Wide kMostItems = Wide{1} << 40;
constexpr int kItemSymbols = kGlobalSize;  // kGlobalId to kGroupId + 2
// Behind them, for each loop: its iteration, and the value that a work item's identifier and the
// iteration have together where a loop strides over the launch.
constexpr int kIterations = kItemSymbols;
constexpr int kStrides = kIterations + kMaxLoops;
constexpr int kAllSymbols = kStrides + kMaxLoops;

// A formula with the numbers of a launch: a constant and a factor for each symbol that differs
// between work items, plus `rest` for products of such symbols.
struct Linear {
  bool known = true;
  Wide constant = 0;
  Wide factors[kAllSymbols] = {};
  bool products = false;
  bool entangled = false;  // names symbols that a loop connects
  Interval rest;
};

Interval Product(const Interval& a, const Interval& b) {
  const Wide ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Wide FloorDivide(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// The work items of a launch: an interval for each symbol. The three symbols of a dimension are
// connected, but are treated as if they were not.
class Box {
 public:
  Box(const LaunchShape& shape, absl::Span<const LaunchInteger> integers)
      : shape_(shape), integers_(integers) {
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
      symbols_[kGroupId + d] = {0, (size + group - 1) / group - 1};
    }
  }

  // The symbols of formulas are kGlobalId to end() - 1.
  int end() const { return end_; }
  const Interval& Of(int symbol) const { return symbols_[symbol]; }
  bool Single(int symbol) const { return symbols_[symbol].low == symbols_[symbol].high; }
  bool uniform() const { return uniform_; }
  void Narrow(int symbol, const Interval& to) {
    restricted_[symbol] = true;
    symbols_[symbol].low = std::max(symbols_[symbol].low, to.low);
    symbols_[symbol].high = std::min(symbols_[symbol].high, to.high);
    empty_ |= symbols_[symbol].low > symbols_[symbol].high;
  }
  bool empty() const { return empty_; }
  bool restricted(int symbol) const { return restricted_[symbol]; }

  // Bounds the iterations of a loop by its condition, a value that must be negative. Returns false
  // if no work item runs an iteration; the loop then has one, so that its formulas have values.
  bool BoundLoop(int loop, const SummaryGuard& condition);
  // A loop has other iterations than its interval for some work items.
  bool rough_loops() const { return rough_loops_; }
  // The identifier that strides through the loop; 0: none does.
  int StridesBy(int loop) const { return strides_[loop].item; }

  Linear Read(const SummaryFormula& formula) const {
    Linear linear;
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
    if (end_ != kItemSymbols) JoinLoops(&linear);
    if (linear.constant > kHuge || linear.constant < -kHuge) linear.known = false;
    return linear;
  }

  Interval Range(const Linear& linear) const {
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
  // The index of a group times the size of a group, plus the index in the group, is the index in
  // the launch.
  void JoinGroups(Linear* linear) const {
    if (!groups_known_ || !uniform_) return;
    for (int d = 0; d < 3; ++d) {
      Wide& local = linear->factors[kLocalId + d];
      Wide& group = linear->factors[kGroupId + d];
      if (local == 0 || group != local * static_cast<Wide>(shape_.local_size[d])) continue;
      // What is known of the parts would be lost.
      if (restricted_[kLocalId + d] || restricted_[kGroupId + d]) continue;
      linear->factors[kGlobalId + d] += local;
      linear->constant -= local * static_cast<Wide>(shape_.global_offset[d]);
      local = group = 0;
    }
  }

  // Where an identifier strides through a loop, the sum of both is one value.
  void JoinLoops(Linear* linear) const {
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
  // value = factor * item + step * iteration
  struct Stride {
    int item = 0;
    Wide factor = 0, step = 0;
  };

  int end_ = kItemSymbols;
  int bounding_ = -1;  // the loop whose condition is read
  bool bounded_[kMaxLoops] = {};
  Stride strides_[kMaxLoops];
  bool rough_loops_ = false;
  Interval symbols_[kAllSymbols];
  bool restricted_[kAllSymbols] = {};
  bool groups_known_ = true;
  bool uniform_ = true;  // all groups have the same size
  bool empty_ = false;
};

bool Box::BoundLoop(int loop, const SummaryGuard& condition) {
  const int iteration = kIterations + loop;
  end_ = kAllSymbols;
  symbols_[iteration] = {0, kMostItems};
  bounding_ = loop;
  Linear linear = Read(condition.value);
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

bool Fits(const SummaryFit& fit, const Box& box) {
  const Linear linear = box.Read(fit.value);
  if (!linear.known) return false;
  const Interval range = box.Range(linear);
  // 64-bit values above the signed range do not occur in sizes; they are not followed.
  const int bits = fit.is_signed || fit.bits == 64 ? fit.bits - 1 : fit.bits;
  const Wide end = Wide{1} << bits;
  return range.low >= (fit.is_signed ? -end : 0) && range.high < end;
}

enum class Truth : uint8_t { kAlways, kSometimes, kNever };

// Narrows the box to the work items for which a condition holds. kSometimes: there may be none.
Truth Apply(const SummaryGuard& guard, Box* box) {
  using Kind = SummaryGuard::Kind;
  Linear linear = box->Read(guard.value);
  if (!linear.known) return Truth::kSometimes;
  // Every kind but the two for equality becomes "value < 0".
  const auto negate = [&] {
    linear.constant = -linear.constant;
    linear.rest = {-linear.rest.high, -linear.rest.low};
    for (Wide& factor : linear.factors) factor = -factor;
  };
  if (guard.kind == Kind::kPositive || guard.kind == Kind::kNotNegative) negate();
  if (guard.kind == Kind::kNotPositive || guard.kind == Kind::kNotNegative) linear.constant -= 1;
  const bool equality = guard.kind == Kind::kZero || guard.kind == Kind::kNotZero;
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
  } else if (factor > 0) {
    // factor * symbol <= -constant - 1
    box->Narrow(only, {all.low, FloorDivide(-linear.constant - 1, factor)});
  } else {
    box->Narrow(only, {-FloorDivide(-linear.constant - 1, -factor), all.high});
  }
  return box->empty() ? Truth::kNever : Truth::kAlways;
}

// Whether two work items may access the same bytes, because the formula ignores a dimension.
bool Collides(const Linear& linear, const Box& box) {
  for (int d = 0; d < 3; ++d) {
    const auto tells_apart = [&](int symbol) {
      bool apart = linear.factors[symbol + d] != 0 || box.Single(symbol + d);
      for (int loop = 0; loop < kMaxLoops; ++loop) {
        apart |= box.StridesBy(loop) == symbol + d && linear.factors[kStrides + loop] != 0;
      }
      return apart;
    };
    if (!tells_apart(kGlobalId) && !(tells_apart(kLocalId) && tells_apart(kGroupId))) return true;
  }
  return false;
}

// The work items of a launch that execute an access.
struct Executing {
  explicit Executing(const Box& all) : box(all) {}

  Box box;
  bool never = false;
  bool fits = true;        // the formulas hold
  bool understood = true;  // exactly the work items in the box execute it
  bool exact = true;
};

// The condition of the loop among the guards; nullptr: there is no such loop.
const SummaryGuard* ConditionOf(int loop, const std::vector<SummaryGuard>& guards) {
  for (const SummaryGuard& guard : guards) {
    if (Names(guard.value, static_cast<uint16_t>(kLoop + loop))) return &guard;
  }
  return nullptr;
}

// Bounds the loops around an access. Exact as long as the fits of the access hold in what is left.
Executing BoundLoops(const std::vector<SummaryGuard>& guards, const Box& all) {
  Executing result(all);
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    const SummaryGuard* condition = ConditionOf(loop, guards);
    if (condition == nullptr) break;
    result.never |= !result.box.BoundLoop(loop, *condition);
  }
  return result;
}

// `fits`: whether the fits of the guards hold for all work items. `restricted`: the result of
// BoundLoops, or all work items if there is no loop; it becomes what the guards leave of it.
void Restrict(bool guarded, const std::vector<SummaryGuard>& guards, bool fits,
              Executing* restricted) {
  Executing& result = *restricted;
  result.understood = guarded && !result.box.rough_loops();
  result.fits = fits;
  result.exact = fits && !result.box.rough_loops();
  result.never = result.never && fits;
  if (!fits || result.never) return;
  const SummaryGuard* conditions[kMaxLoops] = {};
  if (result.box.end() != kItemSymbols) {
    for (int loop = 0; loop < kMaxLoops; ++loop) conditions[loop] = ConditionOf(loop, guards);
  }
  // What one guard leaves of the box may decide another one.
  absl::InlinedVector<const SummaryGuard*, 8> open;
  for (const SummaryGuard& guard : guards) {
    if (std::find(conditions, conditions + kMaxLoops, &guard) != conditions + kMaxLoops) continue;
    const Truth truth = Apply(guard, &result.box);
    result.never |= truth == Truth::kNever;
    if (result.never) return;
    if (truth == Truth::kSometimes) open.push_back(&guard);
  }
  for (const SummaryGuard* guard : open) {
    const Truth truth = Apply(*guard, &result.box);
    result.never |= truth == Truth::kNever;
    if (result.never) return;
    if (truth == Truth::kSometimes) result.understood = result.exact = false;
  }
}

// Ignores the guards and fits of the access, which `executing` contains. `offset_fits`:
// whether those of the offset hold.
Evaluated Evaluate(const SummaryAccess& access, const Executing& executing, bool offset_fits) {
  Evaluated result;
  result.never = executing.never;
  if (result.never) return result;
  const Box& box = executing.box;
  const bool fits = executing.fits;
  bool understood = executing.understood, exact = executing.exact;
  Linear linear;
  linear.known = false;
  if (access.ranged && fits && offset_fits) linear = box.Read(access.offset);
  // An identifier and the identifiers inside and of the group depend on each other.
  for (int d = 0; d < 3; ++d) {
    const auto in_group = [&](auto has) { return has(kLocalId + d) || has(kGroupId + d); };
    const auto restricted = [&](int symbol) { return box.restricted(symbol); };
    const auto used = [&](int symbol) {
      return box.restricted(symbol) || linear.factors[symbol] != 0;
    };
    if (restricted(kGlobalId + d) && in_group(restricted)) understood = false;
    if (used(kGlobalId + d) && in_group(used)) exact = false;
    if (in_group(used) && !box.uniform()) exact = understood = false;
  }
  bool loops = false;
  for (int loop = 0; loop < kMaxLoops && box.end() != kItemSymbols; ++loop) {
    loops |= !box.Single(kIterations + loop);
    // The identifiers that a guard leaves need not be those that enter the loop.
    if (box.StridesBy(loop) != 0 && box.restricted(box.StridesBy(loop))) understood = false;
  }
  exact &= understood && !linear.entangled;
  result.sure = understood && fits;
  if (!linear.known) return result;
  const Interval range = box.Range(linear);
  result.ranged = true;
  result.bytes = {range.low, range.high + static_cast<Wide>(access.bytes)};
  // A sum without products has its least and its greatest value in corners of the box.
  result.ends = exact && result.sure && !linear.products;
  // Without gaps if each step, shortest first, is at most as long as what is covered so far.
  struct Step {
    Wide length, count;
  };
  Step steps[kAllSymbols];
  int count = 0;
  for (int symbol = kGlobalId; symbol < box.end(); ++symbol) {
    if (linear.factors[symbol] == 0 || box.Single(symbol)) continue;
    const Interval& of = box.Of(symbol);
    const Wide factor = linear.factors[symbol];
    const Step step = {factor < 0 ? -factor : factor, of.high - of.low};
    int at = count++;
    for (; at > 0 && steps[at - 1].length > step.length; --at) steps[at] = steps[at - 1];
    steps[at] = step;
  }
  Wide covered = access.bytes;
  bool twice = false;  // some bytes in several iterations
  int gaps = 0;
  for (int i = 0; i < count; ++i) {
    // Steps that leave gaps are the longest ones.
    if (steps[i].length > covered) {
      if (++gaps == 1) result.stripes = {steps[i].length, steps[i].count + 1, range.low, covered};
      continue;
    }
    if (gaps != 0) ++gaps;
    twice |= loops && steps[i].length < covered;
    covered += steps[i].length * steps[i].count;
  }
  const bool each =
      exact && result.sure && !linear.products &&
      (access.kind == SummaryAccess::Kind::kRead || (!twice && !Collides(linear, box)));
  result.exact = each && gaps == 0;
  if (!each || gaps != 1) result.stripes = {};
  return result;
}

// `combinations`: by SummaryAccess::Kind.
LaunchUses Finished(Combination (&combinations)[3]) {
  LaunchUses uses;
  uses.reads = combinations[static_cast<int>(SummaryAccess::Kind::kRead)].Finish();
  uses.writes = combinations[static_cast<int>(SummaryAccess::Kind::kWrite)].Finish();
  uses.atomics = combinations[static_cast<int>(SummaryAccess::Kind::kAtomic)].Finish().possible;
  return uses;
}

}  // namespace

LaunchUses UsesOf(const ParameterSummary& parameter, const LaunchShape& shape,
                  absl::Span<const LaunchInteger> integers) {
  LaunchUses uses;
  if (shape.global_size[0] == 0 || shape.global_size[1] == 0 || shape.global_size[2] == 0)
    return uses;  // no work item
  const Box box(shape, integers);
  Combination combinations[3];
  for (const SummaryAccess& access : parameter.accesses) {
    Executing executing = BoundLoops(access.guards, box);
    const auto hold = [](const std::vector<SummaryFit>& fits, const Box& items) {
      return std::all_of(fits.begin(), fits.end(),
                         [&](const SummaryFit& fit) { return Fits(fit, items); });
    };
    const bool fits = hold(access.fits, executing.box);
    Restrict(access.guarded, access.guards, fits, &executing);
    const bool offset_fits = !executing.never && hold(access.offset_fits, executing.box);
    combinations[static_cast<int>(access.kind)].Add(Evaluate(access, executing, offset_fits));
  }
  return Finished(combinations);
}

namespace {

bool Same(const SummaryFit& a, const SummaryFit& b) {
  return a.bits == b.bits && a.is_signed == b.is_signed && a.value == b.value;
}
bool Same(const SummaryGuard& a, const SummaryGuard& b) {
  return a.kind == b.kind && a.value == b.value;
}

// Returns the index of the first element for which `same` holds, or that of a new one.
template <typename T, typename Same>
uint32_t IndexOf(std::vector<T>* list, T&& one, Same same) {
  for (size_t i = 0; i < list->size(); ++i) {
    if (same((*list)[i])) return static_cast<uint32_t>(i);
  }
  list->push_back(std::move(one));
  return static_cast<uint32_t>(list->size() - 1);
}

}  // namespace

std::vector<uint32_t> LaunchProgram::AddFits(const std::vector<SummaryFit>& fits) {
  std::vector<uint32_t> indices;
  indices.reserve(fits.size());
  for (const SummaryFit& fit : fits) {
    indices.push_back(
        IndexOf(&fits_, SummaryFit(fit), [&](const SummaryFit& one) { return Same(one, fit); }));
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

LaunchProgram::LaunchProgram(const std::vector<const ParameterSummary*>& parameters) {
  for (const ParameterSummary* parameter : parameters) {
    std::vector<uint32_t>& steps = parameters_.emplace_back();
    for (const SummaryAccess& access : parameter->accesses) {
      const Domain domain{access.guarded, AddFits(access.fits), access.guards};
      Step step;
      step.domain = IndexOf(&domains_, Domain(domain), [&](const Domain& one) {
        return one.guarded == domain.guarded && one.fits == domain.fits &&
               std::equal(one.guards.begin(), one.guards.end(), domain.guards.begin(),
                          domain.guards.end(),
                          [](const auto& a, const auto& b) { return Same(a, b); });
      });
      step.fits = AddFits(access.offset_fits);
      step.access = access;
      step.access.guards.clear();
      step.access.fits.clear();
      step.access.offset_fits.clear();
      const Step wanted = step;
      steps.push_back(IndexOf(&steps_, std::move(step), [&](const Step& one) {
        return one.domain == wanted.domain && one.fits == wanted.fits &&
               one.access.kind == wanted.access.kind && one.access.ranged == wanted.access.ranged &&
               one.access.bytes == wanted.access.bytes && one.access.offset == wanted.access.offset;
      }));
    }
  }
}

void LaunchProgram::Evaluate(const LaunchShape& shape, absl::Span<const LaunchInteger> integers,
                             absl::Span<LaunchUses> uses) const {
  std::fill(uses.begin(), uses.end(), LaunchUses());
  if (shape.global_size[0] == 0 || shape.global_size[1] == 0 || shape.global_size[2] == 0)
    return;  // no work item
  const Box box(shape, integers);
  absl::InlinedVector<bool, 32> fits;
  for (const SummaryFit& fit : fits_) fits.push_back(Fits(fit, box));
  absl::InlinedVector<Executing, 4> executing;
  for (const Domain& domain : domains_) {
    bool all = true;
    if (ConditionOf(0, domain.guards) != nullptr) [[unlikely]] {
      executing.push_back(BoundLoops(domain.guards, box));
      for (const uint32_t fit : domain.fits) all = all && Fits(fits_[fit], executing.back().box);
    } else {
      for (const uint32_t fit : domain.fits) all = all && fits[fit];
      executing.emplace_back(box);
    }
    Restrict(domain.guarded, domain.guards, all, &executing.back());
  }
  absl::InlinedVector<Evaluated, 16> evaluated;
  for (const Step& step : steps_) {
    const Executing& items = executing[step.domain];
    bool offset_fits = !items.never;
    // What holds for all work items holds for those that execute the access.
    for (const uint32_t fit : step.fits)
      offset_fits = offset_fits && (fits[fit] || Fits(fits_[fit], items.box));
    evaluated.push_back(gpusan::Evaluate(step.access, items, offset_fits));
  }
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Combination combinations[3];
    for (const uint32_t step : parameters_[i])
      combinations[static_cast<int>(steps_[step].access.kind)].Add(evaluated[step]);
    uses[i] = Finished(combinations);
  }
}

}  // namespace gpusan
