// Evaluates the formulas of kernel summaries over the work items of a launch.
#include "tracker/calls/launch_uses.h"

#include <algorithm>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "tracker/calls/combined_accesses.h"
#include "tracker/calls/launch_box.h"

namespace gpusan {
namespace {

// The work items of a launch that execute an access.
struct Executing {
  explicit Executing(const LaunchBox& all) : box(all) {}

  LaunchBox box;
  bool never = false;
  bool fits = true;        // the formulas hold
  bool understood = true;  // exactly the work items in the box execute it
  bool first = false;      // if !understood: the first work item executes it
  bool exact = true;
  // If !understood: all work items in these boxes execute it. nullopt: no such box is known.
  std::optional<LaunchBox> inner, corner;
  // For LastItem; nullptr: the access has other conditions.
  const std::vector<SummaryGuard>* guards = nullptr;
  int parts = 0;
};

// The guard that is the condition of the loop; nullptr if no guard is.
const SummaryGuard* ConditionOf(int loop, const std::vector<SummaryGuard>& guards) {
  for (const SummaryGuard& guard : guards) {
    if (Names(guard.value, static_cast<uint16_t>(kLoop + loop))) return &guard;
  }
  return nullptr;
}

bool NamesLoops(const SummaryFormula& formula) {
  return std::any_of(formula.begin(), formula.end(), [](const SummaryTerm& term) {
    return std::any_of(std::begin(term.symbols), std::end(term.symbols), IsLoop);
  });
}

// Whether there are parts that are not kBits.
bool HasDerived(const std::vector<SummaryPart>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const SummaryPart& part) { return part.kind != SummaryPart::Kind::kBits; });
}

// Moves guards of local identifiers and groups to the front. If they come first, guards of global
// identifiers can be expressed by groups. The order of the guards of loops remains.
std::vector<SummaryGuard> GroupsFirst(const std::vector<SummaryGuard>& guards) {
  std::vector<SummaryGuard> sorted = guards;
  std::stable_partition(sorted.begin(), sorted.end(), [](const SummaryGuard& guard) {
    bool in_groups = false, others = false;
    for (const SummaryTerm& term : guard.value) {
      for (const uint16_t symbol : term.symbols) {
        in_groups |= symbol >= kLocalId && symbol < kGlobalSize;
        others |= IsLoop(symbol) || (symbol >= kGlobalId && symbol < kLocalId);
      }
    }
    return in_groups && !others;
  });
  return sorted;
}

// Bounds the parts of identifiers and the loops around an access. Exact as long as the fits of the
// access hold in what is left.
Executing BoundLoops(const std::vector<SummaryPart>& parts, const std::vector<SummaryGuard>& guards,
                     const LaunchBox& all) {
  Executing result(all);
  int loop = 0;
  for (const SummaryPart& part : parts) result.box.BoundPart(loop++, part);
  for (; loop < kMaxLoops; ++loop) {
    const SummaryGuard* condition = ConditionOf(loop, guards);
    if (condition == nullptr) break;
    result.never |= !result.box.BoundLoop(loop, *condition);
  }
  // Parts of the values that the loops have.
  if (HasDerived(parts)) result.box.BoundDerivedParts();
  return result;
}

