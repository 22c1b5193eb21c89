// The findings of the rows of call_faults.def.
#include "tracker/rules/faults/faulty_call.h"

#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace gpusan::rules {
namespace {

struct Row {
  RuleId rule;
  Severity severity;
  bool may_crash;
  const char *what, *why, *fix, *facts;
};
// By CallFault.
constexpr Row kRows[] = {
#define GPUSAN_CALL_FAULT(check, symbol, severity, may_crash, what, why, fix, facts) \
  {RuleId::check, Severity::severity, may_crash, what, why, fix, facts},
#include "tracker/rules/faults/call_faults.def"
#undef GPUSAN_CALL_FAULT
};

std::string TextOf(const Fact& value) {
  if (const auto* text = std::get_if<std::string>(&value.value)) return *text;
  if (const auto* number = std::get_if<int64_t>(&value.value)) return absl::StrCat(*number);
  return absl::StrCat(std::get<uint64_t>(value.value));
}

}  // namespace

void OnFaultyCall(const FaultyCall& use, Call& call) {
  const Row& row = kRows[static_cast<size_t>(use.fault)];
  const auto name = [&](const Object* object) {
    return object != nullptr ? ObjectText(*object, call.words()) : "an object";
  };
  std::vector<std::pair<std::string, std::string>> words = {
      {"{call}", call.info().name}, {"{object}", name(use.object)}, {"{other}", name(use.other)}};
  for (const Fact& value : use.values) {
    words.emplace_back(absl::StrCat("{", value.key, "}"), TextOf(value));
  }
  if (row.may_crash) call.MayCrash();
  FindingBuilder finding = call.Add(row.rule);
  finding.Severe(row.severity)
      .What(absl::StrReplaceAll(row.what, words))
      .Why(absl::StrReplaceAll(row.why, words))
      .Fix(absl::StrReplaceAll(row.fix, words));
  if (use.object != nullptr) {
    if (!use.object->live())
      finding.Party(
          "release",
          call.words().Retains(use.object->kind) ? "last reference released" : "destroyed",
          use.object->released);
    finding.WithCreation(*use.object);
  }
  if (use.other != nullptr) finding.About(*use.other);
  for (const absl::string_view key : absl::StrSplit(row.facts, ' ', absl::SkipEmpty())) {
    for (const Fact& value : use.values) {
      if (value.key != key) continue;
      if (const auto* number = std::get_if<uint64_t>(&value.value)) {
        finding.Fact(value.key, *number);
      } else {
        finding.Fact(value.key, TextOf(value));
      }
    }
  }
}

}  // namespace gpusan::rules
