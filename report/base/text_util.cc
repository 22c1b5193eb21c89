// String helpers that every floor of report/ uses.
#include "report/base/text_util.h"

namespace gpusan {

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string Quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::vector<std::string_view> SplitWords(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = text.find_first_of(separators);
    if (const std::string_view word = Trimmed(text.substr(0, end)); !word.empty())
      words.push_back(word);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

std::string WordList(std::string_view words) {
  std::string list;
  for (const std::string_view word : SplitWords(words))
    list.append(list.empty() ? "" : ", ").append(word);
  return list;
}

std::string Hex(uint64_t number) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[number & 15]);
    number >>= 4;
  } while (number != 0);
  return "0x" + text;
}

std::string CountText(uint64_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace gpusan