// `fits`: whether the fits of the guards hold for all work items. `restricted`: the result of
// BoundLoops, or all work items if there is no loop; only what the guards let through remains of
// it.
void Restrict(bool guarded, const std::vector<SummaryPart>& parts,
              const std::vector<SummaryGuard>& guards, bool fits, Executing* restricted) {
  Executing& result = *restricted;
  result.understood = guarded && !result.box.rough_loops();
  result.fits = fits;
  result.exact = fits && !result.box.rough_loops();
  result.never = result.never && fits;
  if (!fits || result.never) return;
  if (guarded) result.guards = &guards;
  result.parts = static_cast<int>(parts.size());
  const SummaryGuard* conditions[kMaxLoops] = {};
  if (result.box.end() != kItemSymbols) {
    for (int loop = static_cast<int>(parts.size()); loop < kMaxLoops; ++loop)
      conditions[loop] = ConditionOf(loop, guards);
  }
  const bool derived = HasDerived(parts);
  if (derived) {
    // The guards of identifiers limit the parts that are derived from them.
    for (const SummaryGuard& guard : guards) {
      if (NamesLoops(guard.value)) continue;
      result.never |= Apply(guard, &result.box) == Truth::kNever;
      if (result.never) return;
    }
    result.box.BoundDerivedParts();
  }
  // The box that one guard leaves may decide another guard.
  absl::InlinedVector<const SummaryGuard*, 8> open;
  for (const SummaryGuard& guard : guards) {
    if (std::find(conditions, conditions + kMaxLoops, &guard) != conditions + kMaxLoops) continue;
    const Truth truth = Apply(guard, &result.box);
    result.never |= truth == Truth::kNever;
    if (result.never) return;
    if (truth == Truth::kSometimes) open.push_back(&guard);
  }
  const bool within = guarded && result.exact && result.box.end() == kItemSymbols;
  absl::InlinedVector<const SummaryGuard*, 8> undecided;
  for (const SummaryGuard* guard : open) {
    const Truth truth = Apply(*guard, &result.box);
    result.never |= truth == Truth::kNever;
    if (result.never) return;
    if (truth == Truth::kSometimes) undecided.push_back(guard);
  }
  if (!undecided.empty()) {
    result.understood = result.exact = false;
    const auto narrow = [&](bool to_corner, std::optional<LaunchBox>* box) {
      box->emplace(result.box);
      for (const SummaryGuard* guard : undecided) {
        if (NarrowWithin(*guard, to_corner, &**box)) continue;
        box->reset();
        break;
      }
    };
    if (within) {
      narrow(false, &result.inner);
      narrow(true, &result.corner);
    }
  }
  // The values that guards leave of parts need not occur together.
  if (derived && !result.box.AreFull(result.box.PartsIn({})))
    result.understood = result.exact = false;
  result.first = guarded && !result.understood &&
                 std::all_of(guards.begin(), guards.end(),
                             [&, item = result.box.FirstItem()](const SummaryGuard& guard) {
                               return HoldsFor(item, guard, result.box);
                             });
}

// The bytes that the work items of a box access at an offset.
struct Coverage {
  int gaps = 0;        // symbols whose steps leave gaps; 0: each byte of the range is accessed
  bool twice = false;  // several steps may access the same byte
  Stripes stripes;     // with one such symbol
};

// `low`: the least value of the offset. `bytes`: of one access.
Coverage Cover(const LinearValue& linear, const LaunchBox& box, Wide low, Wide bytes) {
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
  Coverage result;
  // Without gaps if each step, shortest first, is at most as long as what is covered so far.
  Wide covered = bytes;
  for (int i = 0; i < count; ++i) {
    // Steps that leave gaps are the longest ones.
    if (steps[i].length > covered) {
      // Steps of rows and of groups of rows are steps of rows.
      Stripes& stripes = result.stripes;
      if (result.gaps == 1 && steps[i].length == stripes.pitch * stripes.count) {
        stripes.count *= steps[i].count + 1;
        continue;
      }
      if (++result.gaps == 1) stripes = {steps[i].length, steps[i].count + 1, low, covered};
      continue;
    }
    if (result.gaps != 0) ++result.gaps;
    result.twice |= steps[i].length < covered;
    covered += steps[i].length * steps[i].count;
  }
  return result;
}

// The identifiers that loops and other parts of an offset are derived from.
struct Derived {
  bool full = true;                 // the parts have each combination of their values
  bool from[kAllSymbols] = {};      // an identifier: a part is derived from it
  bool narrowed[kAllSymbols] = {};  // and a guard restricts that part
  bool of_items[kAllSymbols] = {};  // a part is derived from the identifier itself
};

// What is known of the offset of an access.
struct Certainty {
  bool understood;  // the guards leave each work item, or none, of the box
  bool exact;       // each value of the offset in the box occurs
};

Derived DerivedIn(const LinearValue& linear, const LaunchBox& box, Certainty* certain) {
  Derived derived;
  const uint32_t parts = box.end() != kItemSymbols ? box.PartsIn(linear) : 0;
  if (parts == 0) return derived;
  derived.full = box.AreFull(parts);
  certain->exact &= derived.full || box.HaveEnds(parts);
  for (int loop = 0; loop < kMaxLoops; ++loop) {
    if ((parts >> loop & 1) == 0) continue;
    int root = box.RootOf(loop);
    certain->exact &= root == 0 || linear.factors[root] == 0;
    derived.of_items[root] = true;
    if (root >= kStrides) root = box.StridesBy(root - kStrides);
    derived.from[root] = true;
    derived.narrowed[root] |= box.restricted(kIterations + loop);
  }
  return derived;
}

