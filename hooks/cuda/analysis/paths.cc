// The certain accesses of a thread, path by path through the first iterations of loops.
//
// Compilers unroll loops: the iterations are divided between a loop for the remainder and a loop
// with several copies of the body, and numbers that no polynomial describes decide which of them
// runs. On a path, a word that is not known is an atom of its own. What the paths after a branch
// have in common happens on either side of it, and some branches exclude each other. Parts of the
// code without accesses through parameters are passed at once, with the values of the fixed point.
// So is a loop after its first iteration: it ends at some time.
#include "hooks/cuda/analysis/paths.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gpusan::cuda {
namespace {

// Limits after which the rest of a path is not followed.
constexpr unsigned kMaxDepth = 32;       // branches
constexpr uint64_t kMaxSteps = 1 << 10;  // instructions of all paths of any thread
constexpr uint64_t kMaxStepsOfFirst = 1 << 9;
constexpr uint64_t kMaxStepsOfWrites = 1 << 12;
constexpr size_t kMaxAccesses = 48;      // of a path
constexpr size_t kMaxExits = 4;          // of a loop
constexpr unsigned kMaxLoopsLeft = 512;  // on all paths
constexpr size_t kMaxGuards = 20;        // of an access
constexpr size_t kMaxOpaque = 1 << 15;   // words of all paths
constexpr uint32_t kEnd = UINT32_MAX;    // no block: the thread ends

using Relation = AccessGuard::Relation;

bool NamesPath(const Term& term) {
  return std::any_of(term.atoms.begin(), term.atoms.end(), [](const Atom& atom) {
    return atom.kind == Atom::Kind::kOpaque || atom.kind == Atom::Kind::kIteration;
  });
}

// The relation of b and a, if `relation` is that of a and b.
Relation Mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreater;
    case Relation::kLessOrEqual:
      return Relation::kGreaterOrEqual;
    case Relation::kGreater:
      return Relation::kLess;
    case Relation::kGreaterOrEqual:
      return Relation::kLessOrEqual;
    case Relation::kEqual:
    case Relation::kNotEqual:
      break;
  }
  return relation;
}

bool Includes(const std::vector<AccessGuard>& all, const std::vector<AccessGuard>& part) {
  return std::all_of(part.begin(), part.end(), [&all](const AccessGuard& guard) {
    return std::find(all.begin(), all.end(), guard) != all.end();
  });
}

