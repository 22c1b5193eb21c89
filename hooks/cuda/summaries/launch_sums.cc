// Numbers of a launch that kernels compute from several registers.
#include "hooks/cuda/summaries/launch_sums.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "tracker/model/kernel_summary.h"

namespace gpusan::cuda {
namespace {

using Kind = Atom::Kind;
using Atoms = std::vector<Atom>;

// A register of one dimension. `index` is that of the first dimension.
struct Register {
  Kind kind = Kind::kNone;
  uint16_t index = 0;
  Atom In(uint16_t dimension) const { return {kind, static_cast<uint16_t>(index + dimension)}; }
};

// A product of registers; kNone fills the rest.
using Part = std::array<Register, 2>;

struct LaunchSum {
  LaunchSymbol symbol;  // of the first dimension
  size_t count;         // of parts
  std::array<Part, 3> parts;
};

constexpr Part kGroupStart = {{{Kind::kBlock, 0}, {Kind::kBlockSize, 0}}};
constexpr Part kLocal = {{{Kind::kThread, 0}}};
constexpr Part kGroup = {{{Kind::kBlock, 0}}};
constexpr Part kGroupOffset = {{{Kind::kEnvironment, 0}}};
constexpr Part kItemOffset = {{{Kind::kEnvironment, 3}}};
constexpr Part kGroups = {{{Kind::kEnvironment, 6}}};
constexpr Part kItems = {{{Kind::kEnvironment, 6}, {Kind::kBlockSize, 0}}};

constexpr Part kGridItems = {{{Kind::kGridSize, 0}, {Kind::kBlockSize, 0}}};

constexpr LaunchSum kCudaSums[] = {{kGlobalId, 2, {kGroupStart, kLocal}},
                                   {kGlobalSize, 1, {kGridItems}}};
// Longer products come first.
constexpr LaunchSum kOpenClSums[] = {{kGlobalId, 3, {kGroupStart, kLocal, kItemOffset}},
                                     {kGlobalSize, 1, {kItems}},
                                     {kGroupId, 2, {kGroup, kGroupOffset}},
                                     {kGroupCount, 1, {kGroups}}};

std::span<const LaunchSum> SumsOf(LaunchRegisters registers) {
  if (registers == LaunchRegisters::kCuda) return kCudaSums;
  return kOpenClSums;
}

// Sets `rest` to the atoms of the term without those of the part. Returns false if they are none of
// its atoms.
bool Without(const Term& term, const Part& part, uint16_t dimension, Atoms* rest) {
  Atoms left(term.atoms.begin(), term.atoms.begin() + term.Degree());
  for (const Register& one : part) {
    if (one.kind == Kind::kNone) continue;
    const auto found = std::find(left.begin(), left.end(), one.In(dimension));
    if (found == left.end()) return false;
    left.erase(found);
  }
  *rest = std::move(left);
  return true;
}

// The other terms of the sum whose first one is `first`. Empty: one is missing.
std::vector<Term*> OthersOf(const LaunchSum& sum, uint16_t dimension, const Term& first,
                            const Atoms& rest, std::vector<Term>* terms) {
  std::vector<Term*> others;
  for (size_t i = 1; i < sum.count; ++i) {
    const auto other = std::find_if(terms->begin(), terms->end(), [&](const Term& term) {
      Atoms own;
      return term.coefficient == first.coefficient &&
             Without(term, sum.parts[i], dimension, &own) && own == rest;
    });
    if (other == terms->end()) return {};
    others.push_back(&*other);
  }
  return others;
}

}  // namespace

bool TakeLaunchSums(LaunchRegisters registers, std::vector<Term>* terms, const FoundSum& found) {
  for (const LaunchSum& sum : SumsOf(registers)) {
    for (uint16_t d = 0; d < 3; ++d) {
      for (Term& first : *terms) {
        Atoms rest;
        const int64_t factor = first.coefficient;
        if (factor == 0 || !Without(first, sum.parts[0], d, &rest)) continue;
        const std::vector<Term*> others = OthersOf(sum, d, first, rest, terms);
        if (others.size() + 1 != sum.count) continue;
        first.coefficient = 0;
        for (Term* other : others) other->coefficient = 0;
        if (!found(static_cast<uint16_t>(sum.symbol + d), factor, rest)) return false;
      }
    }
  }
  std::erase_if(*terms, [](const Term& term) { return term.coefficient == 0; });
  return true;
}

uint16_t SymbolOfRegister(LaunchRegisters registers, const Atom& atom) {
  const bool cuda = registers == LaunchRegisters::kCuda;
  switch (atom.kind) {
    case Kind::kThread:
      return static_cast<uint16_t>(kLocalId + atom.index);
    case Kind::kBlockSize:
      return static_cast<uint16_t>(kLocalSize + atom.index);
    case Kind::kBlock:
      return cuda ? static_cast<uint16_t>(kGroupId + atom.index) : uint16_t{kNoSymbol};
    case Kind::kGridSize:
      return cuda ? static_cast<uint16_t>(kGroupCount + atom.index) : uint16_t{kNoSymbol};
    default:
      return kNoSymbol;
  }
}

std::optional<int> BoundOfLaunchWord(LaunchRegisters registers, const Expression& word) {
  if (registers == LaunchRegisters::kCuda || word.inexact || word.terms.empty())
    return std::nullopt;
  const LaunchSum& id = kOpenClSums[0];
  for (int d = 0; d < 3; ++d) {
    const auto dimension = static_cast<uint16_t>(d);
    const auto is_part = [&](const Term& term) {
      return term.coefficient == 1 &&
             std::any_of(id.parts.begin(), id.parts.end(), [&](const Part& part) {
               Atoms rest;
               return Without(term, part, dimension, &rest) && rest.empty();
             });
    };
    if (std::all_of(word.terms.begin(), word.terms.end(), is_part)) return d;
  }
  const Term& only = word.terms[0];
  const bool alone = word.terms.size() == 1 && only.coefficient == 1 && only.Degree() == 1;
  const Kind kind = only.atoms[0].kind;
  if (alone && (kind == Kind::kThread || kind == Kind::kBlock || kind == Kind::kBlockSize))
    return kWithin31Bits;
  return std::nullopt;
}

}  // namespace gpusan::cuda