// An identifier and the identifiers inside and of the group depend on each other.
void JudgeGroups(const LinearValue& linear, const LaunchBox& box, const Derived& derived,
                 Certainty* certain) {
  for (int d = 0; d < 3; ++d) {
    const auto in_group = [&](auto has) { return has(kLocalId + d) || has(kGroupId + d); };
    const auto restricted = [&](int symbol) {
      return box.restricted(symbol) || derived.narrowed[symbol];
    };
    const auto used = [&](int symbol) {
      bool is_used = box.restricted(symbol) || linear.factors[symbol] != 0 || derived.from[symbol];
      for (int loop = 0; loop < kMaxLoops && box.end() != kItemSymbols; ++loop)
        is_used |= box.StridesBy(loop) == symbol && linear.factors[kStrides + loop] != 0;
      return is_used;
    };
    if (restricted(kGlobalId + d) && in_group(restricted)) certain->understood = false;
    if (used(kGlobalId + d) && in_group(used)) certain->exact = false;
    if (in_group(used) && !box.uniform()) certain->exact = certain->understood = false;
  }
}

// The identifiers that a guard leaves need not be those that enter a loop. Returns whether some
// loop has several iterations.
bool JudgeLoops(const LinearValue& linear, const LaunchBox& box, const Derived& derived,
                Certainty* certain) {
  bool loops = false;
  for (int loop = 0; loop < kMaxLoops && box.end() != kItemSymbols; ++loop) {
    loops |= !box.Single(kIterations + loop);
    const int item = box.StridesBy(loop);
    if (item == 0) continue;
    const int dimension = (item - kGlobalId) % 3;
    // Not all identifiers need to enter the loop.
    for (int symbol = kGlobalId + dimension; symbol < kItemSymbols; symbol += 3) {
      // A local identifier and the group do not depend on each other.
      const bool other = item >= kLocalId && symbol >= kLocalId && symbol != item;
      certain->exact &= (linear.factors[symbol] == 0 || other) && !derived.of_items[symbol];
      certain->understood &= !(derived.of_items[symbol] && derived.narrowed[symbol]);
    }
    if (box.restricted(item) || box.restricted(kGlobalId + dimension) ||
        (item < kLocalId &&
         (box.restricted(kLocalId + dimension) || box.restricted(kGroupId + dimension))))
      certain->understood = false;
  }
  return loops;
}

// Ignores the guards and fits of the access, which `executing` contains. `offset_fits`: whether
// those of the offset hold. `inner`: only for the work items in this box, all of which execute the
// access; nullptr: for all.
Evaluated EvaluateIn(const SummaryAccess& access, const Executing& executing, bool offset_fits,
                     const LaunchBox* inner) {
  Evaluated result;
  result.never = executing.never;
  if (result.never) return result;
  const LaunchBox& box = inner != nullptr ? *inner : executing.box;
  const bool fits = executing.fits, knows_first = executing.first && inner == nullptr;
  Certainty certain = {executing.understood || inner != nullptr,
                       executing.exact || inner != nullptr};
  LinearValue linear;
  linear.known = false;
  if (access.ranged && fits && offset_fits) linear = box.Read(access.offset);
  const Derived derived = DerivedIn(linear, box, &certain);
  JudgeGroups(linear, box, derived, &certain);
  const bool loops = JudgeLoops(linear, box, derived, &certain);
  const bool exact = certain.exact && certain.understood && !linear.entangled;
  result.sure = (certain.understood || knows_first) && fits;
  if (!linear.known) return result;
  const std::optional<Wide> first =
      knows_first ? box.At(box.FirstItem(), access.offset) : std::optional<Wide>();
  if (first) result.of_first = {*first, *first + static_cast<Wide>(access.bytes)};
  const Interval range = box.Range(linear);
  result.ranged = true;
  result.bytes = {range.low, range.high + static_cast<Wide>(access.bytes)};
  // A sum without products has its least and its greatest value in corners of the box.
  result.ends = exact && result.sure && !linear.products;
  const Coverage covered = Cover(linear, box, range.low, access.bytes);
  const bool each = exact && derived.full && result.sure && !linear.products &&
                    (access.kind == SummaryAccess::Kind::kRead ||
                     (!(loops && covered.twice) && !Collides(linear, box)));
  result.exact = each && covered.gaps == 0;
  if (each && covered.gaps == 1) result.stripes = covered.stripes;
  // The first of several pieces.
  if (each && covered.gaps != 0) result.of_first = {range.low, range.low + covered.stripes.width};
  return result;
}