class Paths {
 public:
  Paths(const std::vector<Block>& blocks, const Extensions& extensions, const OpaqueWords& words,
        PathsOf whose, const std::vector<AccessGuard>& known, PathCode* code)
      : blocks_(blocks), extensions_(extensions), words_(words), code_(*code), facts_(known) {
    max_steps_ = whose == PathsOf::kAnyThread     ? kMaxSteps
                 : whose == PathsOf::kFirstThread ? kMaxStepsOfFirst
                                                  : kMaxStepsOfWrites;
    executes_skipped_ = whose != PathsOf::kAnyThread;
    on_path_.assign(blocks_.size(), false);
    BackwardGraph backward = Backward(blocks, [code](uint32_t i) { return code->Endless(i); });
    before_ = std::move(backward.before);
    joins_ = std::move(backward.joins);
    // Backwards from the accesses, and from calls from which no thread returns.
    reaches_.assign(blocks_.size(), false);
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].reachable && (code->UsesParameters(i) || code->Endless(i))) open.push_back(i);
    }
    while (!open.empty()) {
      const uint32_t number = open.back();
      open.pop_back();
      if (reaches_[number]) continue;
      reaches_[number] = true;
      open.insert(open.end(), before_[number].begin(), before_[number].end());
    }
  }

  std::vector<SureAccess> Run() { return Follow(kEnd, 0, 0).value_or(Accesses()); }

 private:
  using Accesses = std::vector<SureAccess>;

  // The blocks in which a thread may continue after a block.
  struct Outcome {
    uint32_t block = kEnd;
    Condition condition;
  };
  using Sides = std::vector<std::pair<const Outcome*, Accesses>>;

  // What a thread that comes from `from` surely accesses from the start of a block on; nullopt: no
  // thread gets there.
  std::optional<Accesses> Follow(uint32_t from, uint32_t block, unsigned depth) {
    Accesses own;
    const size_t entered = path_.size();
    bool dead = false;
    while (block != kEnd && reaches_[block]) {
      if (on_path_[block]) {
        if (depth < kMaxDepth) dead = !LeaveLoop(block, from, depth, &own);
        break;
      }
      on_path_[block] = true;
      path_.push_back(block);
      if (!RunBlock(block, &own)) break;
      dead = code_.Endless(block);
      std::vector<Outcome> outcomes = OutcomesOf(block);
      if (dead || outcomes.empty()) break;
      from = block;
      if (outcomes.size() == 1) {
        block = outcomes[0].block;
        continue;
      }
      if (Skip(block, outcomes)) {
        block = joins_[block];
        continue;
      }
      if (depth < kMaxDepth) dead = !Branch(block, outcomes, depth, &own);
      break;
    }
    for (; path_.size() > entered; path_.pop_back()) on_path_[path_.back()] = false;
    if (dead) return std::nullopt;
    return own;
  }

  // Follows a thread that returns from `latch` to the header of a loop, and that leaves the loop
  // somewhere after some iterations. Returns false if no thread does. An exit may lead to a block
  // of the path, which is left in turn and executes nothing: therefore the exits have a limit of
  // their own.
  bool LeaveLoop(uint32_t header, uint32_t latch, unsigned depth, Accesses* own) {
    std::vector<bool> inside(blocks_.size());
    std::vector<uint32_t> loop{header}, open{latch};
    inside[header] = true;
    while (!open.empty()) {
      const uint32_t number = open.back();
      open.pop_back();
      if (inside[number]) continue;
      inside[number] = true;
      loop.push_back(number);
      open.insert(open.end(), before_[number].begin(), before_[number].end());
    }
    std::vector<std::pair<uint32_t, Outcome>> exits;
    for (const uint32_t number : loop) {
      if (blocks_[number].ends || !code_.CanSkip(number)) return true;
      for (const uint32_t next : blocks_[number].successors) {
        if (!inside[next]) exits.push_back({number, {next, {}}});
      }
    }
    if (exits.size() > kMaxExits || ++loops_left_ > kMaxLoopsLeft) return true;
    const std::unique_ptr<PathCode::State> state = code_.Save();
    Sides sides;
    for (const auto& [from, outcome] : exits) {
      code_.Restore(*state);
      code_.Skip(loop, outcome.block);
      if (std::optional<Accesses> side = Follow(from, outcome.block, depth + 1))
        sides.emplace_back(&outcome, std::move(*side));
    }
    return Merge(std::move(sides), own);
  }

  // Follows both sides of a branch. Returns false if no thread gets there.
  bool Branch(uint32_t from, const std::vector<Outcome>& outcomes, unsigned depth, Accesses* own) {
    const std::unique_ptr<PathCode::State> state = code_.Save();
    Sides sides;
    for (const Outcome& outcome : outcomes) {
      if (&outcome != outcomes.data()) code_.Restore(*state);
      const size_t known = facts_.size();
      if (outcome.condition.IsConjunction()) {
        const std::vector<AccessGuard>& guards = outcome.condition.guards;
        facts_.insert(facts_.end(), guards.begin(), guards.end());
      }
      if (std::optional<Accesses> side = Follow(from, outcome.block, depth + 1))
        sides.emplace_back(&outcome, std::move(*side));
      facts_.resize(known);
    }
    return Merge(std::move(sides), own);
  }

  // Adds what is sure where a thread continues on one of the sides. Returns false if there are
  // none.
  bool Merge(Sides sides, Accesses* own) const {
    if (sides.empty()) return false;
    Accesses common = sides[0].second;
    for (size_t i = 1; i < sides.size(); ++i) common = Common(common, sides[i].second);
    for (SureAccess& access : common) Add(std::move(access), own);
    for (auto& [outcome, accesses] : sides) {
      const Condition condition = ConditionFor(outcome->condition);
      if (!IsCondition(condition)) continue;
      for (SureAccess& access : accesses) {
        for (const AccessGuard& guard : condition.guards) {
          if (!Includes(access.guards, {guard})) access.guards.push_back(guard);
        }
        Add(std::move(access), own);
      }
    }
    return true;
  }

  // Returns false if what follows is not known, or at a limit.
  bool RunBlock(uint32_t number, Accesses* own) {
    steps_ += blocks_[number].end - blocks_[number].first;
    if (steps_ > max_steps_) return false;
    return code_.Run(number, [&](SureAccess access, const Condition& condition) {
      const std::optional<bool> holds = Holds(condition);
      if (!holds.value_or(true)) return;
      if (!holds) {
        const Condition evaluated = ConditionFor(condition);
        if (!IsCondition(evaluated)) return;
        access.guards = evaluated.guards;
      }
      if (executes_skipped_) AssumeZero(&access);
      if (Weaken(access.address.inexact || NamesPath(access.address), &access))
        Add(std::move(access), own);
    });
  }

  // Sets what may be 0 to it, and adds to `guards` what must hold for that.
  void AssumeZero(Expression* expression, std::vector<AccessGuard>* guards) const {
    if (expression->inexact || !NamesPath(*expression)) return;
    words_.AssumeZero(expression, guards);
    std::erase_if(expression->conditions, [&](uint16_t condition) {
      const Extension& extension = extensions_.Of(condition);
      Expression word = extension.word;
      words_.AssumeZero(&word, guards);
      int64_t constant;
      return word.IsConstant(&constant) && constant >= 0 &&
             (extension.bits > 32 || constant <= INT32_MAX);
    });
  }

  // A condition that is sufficient for this one, and that launches can evaluate, if there is one.
  Condition ConditionFor(const Condition& condition) const {
    if (!executes_skipped_ || !condition.IsConjunction() || IsCondition(condition))
      return condition;
    Condition sufficient = Condition::Always();
    std::vector<AccessGuard> assumed;
    for (AccessGuard guard : condition.guards) {
      AssumeZero(&guard.left, &assumed);
      AssumeZero(&guard.right, &assumed);
      const std::optional<bool> holds = Decide(guard);
      if (holds && !*holds) return {};
      if (!holds) sufficient.guards.push_back(std::move(guard));
    }
    for (AccessGuard& guard : assumed) sufficient.guards.push_back(std::move(guard));
    return sufficient;
  }

  // Makes the address one that launches can evaluate, by further guards, if there is a way.
  void AssumeZero(SureAccess* access) const {
    SureAccess assumed = *access;
    AssumeZero(&assumed.address, &assumed.guards);
    if (!NamesPath(assumed.address) && IsCondition({true, false, assumed.guards}))
      *access = std::move(assumed);
  }

  // Keeps of the address that it is somewhere behind its only pointer, if `weaker`. Returns false
  // if there is no such pointer.
  static bool Weaken(bool weaker, SureAccess* access) {
    const Sources bases = access->address.Bases();
    if (bases.flags != 0 || bases.slots.size() != 1) return false;
    if (!weaker) return true;
    Expression pointer = Expression::Of({Atom::Kind::kParameter64, bases.slots[0]});
    pointer.inexact = true;
    access->address = std::move(pointer);
    return true;
  }

  // Where a thread that has executed the block can continue. Without a condition: it is not known.
  std::vector<Outcome> OutcomesOf(uint32_t number) {
    if (const std::optional<uint32_t> caller = ReturnsTo(number))
      return {{*caller, Condition::Always()}};
    return EdgesOf(number);
  }

  // The same, without what is known of returns.
  std::vector<Outcome> EdgesOf(uint32_t number) const {
    const Block& block = blocks_[number];
    std::vector<Outcome> outcomes;
    for (const uint32_t next : block.successors)
      outcomes.push_back({next, code_.EdgeCondition(number, next)});
    if (block.ends && block.successors.size() == 1) {
      outcomes.push_back({kEnd, outcomes[0].condition.Negated()});
    } else if (block.ends || outcomes.empty()) {
      outcomes.push_back({kEnd, {}});
    }
    if (outcomes.size() == 1) return outcomes;
    std::vector<Outcome> possible;
    for (Outcome& outcome : outcomes) {
      const std::optional<bool> holds = Holds(outcome.condition);
      if (holds.value_or(true)) possible.push_back(std::move(outcome));
    }
    return possible;
  }

  // The block after the call from which the block returns. The blocks of the function count as
  // left: another call is no loop.
  std::optional<uint32_t> ReturnsTo(uint32_t number) {
    const std::optional<uint32_t> caller = code_.ReturnsTo(number);
    if (!caller) return std::nullopt;
    for (size_t i = path_.size(); i-- != 0;) {
      if (blocks_[path_[i]].end == blocks_[*caller].first && code_.Calls(path_[i])) break;
      on_path_[path_[i]] = false;
    }
    return caller;
  }

  // Whether a condition holds on this path; nullopt: it is not known.
  std::optional<bool> Holds(const Condition& condition) const {
    if (!condition.known) return std::nullopt;
    bool all_decided = true;
    for (const AccessGuard& guard : condition.guards) {
      const std::optional<bool> holds = Holds(guard);
      if (holds && *holds == condition.any) return condition.any;
      all_decided &= holds.has_value();
    }
    if (!all_decided) return std::nullopt;
    return !condition.any;
  }

  std::optional<bool> Holds(const AccessGuard& guard) const {
    if (const std::optional<bool> decided = Decide(guard)) return decided;
    const AccessGuard opposite = guard.Opposite();
    for (const AccessGuard& fact : facts_) {
      if (fact == guard) return true;
      if (fact == opposite || Excludes(fact, guard) || Excludes(guard, fact)) return false;
      if (Excludes(fact, opposite) || Excludes(opposite, fact)) return true;
    }
    return std::nullopt;
  }

  // Whether `small` leaves only a few values for its left side, and `masked` holds for none of
  // them. Both are unsigned or equalities.
  bool Excludes(const AccessGuard& small, const AccessGuard& masked) const {
    constexpr int64_t kMostValues = 16;
    int64_t begin = 0, end, wanted, distance;
    const bool one = small.relation == Relation::kEqual;
    if ((!one && (small.relation != Relation::kLess || small.is_signed)) ||
        !small.right.IsConstant(&end) || small.left.inexact)
      return false;
    if (one) begin = end++;
    if (end <= begin || end - begin > kMostValues) return false;
    uint16_t number;
    if ((masked.relation != Relation::kEqual && masked.relation != Relation::kNotEqual) ||
        !masked.right.IsConstant(&wanted) || !masked.left.IsAtom(Atom::Kind::kOpaque, &number))
      return false;
    const OpaqueWords::Masked& word = words_[number];
    if (word.mask == 0) return false;
    const Expression difference = LowWord(Sum(word.word, LowWord(small.left), -1));
    if (!difference.IsConstant(&distance)) return false;
    for (int64_t value = begin; value < end; ++value) {
      const uint32_t result = static_cast<uint32_t>(value + distance) & word.mask;
      const bool equal = result == static_cast<uint64_t>(wanted);
      if (equal == (masked.relation == Relation::kEqual)) return false;
    }
    return true;
  }

  // Whether launches can evaluate the condition.
  bool IsCondition(const Condition& condition) const {
    return condition.IsConjunction() &&
           std::none_of(condition.guards.begin(), condition.guards.end(),
                        [this](const AccessGuard& guard) {
                          return guard.left.inexact || guard.right.inexact ||
                                 NamesPath(guard.left) || NamesPath(guard.right);
                        });
  }

  bool NamesPath(const Expression& expression) const {
    const auto names = [](const Expression& one) {
      return std::any_of(one.terms.begin(), one.terms.end(),
                         [](const Term& term) { return cuda::NamesPath(term); });
    };
    return names(expression) ||
           std::any_of(expression.conditions.begin(), expression.conditions.end(),
                       [&](uint16_t i) { return names(extensions_.Of(i).word); });
  }

  // Whether both are accesses of one sort through one pointer.
  static bool Alike(const SureAccess& a, const SureAccess& b) {
    return a.sort == b.sort && a.address.Bases() == b.address.Bases();
  }
  // Whether both access the same bytes, or are somewhere behind one pointer.
  static bool Same(const SureAccess& a, const SureAccess& b) {
    return Alike(a, b) && a.address == b.address && (a.address.inexact || a.width == b.width);
  }

  // The accesses on both sides of a branch that is not understood.
  static Accesses Common(const Accesses& a, const Accesses& b) {
    Accesses common;
    for (const SureAccess& one : a) {
      auto other = std::find_if(b.begin(), b.end(),
                                [&one](const SureAccess& access) { return Same(one, access); });
      SureAccess both = one;
      if (other == b.end()) {
        other = std::find_if(b.begin(), b.end(),
                             [&one](const SureAccess& access) { return Alike(one, access); });
        if (other == b.end()) continue;
        Weaken(true, &both);
      }
      for (const AccessGuard& guard : other->guards) {
        if (!Includes(both.guards, {guard})) both.guards.push_back(guard);
      }
      Add(std::move(both), &common);
    }
    return common;
  }

  static void Add(SureAccess access, Accesses* accesses) {
    if (accesses->size() == kMaxAccesses || access.guards.size() > kMaxGuards) return;
    const auto implies = [](const SureAccess& strong, const SureAccess& weak) {
      return Includes(weak.guards, strong.guards) &&
             (Same(strong, weak) || (weak.address.inexact && Alike(strong, weak)));
    };
    for (const SureAccess& one : *accesses) {
      if (implies(one, access)) return;
    }
    std::erase_if(*accesses, [&](const SureAccess& one) { return implies(access, one); });
    accesses->push_back(std::move(access));
  }

  // Passes the blocks between a branch and the block where its sides meet again, if they make no
  // access that is looked for. Returns false, without an effect, if that is not possible.
  bool Skip(uint32_t from, const std::vector<Outcome>& outcomes) {
    const uint32_t join = joins_[from];
    if (join >= blocks_.size() || on_path_[join]) return false;
    std::vector<bool> seen(blocks_.size());
    std::vector<uint32_t> open{from}, skipped;
    seen[join] = true;
    while (!open.empty()) {
      const uint32_t number = open.back();
      open.pop_back();
      for (const uint32_t next : blocks_[number].successors) {
        if (seen[next] || code_.Endless(next)) continue;
        if (on_path_[next] || code_.UsesParameters(next) || !code_.CanSkip(next)) return false;
        seen[next] = true;
        open.push_back(next);
        skipped.push_back(next);
      }
    }
    if (!executes_skipped_ || !Execute(outcomes, skipped, join)) code_.Skip(skipped, join);
    return true;
  }

  // Executes the blocks between a branch with these outcomes and `join`, each of them once, with
  // what all paths to it have in common. Returns false, without an effect, if they have a loop or
  // at the limit.
  bool Execute(const std::vector<Outcome>& outcomes, std::vector<uint32_t> between, uint32_t join) {
    std::sort(between.begin(), between.end(),
              [this](uint32_t a, uint32_t b) { return blocks_[a].order < blocks_[b].order; });
    uint64_t steps = steps_;
    for (const uint32_t number : between) {
      steps += blocks_[number].end - blocks_[number].first;
      for (const uint32_t next : blocks_[number].successors) {
        if (next != join && blocks_[next].order <= blocks_[number].order) return false;
      }
    }
    if (steps > max_steps_) return false;
    const std::unique_ptr<PathCode::State> before = code_.Save();
    std::map<uint32_t, std::unique_ptr<PathCode::State>> entries;
    const auto leave = [&](const std::vector<Outcome>& towards) {
      for (const Outcome& outcome : towards) {
        std::unique_ptr<PathCode::State>& entry = entries[outcome.block];
        if (entry == nullptr) {
          entry = code_.Save();
        } else {
          code_.JoinInto(entry.get());
        }
      }
    };
    leave(outcomes);
    const auto ignore = [](const SureAccess&, const Condition&) {};
    bool runs = true;
    for (const uint32_t number : between) {
      const auto entry = entries.find(number);
      if (entry == entries.end()) continue;
      steps_ += blocks_[number].end - blocks_[number].first;
      code_.Restore(*entry->second);
      runs = code_.Run(number, ignore);
      if (!runs) break;
      if (!code_.Endless(number)) leave(EdgesOf(number));
    }
    const auto end = entries.find(join);
    code_.Restore(runs && end != entries.end() ? *end->second : *before);
    return runs && end != entries.end();
  }

  const std::vector<Block>& blocks_;
  const Extensions& extensions_;
  const OpaqueWords& words_;
  PathCode& code_;
  std::vector<uint32_t> joins_;                // by block: its immediate postdominator
  std::vector<std::vector<uint32_t>> before_;  // by block, and of the end: its predecessors
  std::vector<bool> reaches_;                  // by block: it must be followed
  std::vector<uint32_t> path_;                 // the blocks of the path
  std::vector<bool> on_path_;                  // by block
  std::vector<AccessGuard> facts_;
  unsigned loops_left_ = 0;
  uint64_t steps_ = 0, max_steps_ = 0;
  bool executes_skipped_ = false;
};

}  // namespace

