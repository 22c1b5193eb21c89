// The accesses of a kernel through its parameters, in the form that launches evaluate.
#include "hooks/cuda/summaries/kernel_uses.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/cuda/summaries/independent_fields.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan::cuda {
namespace {

// For a pointer with more accesses, only the kinds are known.
constexpr size_t kMaxAccesses = 64;
constexpr size_t kMaxIntegers = 64;

// Translates polynomials into formulas of the tracker.
class Translator {
 public:
  Translator(const KernelAccess& access, const std::vector<uint32_t>& offsets,
             const std::vector<uint32_t>& sizes, LaunchRegisters registers,
             std::vector<ParameterWord>* integers)
      : access_(access),
        offsets_(offsets),
        sizes_(sizes),
        registers_(registers),
        integers_(*integers) {}

  // The bytes of the parameter block at `offset`; nullopt if they are no part of one parameter.
  std::optional<ParameterWord> WordAt(uint32_t offset, uint32_t bytes) const {
    const auto next = std::upper_bound(offsets_.begin(), offsets_.end(), offset);
    if (next == offsets_.begin()) return std::nullopt;
    const size_t index = static_cast<size_t>(next - offsets_.begin()) - 1;
    const uint32_t inside = offset - offsets_[index];
    if (inside >= sizes_[index] || bytes > sizes_[index] - inside) return std::nullopt;
    return ParameterWord{static_cast<uint32_t>(index), inside, bytes};
  }

  // Adds the 8 bytes at `offset` of the parameter block to the integers. Returns false if there are
  // too many, or the bytes are no part of one parameter.
  bool AddInteger(uint16_t offset) { return IntegerAt(offset, 8) != kNoSymbol; }

  // The access through the only pointer of its address, at `pointer` in the parameter block.
  SummaryAccess Translate(const KernelMemoryAccess& one, uint16_t pointer, bool sure) {
    SummaryAccess access;
    access.kind = one.strong || one.kind == kAtomics ? SummaryAccess::Kind::kAtomic
                  : one.kind == kWrites              ? SummaryAccess::Kind::kWrite
                                                     : SummaryAccess::Kind::kRead;
    access.bytes = one.width;
    access.guarded = sure && one.guards_complete && IsOnlyBase(one.address, pointer);
    loops_ = &one.loops;
    AddParts(one, &access);
    if (!AddLoops(&access)) return access;
    for (const AccessGuard& guard : one.guards) access.guarded &= AddGuard(guard, &access);
    // The offset of an asynchronous copy into shared memory is not decoded.
    if (one.address.inexact || one.to_shared || !IsOnlyBase(one.address, pointer)) return access;
    Expression offset = Sum(one.address, Expression::Of({Atom::Kind::kParameter64, pointer}), -1);
    const size_t before = integers_.size();
    if (Formula(offset, &access.offset) && Fits(one.address, &access.offset_fits)) {
      access.ranged = true;
    } else {
      access.offset.clear();
      access.offset_fits.clear();
      integers_.resize(before);
    }
    return access;
  }

  // A read that every thread makes if the guard holds; of every launch without a guard.
  ParameterSummary ReadIf(const std::optional<AccessGuard>& guard) {
    static const std::vector<LoopBound> kNoLoops;
    loops_ = &kNoLoops;
    fields_.clear();
    ParameterSummary summary;
    summary.known = true;
    SummaryAccess read;
    read.guarded = !guard || AddGuard(*guard, &read);
    summary.accesses.push_back(std::move(read));
    return summary;
  }

 private:
  // Another pointer in the address could be its base as well.
  static bool IsOnlyBase(const Expression& address, uint16_t pointer) {
    const Sources bases = address.Bases();
    return bases.flags == 0 && bases.slots.size() == 1 && bases.slots[0] == pointer;
  }

