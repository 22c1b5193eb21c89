// Helpers for text, for all parts of gpusan.
#include "tracker/base/text_util.h"

#include <algorithm>

namespace gpusan {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

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
  char digits[16];
  size_t at = sizeof(digits);
  do {
    digits[--at] = kDigits[number & 15];
    number >>= 4;
  } while (number != 0);
  return std::string("0x").append(digits + at, sizeof(digits) - at);
}

std::string HexBytes(const uint8_t* bytes, size_t count) {
  std::string text;
  text.reserve(2 * count);
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::string BytesText(uint64_t bytes) {
  static constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  int unit = 0;
  uint64_t value = bytes;
  while (unit < 4 && value >= 1024 && value % 1024 == 0) {
    value /= 1024;
    ++unit;
  }
  std::string text = std::to_string(value) + kUnits[unit];
  constexpr uint64_t kLongNumber = 10'000;
  if ((unit != 0 && value < kLongNumber) || unit == 4 || bytes < 1024 * 1024) return text;
  // No small multiple of a unit: the exact number, and in brackets tenths of the largest unit.
  int largest = std::max(2, unit);
  while (largest < 4 && bytes >> (10 * (largest + 1)) != 0) ++largest;
  const uint64_t one = uint64_t{1} << (10 * largest);
  const uint64_t tenths = bytes / one * 10 + (bytes % one * 10 + one / 2) / one;
  return text + " (" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
         kUnits[largest] + ")";
}

std::string Wrapped(std::string_view text, size_t first_column, size_t indent, int columns) {
  const std::string next_line = "\n" + std::string(indent, ' ');
  std::string out;
  size_t column = first_column;
  const size_t width = columns > 0 ? static_cast<size_t>(columns) : SIZE_MAX;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find_first_of(" \n", begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(begin, end - begin);
    if (column + word.size() > width && column > indent) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += next_line;
      column = indent;
    }
    out += word;
    column += word.size();
    if (end < text.size()) {
      if (text[end] == '\n') {
        out += next_line;
        column = indent;
      } else {
        out += ' ';
        ++column;
      }
    }
    begin = end + 1;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out;
}

std::string WithArticle(std::string_view noun) {
  const bool vowel = noun.find_first_of("aeio") == 0;
  return std::string(vowel ? "an " : "a ").append(noun);
}

std::string CountText(uint64_t number, std::string_view one, std::string_view many) {
  return std::to_string(number).append(" ").append(number == 1 ? one : many);
}

std::string CountText(uint64_t number, std::string_view noun) {
  std::string many(noun);
  if (noun.ends_with('s')) {
    many += "es";
  } else if (noun.size() < 2 || noun.back() != 'y' || noun[noun.size() - 2] == 'a') {
    many += 's';
  } else {
    many.replace(many.size() - 1, 1, "ies");
  }
  return CountText(number, noun, many);
}

}  // namespace gpusan
