// Integers as polynomials of launch parameters, thread indices and kernel parameters.
#include "hooks/cuda/analysis/expression.h"

#include <algorithm>
#include <functional>

#include "hooks/cuda/analysis/thread_fields.h"

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxTerms = 16;
constexpr size_t kMaxSlots = 64;

bool Before(const Term& a, const Term& b) { return a.atoms < b.atoms; }

int64_t WrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t WrappingMultiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Loses the terms: only where the value may come from stays known.
void Forget(Expression* expression) {
  Sources sources = expression->Bases();
  *expression = Expression::Unknown(std::move(sources));
}

// lower(p) * x + upper(p) * x * 2^32 is p * x for a 64-bit parameter p.
void FoldParameters(std::vector<Term>* terms) {
  for (size_t i = 0; i < terms->size(); ++i) {
    Term wide = (*terms)[i];
    const auto upper = std::find_if(wide.atoms.begin(), wide.atoms.end(), [](const Atom& atom) {
      return atom.kind == Atom::Kind::kParameter32 && atom.index % 8 == 4;
    });
    if (upper == wide.atoms.end() || wide.coefficient % (int64_t{1} << 32) != 0) continue;
    Term lower = wide;
    lower.coefficient = wide.coefficient / (int64_t{1} << 32);
    const size_t at = static_cast<size_t>(upper - wide.atoms.begin());
    lower.atoms[at].index -= 4;
    std::sort(lower.atoms.begin(), lower.atoms.end(), std::greater<>());
    const auto found = std::find(terms->begin(), terms->end(), lower);
    if (found == terms->end()) continue;
    wide.coefficient = lower.coefficient;
    wide.atoms[at] = {Atom::Kind::kParameter64, static_cast<uint16_t>(wide.atoms[at].index - 4)};
    std::sort(wide.atoms.begin(), wide.atoms.end(), std::greater<>());
    (*terms)[i] = wide;
    terms->erase(found);
    std::sort(terms->begin(), terms->end(), Before);
    i = static_cast<size_t>(-1);
  }
}

// c * tid.x * rest - c * 2^s * (tid.x >> s) * rest is c * (tid.x & (2^s - 1)) * rest: a remainder.
void FoldFields(std::vector<Term>* terms) {
  for (size_t i = 0; i < terms->size(); ++i) {
    const Term upper = (*terms)[i];
    const auto atom = std::find_if(upper.atoms.begin(), upper.atoms.end(), [](const Atom& one) {
      return one.kind == Atom::Kind::kThreadField && FieldOf(one).shift != 0 &&
             FieldOf(one).bits == ThreadField::kAllBits;
    });
    if (atom == upper.atoms.end()) continue;
    const ThreadField field = FieldOf(*atom);
    const int64_t size = int64_t{1} << field.shift;
    if (upper.coefficient % size != 0) continue;
    Term whole = upper;
    const size_t at = static_cast<size_t>(atom - upper.atoms.begin());
    whole.coefficient = -(upper.coefficient / size);
    whole.atoms[at] = {Atom::Kind::kThread, static_cast<uint16_t>(field.dimension)};
    std::sort(whole.atoms.begin(), whole.atoms.end(), std::greater<>());
    const auto found = std::find(terms->begin(), terms->end(), whole);
    if (found == terms->end()) continue;
    Term lower = upper;
    lower.coefficient = whole.coefficient;
    lower.atoms[at] = AtomOf({field.dimension, 0, field.shift});
    std::sort(lower.atoms.begin(), lower.atoms.end(), std::greater<>());
    (*terms)[i] = lower;
    terms->erase(found);
    std::sort(terms->begin(), terms->end(), Before);
    i = static_cast<size_t>(-1);
  }
}

bool HasParameter(const Term& term) {
  return std::any_of(term.atoms.begin(), term.atoms.end(), [](const Atom& atom) {
    return atom.kind == Atom::Kind::kParameter32 || atom.kind == Atom::Kind::kParameter64;
  });
}

// Sorts the terms, adds up equal ones, and drops zeros. An inexact value needs no conditions, and
// only those terms that may be pointers.
void Normalize(Expression* expression) {
  std::vector<Term>& terms = expression->terms;
  std::sort(terms.begin(), terms.end(), Before);
  size_t kept = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (kept != 0 && terms[kept - 1].atoms == terms[i].atoms) {
      terms[kept - 1].coefficient = WrappingAdd(terms[kept - 1].coefficient, terms[i].coefficient);
    } else {
      terms[kept++] = terms[i];
    }
  }
  terms.resize(kept);
  std::erase_if(terms, [](const Term& term) { return term.coefficient == 0; });
  FoldParameters(&terms);
  FoldFields(&terms);
  if (terms.size() > kMaxTerms) Forget(expression);
  if (expression->inexact) {
    expression->conditions.clear();
    std::erase_if(terms, [](const Term& term) { return !HasParameter(term); });
  }
}