  bool Fits(const Expression& address, std::vector<SummaryFit>* fits) {
    for (const uint16_t condition : address.conditions) {
      const uint16_t index = Extensions::IndexOf(condition);
      if (index >= access_.extensions.size()) return false;
      const Extension& extension = access_.extensions[index];
      const std::optional<int> bound =
          extension.bits == 32 ? BoundOfLaunchWord(registers_, extension.word) : std::nullopt;
      if (bound == kWithin31Bits) continue;
      SummaryFit& fit = fits->emplace_back();
      fit.bits = extension.bits;
      fit.is_signed = extension.is_signed;
      if (bound) {
        fit.value = SymbolFormula(kGlobalId + *bound);
        continue;
      }
      if (extension.word.inexact || !Formula(extension.word, &fit.value)) return false;
    }
    return true;
  }

  // Makes the fields of thread indices parts of identifiers.
  void AddParts(const KernelMemoryAccess& one, SummaryAccess* access) {
    fields_ = IndependentFields(one, access_.extensions);
    if (fields_.size() + loops_->size() > kMaxLoops) fields_.clear();
    for (const ThreadField& field : fields_) {
      const bool all = field.bits == ThreadField::kAllBits;
      access->parts.push_back({static_cast<uint8_t>(field.dimension),
                               static_cast<uint8_t>(field.shift),
                               all ? SummaryPart::kAllBits : static_cast<uint8_t>(field.bits)});
    }
  }

  // The loops have the numbers of their order, after those of the fields. Returns false if one of
  // them has no counterpart: then nothing is known of the access but its kind.
  bool AddLoops(SummaryAccess* access) {
    const size_t before = integers_.size();
    for (const LoopBound& loop : *loops_) {
      SummaryAccess next;  // only its fits are needed: the loop ends with this comparison
      if (AddGuard(loop.condition, access) && AddGuard(loop.next, &next) &&
          MakeNegative(&access->guards.back())) {
        access->fits.insert(access->fits.end(), next.fits.begin(), next.fits.end());
        continue;
      }
      integers_.resize(before);
      access->guards.clear();
      access->fits.clear();
      access->guarded = false;
      return false;
    }
    return true;
  }

  // Changes the guard to one that compares with kNegative. Returns false for equality.
  static bool MakeNegative(SummaryGuard* guard) {
    using Kind = SummaryGuard::Kind;
    const Kind kind = guard->kind;
    if (kind == Kind::kZero || kind == Kind::kNotZero) return false;
    const bool negated = kind == Kind::kPositive || kind == Kind::kNotNegative;
    const bool included = kind == Kind::kNotPositive || kind == Kind::kNotNegative;
    std::optional<SummaryFormula> value = gpusan::Add({}, guard->value, negated ? -1 : 1);
    if (value && included) value = gpusan::Add(*value, ConstantFormula(1), -1);
    if (!value) return false;
    *guard = {std::move(*value), Kind::kNegative};
    return true;
  }

  // Returns false, without an effect, if the guard has no counterpart.
  bool AddGuard(const AccessGuard& guard, SummaryAccess* access) {
    using Relation = AccessGuard::Relation;
    const size_t before = integers_.size();
    SummaryFit left, right;
    SummaryGuard added;
    left.bits = right.bits = guard.wide ? 64 : 32;
    left.is_signed = right.is_signed = guard.is_signed;
    std::vector<SummaryFit> fits;
    if (guard.left.inexact || guard.right.inexact || !Formula(guard.left, &left.value) ||
        !Formula(guard.right, &right.value) || !Fits(guard.left, &fits) ||
        !Fits(guard.right, &fits) || !Formula(Sum(guard.left, guard.right, -1), &added.value)) {
      integers_.resize(before);
      return false;
    }
    switch (guard.relation) {
      case Relation::kLess:
        added.kind = SummaryGuard::Kind::kNegative;
        break;
      case Relation::kEqual:
        added.kind = SummaryGuard::Kind::kZero;
        break;
      case Relation::kLessOrEqual:
        added.kind = SummaryGuard::Kind::kNotPositive;
        break;
      case Relation::kGreater:
        added.kind = SummaryGuard::Kind::kPositive;
        break;
      case Relation::kNotEqual:
        added.kind = SummaryGuard::Kind::kNotZero;
        break;
      case Relation::kGreaterOrEqual:
        added.kind = SummaryGuard::Kind::kNotNegative;
        break;
    }
    access->guards.push_back(std::move(added));
    access->fits.push_back(std::move(left));
    access->fits.push_back(std::move(right));
    access->fits.insert(access->fits.end(), fits.begin(), fits.end());
    return true;
  }