Expression OpaqueWords::Add(Sources sources, Masked known) {
  const bool conditional =
      known.word.HasWordConditions() ||
      std::any_of(known.zero_if.begin(), known.zero_if.end(), [](const AccessGuard& guard) {
        return guard.left.HasWordConditions() || guard.right.HasWordConditions();
      });
  if (conditional || words_.size() == kMaxOpaque) return Expression::Unknown(std::move(sources));
  Expression word = Expression::Of({Atom::Kind::kOpaque, static_cast<uint16_t>(words_.size())});
  word.sources = std::move(sources);
  words_.push_back(std::move(known));
  return word;
}

OpaqueWords::Masked OpaqueWords::Shifted(Expression word, uint8_t shift, bool is_signed) {
  Masked shifted;
  shifted.zero_if.push_back({Relation::kEqual, false, false, word, {}});
  shifted.word = std::move(word);
  shifted.shift = shift;
  shifted.is_signed = is_signed;
  return shifted;
}

std::optional<OpaqueWords::Masked> OpaqueWords::Limited(const Expression& a, const Expression& b,
                                                        bool smaller, bool is_signed) {
  Masked limited;
  limited.is_signed = is_signed;
  limited.limited = smaller ? Limit::kSmaller : Limit::kLarger;
  const bool first = a.IsConstant(&limited.limit);
  if (!first && !b.IsConstant(&limited.limit)) return std::nullopt;
  limited.word = first ? b : a;
  if (limited.limit < 0 || limited.word.inexact) return std::nullopt;
  return limited;
}

