// The fields of thread indices on which an access depends.
#include "hooks/cuda/summaries/independent_fields.h"

#include <algorithm>
#include <array>

namespace gpusan::cuda {
namespace {

constexpr size_t kDimensions = 3;

// The parts of the indices of its thread that an access names.
class NamedIndices {
 public:
  explicit NamedIndices(const std::vector<Extension>& extensions) : extensions_(extensions) {}

  void Add(const AccessGuard& guard) {
    Add(guard.left);
    Add(guard.right);
  }
  void Add(const Expression& expression) {
    if (expression.inexact) return;  // has no counterpart in a launch
    AddTerms(expression);
    for (const uint16_t condition : expression.conditions) {
      const uint16_t index = Extensions::IndexOf(condition);
      if (index < extensions_.size()) AddTerms(extensions_[index].word);
    }
  }

  std::vector<ThreadField> Independent() const {
    std::vector<ThreadField> independent;
    for (size_t d = 0; d < kDimensions; ++d) {
      uint32_t bits = whole_[d] ? UINT32_MAX : 0;
      const bool disjoint = std::all_of(fields_.begin(), fields_.end(), [&](const auto& field) {
        if (field.dimension != d) return true;
        const bool free = (bits & field.Mask()) == 0;
        bits |= field.Mask();
        return free;
      });
      if (!disjoint) continue;
      std::copy_if(fields_.begin(), fields_.end(), std::back_inserter(independent),
                   [d](const ThreadField& field) { return field.dimension == d; });
    }
    return independent;
  }

 private:
  void AddTerms(const Expression& expression) {
    for (const Term& term : expression.terms) {
      for (const Atom& atom : term.atoms) AddAtom(atom);
    }
  }
  void AddAtom(const Atom& atom) {
    if (atom.kind == Atom::Kind::kThread && atom.index < kDimensions) whole_[atom.index] = true;
    if (atom.kind == Atom::Kind::kLane) whole_.fill(true);
    if (atom.kind != Atom::Kind::kThreadField) return;
    const ThreadField field = FieldOf(atom);
    if (std::find(fields_.begin(), fields_.end(), field) == fields_.end()) fields_.push_back(field);
  }

  const std::vector<Extension>& extensions_;
  std::array<bool, kDimensions> whole_{};
  std::vector<ThreadField> fields_;
};

}  // namespace

std::vector<ThreadField> IndependentFields(const KernelMemoryAccess& access,
                                           const std::vector<Extension>& extensions) {
  NamedIndices named(extensions);
  named.Add(access.address);
  for (const AccessGuard& guard : access.guards) named.Add(guard);
  for (const LoopBound& loop : access.loops) {
    named.Add(loop.condition);
    named.Add(loop.next);
  }
  return named.Independent();
}

}  // namespace gpusan::cuda