  // Adds the terms of an exact polynomial. Returns false if it has symbols without a counterpart.
  bool Formula(const Expression& expression, SummaryFormula* formula) {
    std::vector<Term> terms = expression.terms;
    const auto add = [&](uint16_t symbol, int64_t factor, const std::vector<Atom>& rest) {
      SummaryTerm& term = formula->emplace_back();
      term.factor = factor;
      term.symbols[0] = symbol;
      return AddSymbols(rest, 1, &term);
    };
    if (!TakeLaunchSums(registers_, &terms, add)) return false;
    for (const Term& term : terms) {
      if (!AddTerm(term, formula)) return false;
    }
    return true;
  }

  bool AddSymbols(absl::Span<const Atom> atoms, size_t used, SummaryTerm* term) {
    if (atoms.size() + used > SummaryTerm::kMaxSymbols) return false;
    for (const Atom& atom : atoms) {
      const uint16_t symbol = SymbolOf(atom);
      if (symbol == kNoSymbol) return false;
      term->symbols[used++] = symbol;
    }
    return true;
  }

  bool AddTerm(const Term& term, SummaryFormula* formula) {
    SummaryTerm& added = formula->emplace_back();
    added.factor = term.coefficient;
    return AddSymbols(absl::MakeConstSpan(term.atoms.data(), term.Degree()), 0, &added);
  }

  uint16_t SymbolOf(const Atom& atom) {
    switch (atom.kind) {
      case Atom::Kind::kParameter32:
        return IntegerAt(atom.index, 4);
      case Atom::Kind::kParameter64:
        return IntegerAt(atom.index, 8);
      case Atom::Kind::kIteration:
        return LoopOf(atom.index);
      case Atom::Kind::kThreadField:
        return PartOf(FieldOf(atom));
      default:
        return SymbolOfRegister(registers_, atom);
    }
  }

  uint16_t LoopOf(uint16_t number) const {
    for (size_t i = 0; i < loops_->size() && fields_.size() + i < kMaxLoops; ++i) {
      if ((*loops_)[i].loop == number) return static_cast<uint16_t>(kLoop + fields_.size() + i);
    }
    return kNoSymbol;
  }

  uint16_t PartOf(const ThreadField& field) const {
    const auto found = std::find(fields_.begin(), fields_.end(), field);
    if (found == fields_.end()) return kNoSymbol;
    return static_cast<uint16_t>(kLoop + (found - fields_.begin()));
  }

  uint16_t IntegerAt(uint32_t offset, uint32_t bytes) {
    const std::optional<ParameterWord> word = WordAt(offset, bytes);
    if (!word) return kNoSymbol;
    if (registers_ == LaunchRegisters::kOpenCl) {
      return bytes == sizes_[word->parameter] ? static_cast<uint16_t>(kArgument + word->parameter)
                                              : uint16_t{kNoSymbol};
    }
    for (size_t i = 0; i < integers_.size(); ++i) {
      const ParameterWord& known = integers_[i];
      if (known.parameter == word->parameter && known.offset == word->offset &&
          known.bytes == bytes)
        return static_cast<uint16_t>(kArgument + i);
    }
    if (integers_.size() >= kMaxIntegers) return kNoSymbol;
    integers_.push_back(*word);
    return static_cast<uint16_t>(kArgument + integers_.size() - 1);
  }

