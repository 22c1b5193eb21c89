// What launches access by summaries, against each work item and each iteration of many small
// launches.
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "tracker/calls/launch_uses.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {
namespace {

using GuardKind = SummaryGuard::Kind;

class Random {
 public:
  int Of(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(generator_);
  }
  bool One(int of) { return Of(1, of) == 1; }

 private:
  std::mt19937 generator_{20};
};

struct Launches {
  Random random;
  LaunchShape shape;
  LaunchInteger integer;
  int dimensions = 1;
  FirstGroup first_group = FirstGroup::kZero;

  void NewShape() {
    shape = LaunchShape();
    dimensions = random.Of(1, 2);
    for (int d = 0; d < dimensions; ++d) {
      shape.local_size[d] = static_cast<uint64_t>(random.Of(1, dimensions == 1 ? 8 : 4));
      shape.global_size[d] = shape.local_size[d] * static_cast<uint64_t>(random.Of(1, 4));
      if (random.One(10)) ++shape.global_size[d];
      if (random.One(3)) shape.global_offset[d] = static_cast<uint64_t>(random.Of(1, 5));
    }
    first_group = random.One(4) ? FirstGroup::kByOffset : FirstGroup::kZero;
    for (int d = 0; d < 3 && first_group == FirstGroup::kByOffset; ++d)
      shape.global_offset[d] *= shape.local_size[d];
    integer = {static_cast<uint64_t>(random.Of(0, 40)), 4};
  }

  SummaryTerm NewTerm() {
    SummaryTerm term;
    static constexpr int kFactors[] = {1, 1, 1, -1, 2, 4, 4, 8};
    term.factor = kFactors[random.Of(0, 7)];
    const int d = random.Of(0, dimensions - 1);
    static constexpr int kSymbols[] = {kGlobalId, kGlobalId, kLocalId, kLocalId, kGroupId};
    term.symbols[0] = static_cast<uint16_t>(kSymbols[random.Of(0, 4)] + d);
    if (random.One(8)) {
      term.symbols[1] =
          static_cast<uint16_t>(kSymbols[random.Of(0, 4)] + random.Of(0, dimensions - 1));
    } else if (term.symbols[0] >= kGroupId && !random.One(4)) {
      term.symbols[1] = static_cast<uint16_t>(kLocalSize + d);
    }
    return term;
  }

  static SummaryTerm Constant(int64_t number) {
    SummaryTerm term;
    term.factor = number;
    return term;
  }

  SummaryFormula NewFormula() {
    SummaryFormula formula;
    for (int i = random.Of(1, 2); i > 0; --i) formula = *Add(formula, {NewTerm()}, 1);
    return *Add(formula, ConstantFormula(random.Of(-4, 4)), 1);
  }

  SummaryFormula NewGuardValue() {
    SummaryFormula value = NewFormula();
    const int d = random.Of(0, dimensions - 1);
    switch (random.Of(0, 3)) {
      case 0:
        return *Add(value, SymbolFormula(kArgument), -1);
      case 1:
        return *Add(value, SymbolFormula(kLocalSize + d), -1);
      case 2:
        value = SymbolFormula(kLocalId + d);
        value = *Add(value, SymbolFormula(kLocalSize + d), -1);
        return *Add(value, ConstantFormula(random.Of(1, 2)), 1);
      default:
        return value;
    }
  }