// How often the term names the symbol.
int64_t CountOf(const SummaryTerm& term, uint16_t symbol) {
  return std::count(std::begin(term.symbols), std::end(term.symbols), symbol);
}

// The work item with the greatest identifiers, in the last iteration of each loop, if it surely
// executes the access. Products, quotients and the like often have their greatest value there.
std::optional<LaunchItem> LastItem(const Executing& executing) {
  const LaunchBox& box = executing.box;
  if (executing.guards == nullptr || executing.never || !executing.fits) return std::nullopt;
  std::optional<LaunchItem> item = box.LastItem();
  if (!item) return std::nullopt;
  const std::vector<SummaryGuard>& guards = *executing.guards;
  const SummaryGuard* conditions[kMaxLoops] = {};
  for (int loop = executing.parts; loop < kMaxLoops; ++loop) {
    const auto symbol = static_cast<uint16_t>(kLoop + loop);
    const SummaryGuard* condition = conditions[loop] = ConditionOf(loop, guards);
    if (condition == nullptr) break;
    if (condition->kind != SummaryGuard::Kind::kNegative || box.NamedByParts(symbol) ||
        std::any_of(condition->value.begin(), condition->value.end(),
                    [&](const SummaryTerm& term) { return CountOf(term, symbol) > 1; }))
      return std::nullopt;
    const std::optional<Wide> first = box.At(*item, condition->value);
    item->iterations[loop] = 1;
    const std::optional<Wide> second = box.At(*item, condition->value);
    if (!first || !second || *first >= 0 || *second <= *first) return std::nullopt;
    item->iterations[loop] = (-*first - 1) / (*second - *first);
    if (item->iterations[loop] > kMostItems) return std::nullopt;
  }
  for (const SummaryGuard& guard : guards) {
    if (!HoldsFor(*item, guard, box)) return std::nullopt;
    // Earlier iterations must not have ended the loop.
    for (int loop = executing.parts; loop < kMaxLoops && conditions[loop] != nullptr; ++loop) {
      if (&guard != conditions[loop] && Names(guard.value, static_cast<uint16_t>(kLoop + loop)) &&
          std::find(conditions + loop, conditions + kMaxLoops, &guard) == conditions + kMaxLoops)
        return std::nullopt;
    }
  }
  return item;
}

// Adds the bytes that the last work item accesses, if it is not known otherwise which bytes the
// launch accesses at its ends.
void AddLastItem(const SummaryAccess& access, const Executing& executing, Evaluated* result) {
  if (!access.ranged || result->ends || executing.guards == nullptr) return;
  if (result->corner && result->corner->ends.low < result->corner->ends.high) return;
  const std::optional<LaunchItem> item = LastItem(executing);
  const std::optional<Wide> offset =
      item ? executing.box.At(*item, access.offset) : std::optional<Wide>();
  if (!offset) return;
  if (!result->corner) result->corner.emplace();
  result->corner->ends = {*offset, *offset + static_cast<Wide>(access.bytes)};
  result->sure = true;
}

// `hold`: whether the fits of the offset hold in a box.
template <typename Hold>
Evaluated Evaluate(const SummaryAccess& access, const Executing& executing, Hold hold) {
  const bool offset_fits = !executing.never && hold(executing.box);
  Evaluated result = EvaluateIn(access, executing, offset_fits, nullptr);
  if (result.never) return result;
  for (const auto* box : {&executing.inner, &executing.corner}) {
    if (!*box) continue;
    const Evaluated inner = EvaluateIn(access, executing, offset_fits || hold(**box), &**box);
    const bool is_corner = box == &executing.corner;
    result.sure |= inner.sure;
    (is_corner ? result.corner : result.inner) = Evaluated::Part{
        inner.exact ? inner.bytes : inner.of_first, inner.ends ? inner.bytes : Interval()};
    if (!is_corner || result.stripes.width == 0) result.stripes = inner.stripes;
  }
  if (offset_fits) AddLastItem(access, executing, &result);
  return result;
}