  const KernelAccess& access_;
  const std::vector<uint32_t>& offsets_;
  const std::vector<uint32_t>& sizes_;
  const LaunchRegisters registers_;
  std::vector<ParameterWord>& integers_;
  // Of the access that is translated.
  const std::vector<LoopBound>* loops_ = nullptr;
  std::vector<ThreadField> fields_;
};

// An access of which only the kind is known.
SummaryAccess Vague(SummaryAccess::Kind kind) {
  SummaryAccess access;
  access.kind = kind;
  return access;
}

void AddVague(uint8_t kinds, std::vector<SummaryAccess>* accesses) {
  if ((kinds & kReads) != 0) accesses->push_back(Vague(SummaryAccess::Kind::kRead));
  if ((kinds & kWrites) != 0) accesses->push_back(Vague(SummaryAccess::Kind::kWrite));
  if ((kinds & kAtomics) != 0) accesses->push_back(Vague(SummaryAccess::Kind::kAtomic));
}

// Adds the access if a launch determines its threads and bytes.
void AddWaited(const KernelMemoryAccess& one, uint16_t pointer, Translator* translator,
               ParameterSummary* waited) {
  if (one.without_waiting || !one.guards_complete || !one.exact_width) return;
  SummaryAccess access = translator->Translate(one, pointer, true);
  if (access.guarded && access.ranged) waited->accesses.push_back(std::move(access));
}

bool IsWrite(const SummaryAccess& access) { return access.kind == SummaryAccess::Kind::kWrite; }

bool MayUse(const KernelMemoryAccess& one, uint16_t pointer) {
  const Sources bases = one.address.Bases();
  return (bases.flags & Sources::kParameters) != 0 ||
         std::binary_search(bases.slots.begin(), bases.slots.end(), pointer);
}

// The kind of the pointer, by the accesses through it; kNone if they contradict each other.
ViewKind ViewOf(const KernelAccess& access, uint16_t pointer) {
  std::optional<ViewKind> view;
  for (const KernelMemoryAccess& one : access.accesses) {
    if (!MayUse(one, pointer)) continue;
    if (view && *view != one.view) return ViewKind::kNone;
    view = one.view;
  }
  return access.accesses_complete && view ? *view : ViewKind::kNone;
}

// Returns the pointer with its accesses. `sure`: the kernel executes each of them unless their
// guards forbid it. Returns nullopt if the code does not tell its parameter.
std::optional<KernelUses::Pointer> PointerOf(const KernelAccess& access, const PointerUse& use,
                                             bool sure, Translator* translator) {
  const std::optional<ParameterWord> word = translator->WordAt(use.offset, 8);
  if (!word) return std::nullopt;
  const ViewKind view = ViewOf(access, use.offset);
  if (view != ViewKind::kNone && !translator->AddInteger(use.offset)) return std::nullopt;
  std::optional<KernelUses::Pointer> result(std::in_place);
  KernelUses::Pointer& pointer = *result;
  pointer.word = *word;
  pointer.view = view;
  pointer.summary.known = pointer.updates.known = pointer.waited.known = true;
  std::vector<SummaryAccess>& accesses = pointer.summary.accesses;
  if (!access.accesses_complete) {
    AddVague(use.kinds, &accesses);
    return result;
  }
  const auto count =
      std::count_if(access.accesses.begin(), access.accesses.end(),
                    [&](const KernelMemoryAccess& one) { return MayUse(one, use.offset); });
  // Of too many accesses, those whose bytes a launch determines are kept.
  const bool crowded = static_cast<size_t>(count) > kMaxAccesses;
  uint8_t listed = 0, dropped = 0;
  // The kernel reads all bytes before it writes them.
  bool all_in_place = (access.unknown & (kWrites | kAtomics)) == 0;
  for (const KernelMemoryAccess& one : access.accesses) {
    if (!MayUse(one, use.offset) || one.view != view) continue;
    if (crowded && (one.address.inexact || !one.guards_complete || !one.exact_width ||
                    accesses.size() >= kMaxAccesses)) {
      dropped |= one.kind;
      continue;
    }
    listed |= one.kind;
    accesses.push_back(translator->Translate(one, use.offset, sure || one.without_waiting));
    if (access.may_wait && view == ViewKind::kNone)
      AddWaited(one, use.offset, translator, &pointer.waited);
    // An object is the parameter itself.
    if (view != ViewKind::kNone &&
        one.address != Expression::Of({Atom::Kind::kParameter64, use.offset}))
      accesses.back().guarded = false;
    if (one.update) {
      SummaryAccess& update = pointer.updates.accesses.emplace_back(accesses.back());
      if (one.kind == kAtomics) update.kind = SummaryAccess::Kind::kRead;
    } else {
      all_in_place &= one.kind == kReads;
    }
    // How many of the bytes it accesses is not known.
    if (!one.exact_width) accesses.back().guarded = false;
  }
  const auto unlisted = static_cast<uint8_t>(use.kinds & ~listed);
  all_in_place &= (unlisted & (kWrites | kAtomics)) == 0;
  if (!all_in_place) std::erase_if(pointer.updates.accesses, IsWrite);
  if (dropped != 0) pointer.updates.accesses.clear();
  AddVague(dropped | unlisted, &accesses);
  return result;
}

}  // namespace