  // A quotient, a remainder or an exclusive or; often with the part that belongs to it.
  void AddParts(SummaryAccess* access) {
    using Kind = SummaryPart::Kind;
    SummaryPart part;
    const int d = random.Of(0, dimensions - 1);
    static constexpr int kSources[] = {kGlobalId, kGlobalId, kLocalId, kGroupId};
    part.of = random.One(6) ? NewFormula() : SymbolFormula(kSources[random.Of(0, 3)] + d);
    if (random.One(4)) part.of = *Add(part.of, ConstantFormula(random.Of(0, 3)), 1);
    if (random.One(12)) part.of = *Add(ConstantFormula(31), part.of, -1);
    part.by = random.One(4) ? SymbolFormula(kArgument) : ConstantFormula(random.Of(1, 9));
    static constexpr Kind kKinds[] = {Kind::kQuotient, Kind::kRemainder, Kind::kXor};
    part.kind = kKinds[random.Of(0, 2)];
    access->parts.push_back(part);
    if (part.kind == Kind::kXor || random.One(3)) return;
    part.kind = part.kind == Kind::kQuotient ? Kind::kRemainder : Kind::kQuotient;
    access->parts.push_back(part);
    if (random.One(2)) return;
    // Both parts of the quotient.
    part.of = SymbolFormula(kLoop + (part.kind == Kind::kQuotient ? 1 : 0));
    part.by = ConstantFormula(random.Of(1, 4));
    part.kind = Kind::kRemainder;
    access->parts.push_back(part);
    if (random.One(3)) return;
    part.kind = Kind::kQuotient;
    access->parts.push_back(part);
  }

  // Adds terms of the parts.
  void NameParts(const SummaryAccess& access, int of, SummaryFormula* formula) {
    static constexpr int kFactors[] = {1, 1, 2, 3, 4, -1, 5, 8};
    for (size_t i = 0; i < access.parts.size(); ++i) {
      if (random.One(of))
        *formula =
            *Add(*formula, SymbolFormula(kLoop + static_cast<int>(i)), kFactors[random.Of(0, 7)]);
    }
  }

  // An access whose offset names parts, such as those of an index in two dimensions.
  SummaryAccess NewAccessOfParts() {
    SummaryAccess access;
    access.guarded = access.ranged = true;
    access.bytes = random.One(4) ? 4 : 1;
    AddParts(&access);
    if (random.One(4)) access.offset = NewFormula();
    NameParts(access, 1, &access.offset);
    if (random.One(2) && access.parts.size() >= 2) {
      // Row by row, without gaps.
      access.offset = SymbolFormula(kLoop);
      const std::optional<SummaryFormula> row =
          Multiply(SymbolFormula(kLoop + 1),
                   random.One(2) ? access.parts[0].by : ConstantFormula(random.Of(1, 8)));
      if (row) access.offset = *Add(access.offset, *row, 1);
    }
    if (random.One(3) && access.parts.size() < kMaxLoops) {
      const auto loop = static_cast<int>(kLoop + access.parts.size());
      SummaryTerm step;
      step.factor = 1;
      step.symbols[0] = kGlobalSize;
      step.symbols[1] = static_cast<uint16_t>(loop);
      const SummaryFormula counter = *Add(SymbolFormula(kGlobalId), {step}, 1);
      access.guards.push_back({*Add(counter, SymbolFormula(kArgument), -1), GuardKind::kNegative});
      if (random.One(2)) {
        for (SummaryPart& part : access.parts) {
          if (!Names(part.of, kLoop) && !Names(part.of, kLoop + 1)) part.of = counter;
        }
      }
      if (random.One(3)) access.offset = *Add(access.offset, SymbolFormula(loop), 1);
    }
    for (int i = random.Of(0, 2); i > 0; --i) {
      SummaryGuard guard = {NewGuardValue(), static_cast<GuardKind>(random.Of(0, 5))};
      if (random.One(2)) {
        guard.value = ConstantFormula(random.Of(-6, 1));
        NameParts(access, 2, &guard.value);
      }
      access.guards.push_back(guard);
    }
    return access;
  }