// min(w, limit) < c is w < c where c is at most the limit.
void OpaqueWords::SimplifyLimited(const Masked& known, int64_t constant, AccessGuard* guard) {
  const bool equality =
      guard->relation == Relation::kEqual || guard->relation == Relation::kNotEqual;
  if (!equality && known.is_signed != guard->is_signed) return;
  const bool smaller = known.limited == Limit::kSmaller;
  // Whether the two comparisons are also equivalent if the constant equals the limit.
  const bool inclusive =
      guard->relation == (smaller ? Relation::kLess : Relation::kGreater) ||
      guard->relation == (smaller ? Relation::kGreaterOrEqual : Relation::kLessOrEqual);
  const int64_t distance = smaller ? known.limit - constant : constant - known.limit;
  if (distance > 0 || (distance == 0 && inclusive)) guard->left = known.word;
}

void OpaqueWords::Simplify(AccessGuard* guard) const {
  int64_t constant;
  if (guard->wide) return;
  if (guard->left.IsConstant(&constant)) {
    std::swap(guard->left, guard->right);
    guard->relation = Mirrored(guard->relation);
  }
  if (!guard->right.IsConstant(&constant) || constant < 0) return;
  // Both round down: to a multiple of `unit`, which then is divided by `divisor`.
  int64_t unit = 0, divisor = 1;
  const bool equality =
      guard->relation == Relation::kEqual || guard->relation == Relation::kNotEqual;
  bool is_signed = guard->is_signed && !equality;
  Expression word;
  for (const Term& term : guard->left.terms) {
    if (term.atoms[0].kind != Atom::Kind::kOpaque || term.Degree() != 1) continue;
    const Masked& known = words_[term.atoms[0].index];
    const bool alone = guard->left.terms.size() == 1 && term.coefficient == 1;
    if (alone && known.limited != Limit::kNone) return SimplifyLimited(known, constant, guard);
    if (alone && known.shift != 0 && known.shift < 31) {
      // The result of an unsigned shift has no sign.
      unit = divisor = int64_t{1} << known.shift;
      if (known.is_signed && !guard->is_signed) return;
      is_signed = known.is_signed;
      word = known.word;
    } else if (term.coefficient == -1 && known.mask != 0 && (known.mask & (known.mask + 1)) == 0 &&
               known.mask < INT32_MAX) {
      Expression rest = guard->left;
      std::erase(rest.terms, term);
      if (rest.terms != known.word.terms) continue;
      unit = int64_t{known.mask} + 1;
      word = known.word;
    } else {
      continue;
    }
    break;
  }
  if (unit == 0 || constant % (unit / divisor) != 0) return;
  const auto compare = [&](Relation relation, int64_t with) {
    if (with <= INT32_MAX) *guard = {relation, is_signed, false, word, Expression::Constant(with)};
  };
  const int64_t first = constant * divisor, next = first + unit;
  switch (guard->relation) {
    case Relation::kLess:
      return compare(Relation::kLess, first);
    case Relation::kLessOrEqual:
      return compare(Relation::kLess, next);
    case Relation::kGreater:
      return compare(Relation::kGreaterOrEqual, next);
    case Relation::kGreaterOrEqual:
      return compare(Relation::kGreaterOrEqual, first);
    case Relation::kEqual:
      if (constant == 0 && !is_signed) compare(Relation::kLess, next);
      return;
    case Relation::kNotEqual:
      if (constant == 0 && !is_signed) compare(Relation::kGreaterOrEqual, next);
      return;
  }
}