bool KernelUses::FindHandle(Pointer* pointer) const {
  for (uint32_t i = 0; i < integers_.size(); ++i) {
    if (integers_[i] != pointer->word) continue;
    pointer->handle = i;
    return true;
  }
  return false;
}

KernelUses::KernelUses(const KernelAccess& access, const std::vector<uint32_t>& offsets,
                       const std::vector<uint32_t>& sizes, LaunchRegisters registers) {
  writes_elsewhere_ = (access.unknown & (kWrites | kAtomics)) != 0;
  may_wait_ = access.may_wait;
  waits_in_loop_ = access.may_wait && access.waits_in_loop;
  beyond_device_ = access.may_wait && access.beyond_device;
  copies_tensors_ = access.copies_tensors;
  Translator translator(access, offsets, sizes, registers, &integers_);
  // A kernel that may wait for other kernels or for the host while it runs can be ordered by them:
  // none of its accesses is sure.
  const bool sure = !access.may_wait;
  if (sure) variables_ = access.variables;
  alone_.known = true;
  if (access.waits_only_if) {
    alone_ = translator.ReadIf(access.waits_only_if->Opposite());
  } else if (sure) {
    alone_ = translator.ReadIf(std::nullopt);
  }
  for (const PointerUse& use : access.pointers) {
    std::optional<Pointer> pointer = PointerOf(access, use, sure, &translator);
    if (!pointer) {
      writes_elsewhere_ |= (use.kinds & (kWrites | kAtomics)) != 0;
      continue;
    }
    if (pointer->view != ViewKind::kNone) FindHandle(&*pointer);
    pointers_.push_back(*std::move(pointer));
  }
  MakeProgram();
}

// Returns the alignment that a pointer needs for each of its accesses of a kind. Addresses that
// differ by multiples of a size from the pointer are multiples of that size only if the pointer is.
uint8_t AlignmentOf(const ParameterSummary& summary, SummaryAccess::Kind kind) {
  constexpr uint64_t kLargest = 16;
  uint64_t all = 0;  // the lowest bit that is set is the alignment
  for (const SummaryAccess& access : summary.accesses) {
    if (access.kind != kind) continue;
    if (!access.ranged || !std::has_single_bit(access.bytes)) return 1;
    all |= access.bytes;
    for (const SummaryTerm& term : access.offset) all |= static_cast<uint64_t>(term.factor);
  }
  if (!summary.known || all == 0) return 1;
  return static_cast<uint8_t>(std::min(all & -all, kLargest));
}

// Whether there are accesses of the kind, but a launch determines the bytes of none of them.
bool IsOpen(const ParameterSummary& summary, SummaryAccess::Kind kind) {
  bool any = false;
  for (const SummaryAccess& access : summary.accesses) {
    if (access.kind != kind) continue;
    if (access.guarded && access.ranged) return false;
    any = true;
  }
  return any;
}

bool IsUnbounded(const ParameterSummary& summary) {
  return std::any_of(summary.accesses.begin(), summary.accesses.end(),
                     [](const SummaryAccess& access) {
                       return access.kind != SummaryAccess::Kind::kAtomic && !access.ranged;
                     });
}

