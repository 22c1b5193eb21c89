// Parsing and matching of suppressions.
#include "report/suppressions.h"

#include <errno.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "report/options.h"

namespace gpusan {
namespace {

constexpr std::string_view kBlanks = " \t\r";

bool Glob(const std::string& glob, const std::string& text) {
  return !text.empty() && fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

// "ns::f(int)" without its parameters; template arguments, "operator()" and unnamed namespaces are
// kept.
std::string WithoutParameters(const std::string& function) {
  int depth = 0;
  for (size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '<') ++depth;
    if (c == '>' && depth > 0) --depth;
    if (c != '(' || depth > 0 || function.compare(i, 11, "(anonymous ") == 0) continue;
    const bool empty = function.compare(i, 2, "()") == 0;
    if (!empty || i + 2 == function.size()) return function.substr(0, i);
  }
  return function;
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool AnyFrame(const std::string& glob, const std::vector<TextFrame>& frames) {
  for (const TextFrame& frame : frames) {
    if (Glob(glob, frame.function) || Glob(glob, WithoutParameters(frame.function)) ||
        Glob(glob, frame.file) || Glob(glob, BaseName(frame.file)) || Glob(glob, frame.module) ||
        Glob(glob, BaseName(frame.module))) {
      return true;
    }
  }
  return false;
}

bool MatchesLine(const Suppression& line, const TextFinding& finding) {
  if (line.check != "*" && line.check != finding.rule) return false;
  if (AnyFrame(line.glob, finding.frames)) return true;
  for (const TextParty& party : finding.parties) {
    if (AnyFrame(line.glob, party.frames)) return true;
  }
  for (const FindingResource& resource : finding.resources) {
    if (Glob(line.glob, resource.label)) return true;
  }
  // A finding of which nothing is known is matched by "check:*" alone.
  return line.glob == "*";
}

}  // namespace

std::string Suppressions::Load(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return path + ": " + std::strerror(errno);
  if (S_ISDIR(status.st_mode)) return path + ": " + std::strerror(EISDIR);
  std::ifstream file(path);
  if (!file) return path + ": " + std::strerror(errno);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return Parse(text, path);
}

std::string Suppressions::Parse(std::string_view text, const std::string& path) {
  std::vector<Suppression> added;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    const auto complaint = [&](size_t column, const std::string& what) {
      return path + ":" + std::to_string(number) + ":" + std::to_string(column + 1) + ": " + what;
    };
    for (size_t hash = line.find('#'); hash != std::string_view::npos;
         hash = line.find('#', hash + 1)) {
      if (hash != 0 && kBlanks.find(line[hash - 1]) == std::string_view::npos) continue;
      line = line.substr(0, hash);
      break;
    }
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) continue;
    const size_t end = line.find_last_not_of(kBlanks) + 1;
    const size_t colon = line.find(':', begin);
    if (colon == std::string_view::npos) return complaint(begin, "expected 'check:glob'");
    const std::string_view check = line.substr(begin, colon - begin);
    if (check.empty()) return complaint(begin, "expected a check before ':'; '*' stands for all");
    if (check != "*") {
      const std::string unknown = ParseRuleList(check, nullptr);
      if (!unknown.empty()) return complaint(begin, unknown);
    }
    const size_t glob = line.find_first_not_of(kBlanks, colon + 1);
    if (glob == std::string_view::npos) {
      return complaint(colon + 1, "expected a glob after ':'; '*' matches everything");
    }
    added.push_back(
        {std::string(check), std::string(line.substr(glob, end - glob)), path, number, 0});
  }
  lines_.insert(lines_.end(), added.begin(), added.end());
  return "";
}

bool Suppressions::Matches(const TextFinding& finding) {
  for (Suppression& line : lines_) {
    if (MatchesLine(line, finding)) {
      ++line.hits;
      return true;
    }
  }
  return false;
}

}  // namespace gpusan