  SummaryAccess NewAccess() {
    SummaryAccess access;
    access.guarded = access.ranged = true;
    access.bytes = random.One(2) ? 4 : 1;
    access.offset = NewFormula();
    if (random.One(3)) {
      // A loop whose first value is that of an identifier.
      static constexpr int kItems[] = {kGlobalId, kLocalId, kGroupId};
      static constexpr int kSteps[] = {kGlobalSize, kLocalSize, kGroupCount};
      const int kind = random.Of(0, 2);
      SummaryTerm step;
      step.factor = 1;
      step.symbols[0] = static_cast<uint16_t>(kSteps[kind]);
      step.symbols[1] = kLoop;
      SummaryFormula counter = *Add(SymbolFormula(kItems[kind]), {step}, 1);
      access.offset = *Add(random.One(2) ? SummaryFormula() : access.offset, counter, 4);
      access.guards.push_back({*Add(counter, SymbolFormula(kArgument), -1), GuardKind::kNegative});
    }
    for (int i = random.Of(0, 3); i > 0; --i) {
      const SummaryGuard guard = {NewGuardValue(), static_cast<GuardKind>(random.Of(0, 5))};
      access.guards.insert(access.guards.begin() + (random.One(2) ? 0 : access.guards.size()),
                           guard);
    }
    return access;
  }
};

struct Item {
  int64_t values[kArgument] = {};  // by symbol
  int64_t argument = 0;

  // Returns false if a part has no value.
  bool SetParts(const std::vector<SummaryPart>& parts) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const int64_t of = Of(parts[i].of), by = Of(parts[i].by);
      const bool divides = parts[i].kind != SummaryPart::Kind::kXor;
      if (of < 0 || by < 0 || (divides && by == 0)) return false;
      values[kLoop + i] = parts[i].kind == SummaryPart::Kind::kQuotient    ? of / by
                          : parts[i].kind == SummaryPart::Kind::kRemainder ? of % by
                                                                           : of ^ by;
    }
    return true;
  }

  int64_t Of(const SummaryFormula& formula) const {
    int64_t sum = 0;
    for (const SummaryTerm& term : formula) {
      int64_t product = term.factor;
      for (const uint16_t symbol : term.symbols) {
        if (symbol != kNoSymbol) product *= symbol >= kArgument ? argument : values[symbol];
      }
      sum += product;
    }
    return sum;
  }

  bool Holds(const SummaryGuard& guard) const {
    const int64_t value = Of(guard.value);
    switch (guard.kind) {
      case GuardKind::kNegative:
        return value < 0;
      case GuardKind::kNotPositive:
        return value <= 0;
      case GuardKind::kZero:
        return value == 0;
      case GuardKind::kNotZero:
        return value != 0;
      case GuardKind::kPositive:
        return value > 0;
      case GuardKind::kNotNegative:
        return value >= 0;
    }
    return false;
  }
};

constexpr int64_t kSomewhere = INT64_MIN;

// Adds the bytes that the work item accesses.
void Execute(const SummaryAccess& access, Item item, std::set<int64_t>* bytes) {
  const SummaryGuard* loop = nullptr;
  const auto symbol = static_cast<uint16_t>(kLoop + access.parts.size());
  for (const SummaryGuard& guard : access.guards) {
    if (loop == nullptr && symbol < kLoop + kMaxLoops && Names(guard.value, symbol)) loop = &guard;
  }
  for (int iteration = 0; loop != nullptr ? iteration < 1000 : iteration < 1; ++iteration) {
    item.values[symbol] = iteration;
    // Code does not have such values.
    if (!item.SetParts(access.parts)) {
      bytes->insert(kSomewhere);
      return;
    }
    if (loop != nullptr && !item.Holds(*loop)) break;
    bool runs = true;
    for (const SummaryGuard& guard : access.guards) runs = runs && item.Holds(guard);
    if (!runs) continue;
    const int64_t first = item.Of(access.offset);
    for (int64_t byte = first; byte < first + access.bytes; ++byte) bytes->insert(byte);
  }
}

