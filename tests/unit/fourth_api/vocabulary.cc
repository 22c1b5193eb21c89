// The vocabulary of the toy API.
#include "tests/unit/fourth_api/call.h"

namespace gpusan::toy {
namespace {

class ToyVocabulary final : public Vocabulary {
 public:
  // An API of the product has a column in tracker/clauses.def instead.
  const char* Cite(Clause clause) const override {
    static constexpr const char* kTexts[] = {
#define GPUSAN_CLAUSE(clause, ...) "Toy 1.0, " #clause,
#include "tracker/clauses.def"
#undef GPUSAN_CLAUSE
    };
    return kTexts[static_cast<int>(clause)];
  }
  std::string Flags(const Resource&) const override { return "none"; }
  std::string Format(const ImageInfo&) const override { return ""; }
  std::string FittingType(const ImageInfo&, uint64_t) const override { return ""; }
  std::string CodeName(int64_t code) const override {
    return code == kToySuccess ? "TOY_SUCCESS" : "TOY_INVALID_VALUE";
  }
  const char* ReleaseCall(ObjectKind) const override { return "toyFree"; }
  const char* WaitCalls() const override { return "toyStreamSynchronize"; }
  const char* KindName(ObjectKind kind) const override {
    return kind == ObjectKind::kQueue ? "stream" : ObjectKindName(kind);
  }
  bool CountsReferences() const override { return false; }
};

}  // namespace

const Vocabulary& Words() {
  static const ToyVocabulary* const words = new ToyVocabulary;
  return *words;
}

}  // namespace gpusan::toy
