// Loops of a kernel, and values that depend on the number of the iteration.
#include "hooks/cuda/analysis/loops.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gpusan::cuda {
namespace {

constexpr size_t kMaxLoops = 64;
constexpr size_t kMaxBlocks = 1024;

// How often the term names the iteration of the loop.
unsigned TimesNamed(const Term& term, uint16_t loop) {
  return static_cast<unsigned>(std::count(term.atoms.begin(), term.atoms.end(), IterationOf(loop)));
}

bool NamesAnyLoop(const Term& term) {
  return std::any_of(term.atoms.begin(), term.atoms.end(),
                     [](const Atom& atom) { return atom.kind == Atom::Kind::kIteration; });
}

// Without its iteration of the loop, which it names once.
Term Without(const Term& term, uint16_t loop) {
  Term rest = term;
  const auto at = std::find(rest.atoms.begin(), rest.atoms.end(), IterationOf(loop));
  std::copy(at + 1, rest.atoms.end(), at);
  rest.atoms.back() = {};
  return rest;
}

template <typename Predicate>
bool AnyTerm(const Expression& expression, const std::vector<Extension>& extensions,
             Predicate predicate) {
  const auto in = [&](const Expression& one) {
    return std::any_of(one.terms.begin(), one.terms.end(), predicate);
  };
  return in(expression) ||
         std::any_of(expression.conditions.begin(), expression.conditions.end(),
                     [&](uint16_t i) { return in(extensions[Extensions::IndexOf(i)].word); });
}

}  // namespace

bool NaturalLoop::Contains(uint32_t block) const {
  return std::binary_search(blocks.begin(), blocks.end(), block);
}

std::vector<NaturalLoop> FindLoops(const std::vector<Block>& blocks, const BlockConditions& graph) {
  std::vector<NaturalLoop> loops;
  if (blocks.size() > kMaxBlocks) return loops;
  std::map<uint32_t, std::vector<uint32_t>> latches;  // by header
  for (const uint32_t from : graph.order()) {
    for (const uint32_t to : blocks[from].successors) {
      if (graph.Dominates(to, from)) latches[to].push_back(from);
    }
  }
  for (const auto& [header, ends] : latches) {
    if (ends.size() != 1) continue;
    if (loops.size() == kMaxLoops) return {};
    NaturalLoop& loop = loops.emplace_back();
    loop.header = header;
    loop.latch = ends[0];
    std::vector<bool> inside(blocks.size());
    inside[header] = true;
    std::vector<uint32_t> open = {loop.latch};
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      if (inside[block]) continue;
      inside[block] = true;
      const std::vector<uint32_t>& before = graph.PredecessorsOf(block);
      open.insert(open.end(), before.begin(), before.end());
    }
    for (uint32_t block = 0; block < blocks.size(); ++block) {
      if (inside[block]) loop.blocks.push_back(block);
    }
  }
  std::stable_sort(loops.begin(), loops.end(), [](const NaturalLoop& a, const NaturalLoop& b) {
    return a.blocks.size() > b.blocks.size();
  });
  return loops;
}

bool LoopValues::Names(const Expression& expression, uint16_t loop) const {
  return AnyTerm(expression, extensions_.all(),
                 [loop](const Term& term) { return TimesNamed(term, loop) != 0; });
}

bool LoopValues::NamesAny(const Expression& expression) const {
  return AnyTerm(expression, extensions_.all(), NamesAnyLoop);
}

// `change` returns what a term that names the iteration once becomes.
template <typename Change>
Expression LoopValues::Changed(const Expression& expression, uint16_t loop, Change change) {
  Expression changed = expression;
  changed.terms.clear();
  changed.conditions.clear();
  for (const Term& term : expression.terms) {
    const unsigned times = TimesNamed(term, loop);
    if (times > 1) return Forget(expression, loop);
    if (times == 0) {
      changed.terms.push_back(term);
    } else {
      for (const Term& one : change(term)) changed.terms.push_back(one);
    }
  }
  for (const uint16_t condition : expression.conditions) {
    Extension extension = extensions_.Of(condition);
    if (Names(extension.word, loop)) {
      extension.word = Changed(extension.word, loop, change);
      if (extension.bits == 32) extension.word = LowWord(extension.word);
    }
    const std::optional<uint16_t> index = extensions_.Add(extension);
    if (!index || extension.word.inexact) return Forget(expression, loop);
    changed.conditions.push_back(static_cast<uint16_t>(*index | (condition & Expression::kOfWord)));
  }
  std::sort(changed.conditions.begin(), changed.conditions.end());
  changed.conditions.erase(std::unique(changed.conditions.begin(), changed.conditions.end()),
                           changed.conditions.end());
  return Sum(changed, {});
}

Expression LoopValues::Later(const Expression& expression, uint16_t loop, int64_t distance) {
  return Changed(expression, loop, [loop, distance](const Term& term) {
    Term added = Without(term, loop);
    added.coefficient *= distance;
    return std::vector<Term>{term, added};
  });
}

Expression LoopValues::First(const Expression& expression, uint16_t loop) {
  return Changed(expression, loop, [](const Term&) { return std::vector<Term>(); });
}

Expression LoopValues::Forget(const Expression& expression, uint16_t loop) {
  Expression forgotten = expression;
  std::erase_if(forgotten.terms, [loop](const Term& term) { return TimesNamed(term, loop) != 0; });
  forgotten.inexact = true;
  return Sum(forgotten, {});
}

}  // namespace gpusan::cuda
