// The tokens of a PTX text: words, numbers, strings and punctuation marks.
//
// The text is untrusted: truncated, damaged, hostile. Never faults.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpusan::cuda {

class PtxTokens {
 public:
  // `text` must outlive this object and all tokens.
  explicit PtxTokens(std::string_view text, size_t offset = 0) : text_(text), next_(offset) {
    Next();
  }

  // The current token; empty after the last one.
  std::string_view now() const { return now_; }
  bool at_end() const { return now_.empty(); }
  // Of the current token in the text.
  size_t offset() const { return at_; }

  void Next();
  // Goes to the first token of the next line. Directives of debuggers end there.
  void SkipLine();
  // Skips the group that the current token (a brace, bracket or parenthesis) opens.
  void SkipGroup();
  std::string_view Take() {
    const std::string_view taken = now_;
    Next();
    return taken;
  }
  // If `token` is the current token, goes to the next one and returns true.
  bool Accept(std::string_view token) {
    if (now_ != token || token.empty()) return false;
    Next();
    return true;
  }

 private:
  std::string_view text_;
  size_t next_ = 0;  // after the current token
  size_t at_ = 0;
  std::string_view now_;
};

}  // namespace gpusan::cuda
