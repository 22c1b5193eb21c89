// The tokens of a PTX text: words, numbers, strings and punctuation marks.
#include "hooks/cuda/ptx/tokens.h"

#include <algorithm>

namespace gpusan::cuda {
namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || c == '%';
}

// Returns `at`, but at most the end of the text, also for `npos`.
size_t Bounded(std::string_view text, size_t at) { return std::min(at, text.size()); }

}  // namespace

void PtxTokens::Next() {
  size_t at = next_;
  for (; at < text_.size(); ++at) {
    if (IsSpace(text_[at])) continue;
    if (text_.substr(at, 2) == "//") {
      at = Bounded(text_, text_.find('\n', at));
    } else if (text_.substr(at, 2) == "/*") {
      at = Bounded(text_, text_.find("*/", at + 2)) + 1;
    } else {
      break;
    }
  }
  at = Bounded(text_, at);
  size_t end = at;
  if (at < text_.size() && text_[at] == '"') {
    end = Bounded(text_, text_.find('"', at + 1));
    if (end < text_.size()) ++end;
  } else if (at < text_.size() && IsWord(text_[at])) {
    // Scopes of memory have colons inside: ld.shared::cta.
    while (end < text_.size() &&
           (IsWord(text_[end]) ||
            (text_.substr(end, 2) == "::" && end + 2 < text_.size() && IsWord(text_[end + 2])) ||
            (text_[end] == ':' && text_[end - 1] == ':' && IsWord(text_[at]))))
      ++end;
  } else if (at < text_.size()) {
    ++end;
  }
  at_ = at;
  now_ = text_.substr(at, end - at);
  next_ = end;
}

void PtxTokens::SkipLine() {
  next_ = Bounded(text_, text_.find('\n', at_));
  Next();
}

void PtxTokens::SkipGroup() {
  size_t depth = 0;
  do {
    const char c = at_end() ? ' ' : now_[0];
    depth += c == '{' || c == '[' || c == '(';
    depth -= depth != 0 && (c == '}' || c == ']' || c == ')');
    Next();
  } while (depth != 0 && !at_end());
}

}  // namespace gpusan::cuda