std::vector<uint16_t> Union(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b) {
  std::vector<uint16_t> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<Term> CommonTerms(const Expression& a, const Expression& b) {
  std::vector<Term> common;
  for (const Term& term : a.terms) {
    if (std::find(b.terms.begin(), b.terms.end(), term) != b.terms.end()) common.push_back(term);
  }
  return common;
}

bool IsBase(const Term& term) {
  return term.coefficient == 1 && term.atoms[0].kind == Atom::Kind::kParameter64 &&
         term.Degree() == 1;
}

// The upper word of a parameter that stands alone, as part of a sum of upper words.
bool IsUpperWord(const Term& term) {
  return term.coefficient == int64_t{1} << 32 && term.atoms[0].kind == Atom::Kind::kParameter32 &&
         term.Degree() == 1;
}

// A product is not a pointer.
void AddTermSources(const Term& term, Sources* sources) {
  const bool alone = term.Degree() == 1 && (term.coefficient == 1 || term.coefficient == -1);
  const Atom& atom = term.atoms[0];
  if ((alone || IsUpperWord(term)) &&
      (atom.kind == Atom::Kind::kParameter32 || atom.kind == Atom::Kind::kParameter64))
    sources->AddSlot(atom.index & ~7u);
}

}  // namespace

unsigned Term::Degree() const {
  unsigned degree = 0;
  for (const Atom& atom : atoms) degree += atom.kind != Atom::Kind::kNone;
  return degree;
}

void Sources::Add(const Sources& other) {
  if ((other.flags & kGlobals) != 0) {
    if ((flags & kGlobals) == 0) {
      module_word = other.module_word;
    } else if (module_word != other.module_word) {
      module_word = kAnyWord;
    }
  }
  flags |= other.flags;
  if (slots != other.slots) slots = Union(slots, other.slots);
  if (slots.size() > kMaxSlots) {
    slots.clear();
    flags |= kParameters;
  }
}

void Sources::AddSlot(uint16_t slot) {
  const auto at = std::lower_bound(slots.begin(), slots.end(), slot);
  if (at == slots.end() || *at != slot) slots.insert(at, slot);
}

Expression Expression::Constant(int64_t value) {
  Expression expression;
  if (value != 0) expression.terms.push_back({value, {}});
  return expression;
}

Expression Expression::Of(Atom atom) {
  Expression expression;
  expression.terms.push_back({1, {atom}});
  return expression;
}

Expression Expression::Unknown(Sources sources) {
  Expression expression;
  expression.inexact = true;
  expression.sources = std::move(sources);
  return expression;
}

bool Expression::IsConstant(int64_t* value) const {
  if (inexact || HasWordConditions() || terms.size() > 1 ||
      (terms.size() == 1 && terms[0].Degree() != 0))
    return false;
  *value = terms.empty() ? 0 : terms[0].coefficient;
  return true;
}

bool Expression::IsConstant(int64_t value) const {
  int64_t own;
  return IsConstant(&own) && own == value;
}

bool Expression::IsAtom(Atom::Kind kind, uint16_t* index) const {
  if (inexact || HasWordConditions() || terms.size() != 1 || terms[0].coefficient != 1 ||
      terms[0].Degree() != 1)
    return false;
  *index = terms[0].atoms[0].index;
  return terms[0].atoms[0].kind == kind;
}

Sources Expression::AllSources() const {
  Sources all = sources;
  for (const Term& term : terms) AddTermSources(term, &all);
  return all;
}

Sources Expression::Bases() const {
  Sources bases = sources;
  for (const Term& term : terms) {
    if (IsBase(term) || IsUpperWord(term)) AddTermSources(term, &bases);
  }
  return bases;
}

Expression Sum(const Expression& a, const Expression& b, int64_t factor_of_b) {
  Expression sum = a;
  const Expression scaled = Scaled(b, factor_of_b);
  sum.terms.insert(sum.terms.end(), scaled.terms.begin(), scaled.terms.end());
  sum.inexact |= scaled.inexact;
  sum.sources.Add(scaled.sources);
  sum.conditions = Union(sum.conditions, scaled.conditions);
  Normalize(&sum);
  return sum;
}

