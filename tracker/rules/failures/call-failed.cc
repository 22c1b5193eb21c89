// Check call-failed: a call failed and no other check explains it.
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

// Skips the value after the name of a parameter: " 8" or " \"scale\"". Returns `rest` without it.
std::string_view WithoutValue(std::string_view rest) {
  if (rest.starts_with(" \"")) {
    const size_t end = rest.find('"', 2);
    return end != std::string_view::npos ? rest.substr(end + 1) : rest;
  }
  size_t end = rest.starts_with(' ') ? 1 : 0;
  while (end < rest.size() && std::isdigit(static_cast<unsigned char>(rest[end])) != 0) ++end;
  return end > 1 ? rest.substr(end) : rest;
}

// The parameter that a sentence begins with, such as "size is 0", "arg_size 8 is not the size of
// the parameter", "global_work_size[0] is 100", "argument 1 of the kernel was never set" or "the
// block is 2048 x 1 x 1"; empty if it begins with none.
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
  std::string_view name = word;
  if (const size_t end = sentence.find(']'); !word.empty() &&
                                             sentence.substr(word.size()).starts_with('[') &&
                                             end != std::string_view::npos)
    name = sentence.substr(0, end + 1);
  const std::string_view rest = WithoutValue(sentence.substr(name.size()));
  for (const std::string_view verb :
       {" is ", " must ", " was ", " has ", " exceeds ", " names ", " holds "}) {
    if (!word.empty() && rest.starts_with(verb)) return std::string(name);
  }
  return "";
}

// Of a reason that names one argument. A list of possible reasons names several.
std::string FixOf(const Failure& failure, const char* call) {
  const std::string otherwise = ", or handle the return code if the call may fail";
  // "the build log:", or "the build log begins:" if the log is long.
  if (failure.facts.find("the build log") != std::string::npos)
    return "correct the source or the options as the build log says";
  // The call site that caused the failure says what to change.
  if (failure.role == "capture")
    return std::string("end the capture before ") + call + ", or make the call before it begins";
  if (failure.role == "host-function")
    return std::string("move ") + call +
           " out of the host function: call it after a wait for the stream of the function";
  std::string argument;
  for (const std::string& fact : std::vector<std::string>(absl::StrSplit(failure.facts, "; "))) {
    if (fact.find(" must ") != std::string::npos || fact.starts_with("the "))
      argument = ArgumentOf(fact);
    // "memobj is NULL", of which the reason speaks too.
    if (argument.empty() && fact.find(" is NULL") != std::string::npos) {
      argument = ArgumentOf(fact);
      if (failure.clauses.find(argument) == std::string::npos) argument.clear();
    }
    if (!argument.empty()) break;
    // "no cuMemSetAccess allows accesses to mapped memory #1": the call that is missing.
    if (const size_t end = fact.find(" allows ");
        fact.starts_with("no ") && end != std::string::npos)
      return "call " + fact.substr(3, end - 3) + " for the memory before " + call;
  }
  const bool certain = failure.clauses.find(" or ") == std::string::npos;
  if (argument.empty() && certain) argument = ArgumentOf(failure.clauses);
  if (certain && failure.clauses.find(" is pending:") != std::string::npos)
    return absl::StrCat("wait for the earlier use of ", argument, " before ", call);
  if (certain && failure.clauses.find(" is finalized;") != std::string::npos)
    return absl::StrCat("record the command before the call that finalizes ", argument);
  if (certain && (failure.clauses.starts_with("program was not built") ||
                  failure.clauses.find(" build of program failed") != std::string::npos))
    return absl::StrCat("build the program, and check the result of the build, before ", call);
  if (certain && failure.clauses.find(" overlap") != std::string::npos)
    return absl::StrCat("pass ranges that do not overlap to ", call,
                        ", or copy through memory that neither range contains");
  if (!argument.empty() && failure.clauses.find(argument + " of the kernel was never set") == 0)
    return "set " + argument + " of the kernel before " + call;
  if (!argument.empty()) return "correct " + argument + otherwise;
  if (failure.clauses.empty())
    return std::string("compare the arguments with the specification of ") + call + otherwise;
  if (certain &&
      failure.clauses.find("is no combination of channel order and type") != std::string::npos)
    return "pass a channel order and a type that belong together";
  return std::string("change the call of ") + call + " so that this reason does not apply" +
         otherwise;
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
