// A replay file: neutral operations, one a line, and the findings that they must yield. README.md
// has the grammar.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpusan::replay {

// What is wrong with a file itself.
class ScriptError : public std::runtime_error {
 public:
  ScriptError(int line, const std::string& text)
      : std::runtime_error("line " + std::to_string(line) + ": " + text) {}
};

// One operation: the words in front of the first option, then options ("wait a b -> e" gives
// wait={a,b}, ->={e}).
struct Operation {
  int line = 0;
  std::vector<std::string> words;
  std::multimap<std::string, std::vector<std::string>> options;

  // Throw ScriptError when the word is missing or no number ("4K" and "2M" are).
  const std::string& word(size_t at) const;
  uint64_t number(size_t at) const;
  bool has(const std::string& option) const { return options.count(option) != 0; }
  // The words behind all options of this name.
  std::vector<std::string> all(const std::string& option) const;
  // The one word behind an option; empty without it.
  std::string one(const std::string& option) const;
};

uint64_t Number(const std::string& text, int line);

// A finding or expectation in the words of a file.
struct Outcome {
  std::string severity, rule, call;
  int line = 0;
  std::vector<std::pair<std::string, int>> parties;  // role, line
  std::vector<std::pair<std::string, std::string>> facts;
};

std::string ToText(const Outcome& outcome);
// True if `found` is what `expected` says: the same rule at the same line, with at least these
// parties and facts.
bool Matches(const Outcome& expected, const Outcome& found);

struct Script {
  std::vector<Operation> operations;
  std::vector<Outcome> expected;
};

// Throws ScriptError.
Script Parse(const std::string& text);

}  // namespace gpusan::replay
