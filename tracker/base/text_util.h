// Helpers for text, for all parts of gpusan. All of them are thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusan {

// The characters that separate words within a line.
inline constexpr std::string_view kBlanks = " \t\r";

// The part of `path` after its last '/'; all of it without one.
constexpr std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// `text` without the blanks at both ends.
std::string_view Trimmed(std::string_view text);

// `text` with the ASCII letters A to Z in lower case.
std::string Lower(std::string_view text);

// 'text' in single quotes, for messages.
std::string Quoted(std::string_view text);

// The parts of `text` between any of the characters in `separators`, trimmed; empty parts are left
// out. The parts refer to the bytes of `text`.
std::vector<std::string_view> SplitWords(std::string_view text, std::string_view separators = " ");

// The words of `words` (separated by ' ') as "a, b, c".
std::string WordList(std::string_view words);

// "0x1f".
std::string Hex(uint64_t number);

// "00ff7f": two digits for each byte.
std::string HexBytes(const uint8_t* bytes, size_t count);

// "64 KiB", "12 B", "1048577 B (1.0 MiB)": exact.
std::string BytesText(uint64_t bytes);

// "a buffer", "an image".
std::string WithArticle(std::string_view noun);

// "1 finding", "2 processes".
std::string CountText(uint64_t number, std::string_view one, std::string_view many);
// The same with the regular plural: "1 buffer", "3 device memories".
std::string CountText(uint64_t number, std::string_view noun);
// `text` with line breaks between words, so that no line exceeds `columns` [bytes] if its words
// allow it; 0: no limit. The text begins in column `first_column`; later lines are indented by
// `indent` blanks. Line feeds in the text stay. Blanks at the end are removed.
std::string Wrapped(std::string_view text, size_t first_column, size_t indent, int columns);

}  // namespace gpusan