std::set<int64_t> Accessed(const std::vector<SummaryAccess>& accesses, const LaunchShape& shape,
                           FirstGroup first_group, int64_t argument) {
  std::set<int64_t> bytes;
  for (uint64_t y = 0; y < shape.global_size[1]; ++y) {
    for (uint64_t x = 0; x < shape.global_size[0]; ++x) {
      Item item;
      item.argument = argument;
      for (int d = 0; d < 3; ++d) {
        const uint64_t at = d == 0 ? x : d == 1 ? y : 0;
        const uint64_t size = shape.local_size[d];
        item.values[kGlobalId + d] = static_cast<int64_t>(at + shape.global_offset[d]);
        item.values[kLocalId + d] = static_cast<int64_t>(at % size);
        item.values[kGroupId + d] = static_cast<int64_t>(at / size);
        if (first_group == FirstGroup::kByOffset)
          item.values[kGroupId + d] += static_cast<int64_t>(shape.global_offset[d] / size);
        item.values[kGlobalSize + d] = static_cast<int64_t>(shape.global_size[d]);
        item.values[kLocalSize + d] = static_cast<int64_t>(size);
        item.values[kGroupCount + d] =
            static_cast<int64_t>((shape.global_size[d] + size - 1) / size);
        item.values[kGlobalOffset + d] = static_cast<int64_t>(shape.global_offset[d]);
      }
      for (const SummaryAccess& access : accesses) Execute(access, item, &bytes);
    }
  }
  return bytes;
}

// Returns what is wrong with `use`; nullptr: nothing.
const char* WrongPart(const LaunchUse& use, const std::set<int64_t>& bytes) {
  const auto all = [&](int64_t first, int64_t last) {
    for (int64_t byte = first; byte < last; ++byte) {
      if (bytes.count(byte) == 0) return false;
    }
    return true;
  };
  if (bytes.count(kSomewhere) != 0) return nullptr;
  if (!use.possible && !bytes.empty()) return "possible";
  if (use.sure && bytes.empty()) return "sure";
  if (!bytes.empty() && use.ranged && (*bytes.begin() < use.first || *bytes.rbegin() >= use.last))
    return "ranged";
  if (use.exact && !all(use.first, use.last)) return "exact";
  if (use.has_core() && !all(use.core_first, use.core_last)) return "core";
  if (use.has_ends() && (bytes.count(use.end_first) == 0 || bytes.count(use.end_last - 1) == 0))
    return "ends";
  return nullptr;
}

struct Counts {
  int exact = 0, ends = 0, sure = 0;
};

Counts Compare(int count_of_launches, SummaryAccess (Launches::*new_access)()) {
  Launches launches;
  int exact = 0, ends = 0, sure = 0;
  for (int i = 0; i < count_of_launches; ++i) {
    launches.NewShape();
    ParameterSummary parameter;
    parameter.known = true;
    for (int count = launches.random.Of(1, 2); count > 0; --count)
      parameter.accesses.push_back((launches.*new_access)());
    const LaunchProgram program({&parameter});
    LaunchUses uses;
    program.Evaluate(launches.shape, {&launches.integer, 1}, {&uses, 1}, launches.first_group);
    const LaunchUse& use = uses.reads;
    const std::set<int64_t> bytes =
        Accessed(parameter.accesses, launches.shape, launches.first_group,
                 static_cast<int64_t>(launches.integer.value));
    exact += use.exact;
    ends += use.has_ends();
    sure += use.sure;
    if (const char* wrong = WrongPart(use, bytes)) {
      KernelSummary kernel;
      kernel.name = "kernel";
      kernel.parameters.push_back(parameter);
      INFO(EncodeSummaries({kernel}));
      INFO("global " << launches.shape.global_size[0] << " " << launches.shape.global_size[1]
                     << ", local " << launches.shape.local_size[0] << " "
                     << launches.shape.local_size[1] << ", offset "
                     << launches.shape.global_offset[0] << " " << launches.shape.global_offset[1]
                     << ", argument " << launches.integer.value);
      FAIL_CHECK(wrong);
    }
  }
  return {exact, ends, sure};
}

TEST_CASE("uses of launches agree with each of their work items") {
  const Counts counts = Compare(40000, &Launches::NewAccess);
  // The launches are of many kinds.
  CHECK(counts.exact > 1000);
  CHECK(counts.ends > 1000);
  CHECK(counts.sure > 5000);
}

TEST_CASE("uses of quotients, remainders and exclusive ors agree with each work item") {
  const Counts counts = Compare(40000, &Launches::NewAccessOfParts);
  CHECK(counts.exact > 1000);
  CHECK(counts.ends > 1000);
  CHECK(counts.sure > 5000);
}

}  // namespace
}  // namespace gpusan