void KernelUses::MakeProgram() {
  writes_unseen_ = writes_elsewhere_ || copies_tensors_;
  std::vector<const ParameterSummary*> summaries;
  for (Pointer& pointer : pointers_) {
    pointer.read_alignment = AlignmentOf(pointer.summary, SummaryAccess::Kind::kRead);
    pointer.write_alignment = AlignmentOf(pointer.summary, SummaryAccess::Kind::kWrite);
    summaries.push_back(&pointer.summary);
    has_open_accesses_ |=
        pointer.view == ViewKind::kNone && (IsOpen(pointer.summary, SummaryAccess::Kind::kRead) ||
                                            IsOpen(pointer.summary, SummaryAccess::Kind::kWrite));
    has_unbounded_accesses_ |= pointer.view == ViewKind::kNone && IsUnbounded(pointer.summary);
    writes_unseen_ |= pointer.view == ViewKind::kSurface;
    has_updates_ |= !pointer.updates.accesses.empty();
    has_waited_ |= !pointer.waited.accesses.empty();
  }
  for (const Pointer& pointer : pointers_) {
    if (has_updates_) summaries.push_back(&pointer.updates);
  }
  for (const Pointer& pointer : pointers_) {
    if (has_waited_) summaries.push_back(&pointer.waited);
  }
  program_ = LaunchProgram(summaries);
}

// Names of summaries in the text; the last one is in front of the name of a variable.
constexpr std::string_view kUpdates = "updates";
constexpr std::string_view kWaited = "waited";
constexpr std::string_view kVariable = "variable:";
constexpr std::string_view kAlone = "alone";

// Bits of the first number.
constexpr uint32_t kWritesElsewhere = 1, kWaitsInLoop = 2, kBeyondDevice = 4, kMayWait = 8,
                   kCopiesTensors = 16, kAllBits = 31;

// A line of numbers, and the summaries of the pointers as those of a kernel. Updates and waited
// accesses follow as those of further ones, each variable as a kernel with one parameter, and so
// does alone_.
std::string KernelUses::Text() const {
  std::vector<KernelSummary> summary(1);
  summary[0].name = "uses";
  const uint32_t flags = (writes_elsewhere_ ? kWritesElsewhere : 0) |
                         (waits_in_loop_ ? kWaitsInLoop : 0) |
                         (beyond_device_ ? kBeyondDevice : 0) | (may_wait_ ? kMayWait : 0) |
                         (copies_tensors_ ? kCopiesTensors : 0);
  std::string text = absl::StrCat(flags, " ", integers_.size());
  const auto add = [&text](const ParameterWord& word) {
    absl::StrAppend(&text, " ", word.parameter, " ", word.offset, " ", word.bytes);
  };
  for (const ParameterWord& word : integers_) add(word);
  for (const Pointer& pointer : pointers_) {
    add(pointer.word);
    absl::StrAppend(&text, " ", static_cast<int>(pointer.view));
    summary[0].parameters.push_back(pointer.summary);
  }
  const auto add_list = [&](std::string_view name, ParameterSummary Pointer::*list) {
    KernelSummary& added = summary.emplace_back();
    added.name = std::string(name);
    for (const Pointer& pointer : pointers_) added.parameters.push_back(pointer.*list);
  };
  if (has_updates_) add_list(kUpdates, &Pointer::updates);
  if (has_waited_) add_list(kWaited, &Pointer::waited);
  for (const VariableUse& variable : variables_) {
    KernelSummary& one = summary.emplace_back();
    one.name = absl::StrCat(std::string(kVariable), variable.name);
    std::vector<SummaryAccess>& accesses = one.parameters.emplace_back().accesses;
    if ((variable.kinds & kReads) != 0) accesses.emplace_back().kind = SummaryAccess::Kind::kRead;
    if ((variable.kinds & kWrites) != 0) accesses.emplace_back().kind = SummaryAccess::Kind::kWrite;
  }
  KernelSummary& alone = summary.emplace_back();
  alone.name = std::string(kAlone);
  alone.parameters.push_back(alone_);
  return absl::StrCat(text, "\n", EncodeSummaries(summary));
}