// A pointer times 2 is not a pointer: the sources survive only a factor of 1 or -1.
Expression Scaled(const Expression& a, int64_t factor) {
  if (factor == 1) return a;
  if (factor == 0) return {};
  Expression scaled = a;
  for (Term& term : scaled.terms) term.coefficient = WrappingMultiply(term.coefficient, factor);
  if (factor != -1) scaled.sources = {};
  Normalize(&scaled);
  return scaled;
}

Expression Product(const Expression& a, const Expression& b) {
  int64_t factor;
  if (a.IsConstant(&factor)) return Scaled(b, factor);
  if (b.IsConstant(&factor)) return Scaled(a, factor);
  Expression product;
  product.inexact = a.inexact || b.inexact;
  if (product.inexact) return product;  // a number: its terms and sources are gone
  product.conditions = Union(a.conditions, b.conditions);
  for (const Term& x : a.terms) {
    for (const Term& y : b.terms) {
      const unsigned degree = x.Degree();
      if (degree + y.Degree() > kMaxDegree) return Expression::Unknown({});
      Term term = x;
      term.coefficient = WrappingMultiply(x.coefficient, y.coefficient);
      for (unsigned i = 0; i < y.Degree(); ++i) term.atoms[degree + i] = y.atoms[i];
      std::sort(term.atoms.begin(), term.atoms.end(), std::greater<>());
      product.terms.push_back(term);
    }
  }
  Normalize(&product);
  return product;
}

std::optional<Expression> WithLowBits(const Expression& wide, int64_t bits) {
  uint64_t all = 0;
  for (const Term& term : wide.terms) all |= static_cast<uint64_t>(term.coefficient);
  const uint64_t divisor = all & -all;
  if (wide.inexact || bits < 0 || static_cast<uint64_t>(bits) >= divisor) return std::nullopt;
  return Sum(wide, Expression::Constant(bits));
}

Expression LowWord(const Expression& wide) {
  Expression word = wide;
  std::erase_if(word.conditions,
                [](uint16_t condition) { return condition < Expression::kOfWord; });
  for (Term& term : word.terms) {
    term.coefficient = static_cast<int32_t>(term.coefficient);
    for (Atom& atom : term.atoms) {
      if (atom.kind == Atom::Kind::kParameter64) atom.kind = Atom::Kind::kParameter32;
    }
    std::sort(term.atoms.begin(), term.atoms.end(), std::greater<>());
  }
  Normalize(&word);
  for (Term& term : word.terms) term.coefficient = static_cast<int32_t>(term.coefficient);
  std::erase_if(word.terms, [](const Term& term) { return term.coefficient == 0; });
  return word;
}

Expression JoinWords(const Expression& a, const Expression& b) {
  if (a == b) return a;
  Expression joined;
  joined.inexact = true;
  joined.terms = CommonTerms(a, b);
  joined.sources = a.sources;
  joined.sources.Add(b.sources);
  for (const Expression* side : {&a, &b}) {
    for (const Term& term : side->terms) {
      if (std::find(joined.terms.begin(), joined.terms.end(), term) == joined.terms.end()) {
        AddTermSources(term, &joined.sources);
      }
    }
  }
  Normalize(&joined);
  return joined;
}

Expression JoinWide(const Expression& a, const Expression& b) {
  if (a == b) return a;
  Expression joined;
  joined.inexact = true;
  joined.terms = CommonTerms(a, b);
  const auto bases_are_common = [&joined](const Expression& side) {
    return std::all_of(side.terms.begin(), side.terms.end(), [&joined](const Term& term) {
      return (!IsBase(term) && !IsUpperWord(term)) ||
             std::find(joined.terms.begin(), joined.terms.end(), term) != joined.terms.end();
    });
  };
  if (bases_are_common(a) && bases_are_common(b)) {
    joined.sources = a.sources;
    joined.sources.Add(b.sources);
  } else {
    joined.terms.clear();
    joined.sources = a.Bases();
    joined.sources.Add(b.Bases());
  }
  Normalize(&joined);
  return joined;
}

Expression InSomeThread(const Expression& a) {
  Expression other = a;
  const size_t erased = std::erase_if(other.terms, [](const Term& term) {
    return !std::all_of(term.atoms.begin(), term.atoms.end(),
                        [](const Atom& atom) { return SameInWarp(atom); });
  });
  // The extensions are those of this thread, not those of another one.
  if (erased == 0 && !other.HasWordConditions()) return other;
  other.inexact = true;
  Normalize(&other);
  return other;
}

}  // namespace gpusan::cuda