void OpaqueWords::AssumeZero(Expression* expression, std::vector<AccessGuard>* guards) const {
  const size_t terms = expression->terms.size();
  for (size_t i = expression->terms.size(); i-- != 0;) {
    const Term term = expression->terms[i];
    for (const Atom& atom : term.atoms) {
      if (atom.kind != Atom::Kind::kOpaque || words_[atom.index].zero_if.empty()) continue;
      for (AccessGuard guard : words_[atom.index].zero_if) {
        AssumeZero(&guard.left, guards);
        if (std::find(guards->begin(), guards->end(), guard) == guards->end())
          guards->push_back(std::move(guard));
      }
      expression->terms.erase(expression->terms.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  }
  // The sources of an atom of a word are not those of a pointer, if the word is 0.
  if (terms != expression->terms.size()) expression->sources = {};
}

Expression FirstThread::ValueOf(Atom atom) {
  if (!active_) return Expression::Of(atom);
  // The lane follows from all indices in the block.
  const bool lane = atom.kind == Atom::Kind::kLane;
  for (uint16_t i = lane ? 0 : atom.index; i <= (lane ? 2 : atom.index); ++i) {
    const Atom index = {lane ? Atom::Kind::kThread : atom.kind, i};
    if (std::find(read_.begin(), read_.end(), index) == read_.end()) read_.push_back(index);
  }
  return {};
}

void FirstThread::AddGuards(std::vector<AccessGuard>* guards) const {
  for (const Atom& index : read_)
    guards->push_back({Relation::kEqual, false, false, Expression::Of(index), {}});
}

std::vector<SureAccess> FollowPaths(const std::vector<Block>& blocks, const Extensions& extensions,
                                    const OpaqueWords& words, PathsOf whose,
                                    const std::vector<AccessGuard>& known, PathCode* code) {
  return Paths(blocks, extensions, words, whose, known, code).Run();
}

}  // namespace gpusan::cuda
