// Check call-failed: a call failed and no other check explains it.
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

// The parameter that a sentence such as "size is 0", "argument 1 of the kernel was never set" or
// "the block is 2048 x 1 x 1" begins with; empty if it begins with none.
std::string ArgumentOf(std::string_view sentence) {
  const auto word_at = [&](size_t begin) {
    size_t end = begin;
    while (end < sentence.size() &&
           (std::isalnum(static_cast<unsigned char>(sentence[end])) != 0 || sentence[end] == '_'))
      ++end;
    return sentence.substr(begin, end - begin);
  };
  for (const std::string_view launch : {"the block", "the grid"}) {
    if (sentence.starts_with(std::string(launch) + " is ")) return std::string(launch);
  }
  const std::string_view word = word_at(0);
  if (word == "argument" && sentence.size() > word.size() + 1) {
    const std::string_view number = word_at(word.size() + 1);
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos)
      return std::string(word) + " " + std::string(number);
  }
  for (const std::string_view other : {"it", "this", "that", "one", "there", "device", "none"}) {
    if (word == other) return "";
  }
  const std::string_view rest = sentence.substr(word.size());
  for (const std::string_view verb : {" is ", " must ", " was ", " has ", " exceeds ", " names "}) {
    if (!word.empty() && rest.starts_with(verb)) return std::string(word);
  }
  return "";
}

// Of a reason that names one argument. A list of possible reasons names several.
std::string FixOf(const Failure& failure, const char* call) {
  const std::string otherwise = ", or handle the code if a correct program can get it";
  std::string argument;
  for (const std::string& fact : std::vector<std::string>(absl::StrSplit(failure.facts, "; "))) {
    if (fact.find(" must ") != std::string::npos || fact.starts_with("the "))
      argument = ArgumentOf(fact);
    if (!argument.empty()) break;
  }
  if (argument.empty() && failure.clauses.find(" or ") == std::string::npos)
    argument = ArgumentOf(failure.clauses);
  if (!argument.empty()) return "correct " + argument + otherwise;
  if (failure.clauses.empty())
    return std::string("compare the arguments with the specification of ") + call + otherwise;
  return "correct the argument that the reason names" + otherwise;
}

struct CallFailed {
  static void OnFailure(const Failure& failure, Call& call) {
    if (failure.tolerated || failure.out_of_memory) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kCallFailed);
    if (!failure.party.empty()) finding.Party(failure.role, failure.party, failure.party_site);
    finding
        .What(absl::StrCat(call.info().name, " failed with ", words.CodeName(failure.code), " (",
                           failure.code, ")",
                           failure.facts.empty() ? "" : absl::StrCat("; ", failure.facts)))
        .Why(failure.clauses.empty() ? "the specification lists no cause of this code for this call"
                                     : failure.clauses)
        .Fix(FixOf(failure, call.info().name));
  }
};

}  // namespace
}  // namespace gpusan::rules
