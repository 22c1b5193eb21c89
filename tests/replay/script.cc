// Reading replay files.
#include "tests/replay/script.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

namespace gpusan::replay {
namespace {

const std::set<std::string>& OptionNames() {
  static const std::set<std::string> names = {"wait",  "->",       "from", "to",  "read", "write",
                                              "maybe", "blocking", "src",  "dst", "in",   "as"};
  return names;
}

std::vector<std::string> Words(const std::string& line) {
  std::istringstream in(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

const std::string& Operation::word(size_t at) const {
  if (at >= words.size())
    throw ScriptError(line, "'" + words[0] + "' needs " + std::to_string(at) + " words or more");
  return words[at];
}

uint64_t Operation::number(size_t at) const { return Number(word(at), line); }

std::vector<std::string> Operation::all(const std::string& option) const {
  std::vector<std::string> found;
  const auto [begin, end] = options.equal_range(option);
  for (auto it = begin; it != end; ++it)
    found.insert(found.end(), it->second.begin(), it->second.end());
  return found;
}

std::string Operation::one(const std::string& option) const {
  const std::vector<std::string> found = all(option);
  return found.empty() ? "" : found.front();
}

uint64_t Number(const std::string& text, int line) {
  char* end = nullptr;
  uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (*end == 'K') value <<= 10, ++end;
  if (*end == 'M') value <<= 20, ++end;
  if (text.empty() || *end != '\0') throw ScriptError(line, "'" + text + "' is no number");
  return value;
}

std::string ToText(const Outcome& outcome) {
  std::string text = outcome.severity + " " + outcome.rule + " " +
                     (outcome.call.empty() ? "-" : outcome.call) + " at " +
                     std::to_string(outcome.line);
  for (const auto& [role, line] : outcome.parties)
    text += " " + role + " at " + std::to_string(line);
  for (const auto& [key, value] : outcome.facts) text += " " + key + "=" + value;
  return text;
}

bool Matches(const Outcome& expected, const Outcome& found) {
  if (expected.severity != found.severity || expected.rule != found.rule ||
      expected.call != found.call || expected.line != found.line) {
    return false;
  }
  for (const auto& party : expected.parties) {
    if (std::find(found.parties.begin(), found.parties.end(), party) == found.parties.end())
      return false;
  }
  for (const auto& fact : expected.facts) {
    if (std::find(found.facts.begin(), found.facts.end(), fact) == found.facts.end()) return false;
  }
  return true;
}

Script Parse(const std::string& text) {
  Script script;
  std::map<std::string, int> labels;
  std::vector<std::pair<int, std::vector<std::string>>> expectations;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::vector<std::string> words = Words(line);
    if (words.empty()) continue;
    if (words[0] == "expect") {
      expectations.emplace_back(number, words);
      continue;
    }
    Operation operation;
    operation.line = number;
    std::vector<std::string>* into = &operation.words;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i][0] == '@') {
        if (!labels.emplace(words[i].substr(1), number).second)
          throw ScriptError(number, words[i] + " is there twice");
      } else if (i > 0 && OptionNames().count(words[i]) != 0) {
        into = &operation.options.emplace(words[i], std::vector<std::string>())->second;
      } else {
        into->push_back(words[i]);
      }
    }
    script.operations.push_back(std::move(operation));
  }
  auto line_of = [&](int at, const std::string& word) {
    if (word == "-") return 0;
    const auto found = labels.find(word.empty() || word[0] != '@' ? word : word.substr(1));
    if (found == labels.end()) throw ScriptError(at, "no line is marked " + word);
    return found->second;
  };
  // expect SEVERITY RULE CALL at @LABEL [ROLE at @LABEL]... [KEY=VALUE]...
  for (const auto& [at, words] : expectations) {
    if (words.size() < 6 || words[4] != "at")
      throw ScriptError(at, "expect SEVERITY RULE CALL at @LABEL");
    Outcome outcome{words[1], words[2], words[3] == "-" ? "" : words[3], line_of(at, words[5]),
                    {},       {}};
    for (size_t i = 6; i < words.size();) {
      const size_t equals = words[i].find('=');
      if (equals != std::string::npos) {
        outcome.facts.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
        ++i;
      } else if (i + 2 < words.size() && words[i + 1] == "at") {
        outcome.parties.emplace_back(words[i], line_of(at, words[i + 2]));
        i += 3;
      } else {
        throw ScriptError(at, "'" + words[i] + "' is neither ROLE at @LABEL nor KEY=VALUE");
      }
    }
    script.expected.push_back(std::move(outcome));
  }
  return script;
}

}  // namespace gpusan::replay
