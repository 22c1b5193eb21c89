// Escapes text from programs, records and file names for terminals and browsers.
#include "report/base/printable.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace gpusan {
namespace {

// Of a well-formed sequence.
uint32_t CodePoint(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  uint32_t point = byte(0) & (0xffu >> (sequence.size() + 1));
  for (size_t i = 1; i < sequence.size(); ++i) point = point << 6 | (byte(i) & 0x3f);
  return point;
}

// Control characters, what changes the writing direction or is invisible (Unicode's Cc, and of Cf
// what hides text), and the two noncharacters that XML 1.0 §2.2 forbids.
bool IsHidden(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0xad || point == 0x61c ||
         point == 0x180e || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) ||
         point == 0xfeff || (point >= 0xfff9 && point <= 0xfffb) || point == 0xfffe ||
         point == 0xffff || (point >= 0xe0000 && point <= 0xe007f);
}

}  // namespace

int Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto tail = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    // No overlong forms (E0), no surrogates (ED).
    const bool second = tail(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = tail(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

std::string Printable(std::string_view text, bool lines, std::string_view backslash) {
  std::string out;
  out.reserve(text.size());
  char escape[16];
  while (!text.empty()) {
    const int length = Utf8Length(text);
    const std::string_view sequence = text.substr(0, static_cast<size_t>(std::max(length, 1)));
    text.remove_prefix(sequence.size());
    const uint32_t point =
        length > 0 ? CodePoint(sequence) : static_cast<unsigned char>(sequence[0]);
    const bool kept = lines && (point == '\n' || point == '\t');
    if (length > 0 && (kept || !IsHidden(point))) {
      out += sequence;
      continue;
    }
    std::snprintf(escape, sizeof(escape), length > 1 ? "u{%x}" : "x%02x", point);
    out.append(backslash).append(escape);
  }
  return out;
}

}  // namespace gpusan
