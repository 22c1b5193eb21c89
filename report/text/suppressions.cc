// Parses and matches suppressions.
#include "report/text/suppressions.h"

#include <fnmatch.h>
#include <time.h>

#include <algorithm>
#include <span>
#include <utility>

#include "report/base/regular_file.h"
#include "report/base/time_text.h"
#include "report/options/options.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

std::string Today() { return UtcText(NowNs(), "%Y-%m-%d"); }

bool IsDate(const std::string& text) {
  tm parts = {};
  const char* end = strptime(text.c_str(), "%Y-%m-%d", &parts);
  if (text.size() != 10 || end == nullptr || *end != '\0') return false;
  const tm wanted = parts;
  return timegm(&parts) != -1 && parts.tm_mday == wanted.tm_mday;
}

bool Glob(const std::string& glob, std::string_view text) {
  return !text.empty() && fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
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

// The name of a frame in a suppression. The main functions of several programs differ by their
// file.
std::string NameOf(const TextFrame& frame) {
  const std::string file(BaseName(frame.file));
  if (frame.function == "main" && !file.empty()) return file;
  if (!frame.function.empty()) return WithoutParameters(frame.function);
  return file.empty() ? std::string(BaseName(frame.module)) : file;
}

// A glob that matches only this name.
std::string AsGlob(const std::string& name) {
  std::string glob;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') glob += '\\';
    glob += c;
  }
  return glob;
}

bool OneFrame(const std::string& glob, const TextFrame& frame) {
  return Glob(glob, frame.function) || Glob(glob, WithoutParameters(frame.function)) ||
         Glob(glob, frame.file) || Glob(glob, BaseName(frame.file)) || Glob(glob, frame.module) ||
         Glob(glob, BaseName(frame.module));
}

bool AnyFrame(const std::string& glob, const std::vector<TextFrame>& frames) {
  for (const TextFrame& frame : frames) {
    if (OneFrame(glob, frame)) return true;
  }
  return false;
}

// "A < B < C": the innermost frames match A, the next ones match B, and the frame after them
// matches C.
bool InnermostFrames(std::string_view globs, std::span<const TextFrame> frames) {
  size_t at = 0;
  for (;;) {
    const size_t split = globs.find(" < ");
    const std::string glob(globs.substr(0, split));
    if (split == std::string_view::npos) return at < frames.size() && OneFrame(glob, frames[at]);
    while (at < frames.size() && OneFrame(glob, frames[at])) ++at;
    globs.remove_prefix(split + 3);
  }
}

// The innermost frame is that of an interpreted language, and for lines about libraries that of a
// loaded file.
bool MatchesChain(std::string_view globs, const std::vector<TextFrame>& frames) {
  const auto loaded = std::find_if_not(
      frames.begin(), frames.end(), [](const TextFrame& frame) { return frame.IsInterpreted(); });
  return InnermostFrames(globs, frames) ||
         (loaded != frames.begin() && InnermostFrames(globs, {loaded, frames.end()}));
}

// The start of a line about what created a resource of the finding.
constexpr std::string_view kAllocation = "allocation^";

bool MatchesLine(const Suppression& line, const TextFinding& finding) {
  if (line.check != "*" && line.check != finding.rule) return false;
  const std::string_view glob = line.glob;
  if (glob.starts_with('^')) return MatchesChain(glob.substr(1), finding.frames);
  if (glob.starts_with(kAllocation)) {
    return std::any_of(finding.parties.begin(), finding.parties.end(), [&](const TextParty& party) {
      return party.role == "allocation" &&
             MatchesChain(glob.substr(kAllocation.size()), party.frames);
    });
  }
  if (AnyFrame(line.glob, finding.frames)) return true;
  for (const TextParty& party : finding.parties) {
    if (AnyFrame(line.glob, party.frames)) return true;
  }
  for (const FindingResource& resource : finding.resources) {
    if (Glob(line.glob, resource.label)) return true;
  }
  // Only "check:*" matches a finding without any name.
  return line.glob == "*";
}

}  // namespace

Suppressions::Suppressions(std::string today) : today_(std::move(today)) {
  if (today_.empty()) today_ = Today();
}

std::string Suppressions::Load(const std::string& path, bool is_default) {
  constexpr size_t kMost = size_t{64} << 20;
  std::string text, why;
  if (!ReadRegularFile(path, kMost, &text, &why)) return path + ": " + why;
  const size_t before = lines_.size();
  std::string complaint = Parse(text, path);
  for (size_t i = before; i < lines_.size(); ++i) lines_[i].is_default = is_default;
  return complaint;
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
    constexpr size_t kLongest = size_t{64} << 10;
    if (line.size() > kLongest) {
      return complaint(kLongest, "the line is longer than " + std::to_string(kLongest) +
                                     " characters; shorten it");
    }
    std::string_view reason;
    for (size_t hash = line.find('#'); hash != std::string_view::npos;
         hash = line.find('#', hash + 1)) {
      if (hash != 0 && kBlanks.find(line[hash - 1]) == std::string_view::npos) continue;
      reason = line.substr(hash + 1);
      line = line.substr(0, hash);
      break;
    }
    const size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) continue;
    size_t end = line.find_last_not_of(kBlanks) + 1;
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
    std::string until;
    const size_t date = line.rfind("until=");
    if (date != std::string_view::npos && date > glob &&
        kBlanks.find(line[date - 1]) != std::string_view::npos) {
      until = line.substr(date + 6, end - date - 6);
      if (!IsDate(until)) return complaint(date + 6, "expected a date like 2027-01-31");
      end = line.find_last_not_of(kBlanks, date - 1) + 1;
    } else if (line.compare(glob, 6, "until=") == 0) {
      return complaint(glob, "expected a glob before 'until='; '*' matches everything");
    }
    Suppression& next = added.emplace_back();
    next.check = check;
    next.glob = line.substr(glob, end - glob);
    next.expired = !until.empty() && until < today_;
    next.until = std::move(until);
    const size_t word = reason.find_first_not_of(kBlanks);
    if (word != std::string_view::npos)
      next.reason = reason.substr(word, reason.find_last_not_of(kBlanks) + 1 - word);
    next.file = path;
    next.line = number;
  }
  lines_.insert(lines_.end(), added.begin(), added.end());
  return "";
}

int Suppressions::Match(const TextFinding& finding) {
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].expired || !MatchesLine(lines_[i], finding)) continue;
    ++lines_[i].hits;
    return static_cast<int>(i) + 1;
  }
  return 0;
}

std::string SuppressionFor(const TextFinding& finding) {
  if (const TextFrame* last = ProgramFrame(finding.frames); last != nullptr) {
    // Anchored at the innermost frame: a function anywhere on the stack would also suppress
    // findings of the functions that it calls, and main would suppress all.
    std::string chain;
    std::string name_before;
    for (const TextFrame* frame = finding.frames.data(); frame <= last; ++frame) {
      std::string name = NameOf(*frame);
      if (name.empty() || name == name_before) continue;
      if (name.find(" < ") != std::string::npos) return finding.rule + ":" + AsGlob(NameOf(*last));
      chain += (chain.empty() ? "^" : " < ") + AsGlob(name);
      name_before = std::move(name);
    }
    if (!chain.empty()) return finding.rule + ":" + chain;
  }
  for (const FindingResource& resource : finding.resources) {
    if (!resource.label.empty()) return finding.rule + ":" + AsGlob(resource.label);
  }
  return finding.rule + ":*";
}

}  // namespace gpusan