// `combinations`: by SummaryAccess::Kind.
LaunchUses Finished(Combination (&combinations)[3]) {
  LaunchUses uses;
  uses.reads = combinations[static_cast<int>(SummaryAccess::Kind::kRead)].Finish();
  uses.writes = combinations[static_cast<int>(SummaryAccess::Kind::kWrite)].Finish();
  uses.atomics = combinations[static_cast<int>(SummaryAccess::Kind::kAtomic)].Finish();
  return uses;
}

}  // namespace

LaunchUses UsesOf(const ParameterSummary& parameter, const LaunchShape& shape,
                  absl::Span<const LaunchInteger> integers) {
  LaunchUses uses;
  if (shape.global_size[0] == 0 || shape.global_size[1] == 0 || shape.global_size[2] == 0)
    return uses;  // no work item
  const LaunchBox box(shape, integers);
  Combination combinations[3];
  for (const SummaryAccess& access : parameter.accesses) {
    const std::vector<SummaryGuard> guards = GroupsFirst(access.guards);
    Executing executing = BoundLoops(access.parts, guards, box);
    const auto hold = [](const std::vector<SummaryFit>& fits, const LaunchBox& items) {
      return std::all_of(fits.begin(), fits.end(),
                         [&](const SummaryFit& fit) { return Fits(fit, items); });
    };
    const bool fits = hold(access.fits, executing.box);
    Restrict(access.guarded, access.parts, guards, fits, &executing);
    combinations[static_cast<int>(access.kind)].Add(
        Evaluate(access, executing,
                 [&](const LaunchBox& items) { return hold(access.offset_fits, items); }));
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
bool Same(const SummaryPart& a, const SummaryPart& b) { return a == b; }
template <typename T>
bool Same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& one, const T& other) { return Same(one, other); });
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
      const Domain domain{access.guarded, AddFits(access.fits), access.parts,
                          GroupsFirst(access.guards)};
      Step step;
      step.domain = IndexOf(&domains_, Domain(domain), [&](const Domain& one) {
        return one.guarded == domain.guarded && one.fits == domain.fits &&
               Same(one.parts, domain.parts) && Same(one.guards, domain.guards);
      });
      step.fits = AddFits(access.offset_fits);
      step.access = access;
      step.access.parts.clear();
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
                             absl::Span<LaunchUses> uses, FirstGroup first_group) const {
  std::fill(uses.begin(), uses.end(), LaunchUses());
  if (shape.global_size[0] == 0 || shape.global_size[1] == 0 || shape.global_size[2] == 0)
    return;  // no work item
  const LaunchBox box(shape, integers, first_group);
  absl::InlinedVector<bool, 32> fits;
  for (const SummaryFit& fit : fits_) fits.push_back(Fits(fit, box));
  absl::InlinedVector<Executing, 4> executing;
  for (const Domain& domain : domains_) {
    bool all = true;
    if (!domain.parts.empty() || ConditionOf(0, domain.guards) != nullptr) [[unlikely]] {
      executing.push_back(BoundLoops(domain.parts, domain.guards, box));
      for (const uint32_t fit : domain.fits) all = all && Fits(fits_[fit], executing.back().box);
    } else {
      for (const uint32_t fit : domain.fits) all = all && fits[fit];
      executing.emplace_back(box);
    }
    Restrict(domain.guarded, domain.parts, domain.guards, all, &executing.back());
  }
  absl::InlinedVector<Evaluated, 16> evaluated;
  for (const Step& step : steps_) {
    const Executing& items = executing[step.domain];
    // A condition that is true for all work items is true for those that execute the access.
    evaluated.push_back(gpusan::Evaluate(step.access, items, [&](const LaunchBox& within) {
      return std::all_of(step.fits.begin(), step.fits.end(),
                         [&](uint32_t fit) { return fits[fit] || Fits(fits_[fit], within); });
    }));
  }
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Combination combinations[3];
    for (const uint32_t step : parameters_[i])
      combinations[static_cast<int>(steps_[step].access.kind)].Add(evaluated[step]);
    uses[i] = Finished(combinations);
  }
}

}  // namespace gpusan