namespace {

// Moves the variables at the end of the list to `variables`.
void TakeVariables(std::vector<KernelSummary>* summary, std::vector<VariableUse>* variables) {
  while (!summary->empty() && summary->back().name.starts_with(kVariable)) {
    const KernelSummary& last = summary->back();
    VariableUse& variable = variables->emplace_back();
    variable.name = last.name.substr(kVariable.size());
    for (const ParameterSummary& parameter : last.parameters) {
      for (const SummaryAccess& access : parameter.accesses)
        variable.kinds |= access.kind == SummaryAccess::Kind::kWrite ? kWrites : kReads;
    }
    summary->pop_back();
  }
  std::reverse(variables->begin(), variables->end());
}

// Moves the last summary to `list` if it has this name. Returns false if it does not fit to the
// first one.
bool TakeList(std::string_view name, std::vector<KernelSummary>* summary,
              std::vector<ParameterSummary>* list) {
  if (summary->size() < 2 || summary->back().name != name) return true;
  *list = std::move(summary->back().parameters);
  summary->pop_back();
  return list->size() == (*summary)[0].parameters.size();
}

}  // namespace

std::optional<KernelUses> KernelUses::FromText(std::string_view text,
                                               const std::vector<uint32_t>& sizes) {
  const size_t end = text.find('\n');
  std::vector<KernelSummary> summary;
  std::vector<VariableUse> variables;
  if (end == std::string_view::npos || !DecodeSummaries(text.substr(end + 1), &summary))
    return std::nullopt;
  if (summary.empty() || summary.back().name != kAlone || summary.back().parameters.size() != 1)
    return std::nullopt;
  const ParameterSummary alone = std::move(summary.back().parameters[0]);
  summary.pop_back();
  TakeVariables(&summary, &variables);
  std::vector<ParameterSummary> updates, waited;
  if (!TakeList(kWaited, &summary, &waited) || !TakeList(kUpdates, &summary, &updates) ||
      summary.size() != 1)
    return std::nullopt;
  std::vector<uint32_t> numbers;
  for (const char* at = text.data(); at <= text.data() + end;) {
    const auto [behind, error] = std::from_chars(at, text.data() + end, numbers.emplace_back());
    const bool last = behind == text.data() + end;
    if (error != std::errc() || (!last && *behind != ' ')) return std::nullopt;
    at = behind + 1;
  }
  std::vector<ParameterSummary>& pointers = summary[0].parameters;
  if (numbers.size() < 2 || numbers[0] > kAllBits || numbers[1] > kMaxIntegers ||
      numbers.size() != 2 + 3 * numbers[1] + 4 * pointers.size())
    return std::nullopt;
  KernelUses uses;
  uses.variables_ = std::move(variables);
  uses.alone_ = alone;
  uses.writes_elsewhere_ = (numbers[0] & kWritesElsewhere) != 0;
  uses.waits_in_loop_ = (numbers[0] & kWaitsInLoop) != 0;
  uses.may_wait_ = (numbers[0] & kMayWait) != 0;
  uses.beyond_device_ = (numbers[0] & kBeyondDevice) != 0;
  uses.copies_tensors_ = (numbers[0] & kCopiesTensors) != 0;
  for (size_t i = 2; i < numbers.size();) {
    const ParameterWord word = {numbers[i], numbers[i + 1], numbers[i + 2]};
    const bool pointer = uses.integers_.size() == numbers[1];
    i += 3;
    if (word.parameter >= sizes.size() || (word.bytes != 8 && (pointer || word.bytes != 4)) ||
        word.bytes > sizes[word.parameter] || word.offset > sizes[word.parameter] - word.bytes)
      return std::nullopt;
    if (!pointer) {
      uses.integers_.push_back(word);
      continue;
    }
    const size_t number = uses.pointers_.size();
    if (!pointers[number].known) return std::nullopt;
    Pointer& added = uses.pointers_.emplace_back();
    added.word = word;
    added.view = static_cast<ViewKind>(numbers[i++]);
    if (added.view > ViewKind::kSurface ||
        (added.view != ViewKind::kNone && !uses.FindHandle(&added)))
      return std::nullopt;
    added.summary = std::move(pointers[number]);
    added.updates.known = added.waited.known = true;
    if (!updates.empty()) added.updates = std::move(updates[number]);
    if (!waited.empty()) added.waited = std::move(waited[number]);
    if (!added.updates.known || !added.waited.known) return std::nullopt;
  }
  uses.MakeProgram();
  return uses;
}

}  // namespace gpusan::cuda
