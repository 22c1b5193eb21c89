// Text from programs, records and file names on its way to a terminal or a browser. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

// The length in bytes of the well-formed UTF-8 sequence at the front of `text`, which is not empty;
// 0 if there is none.
int Utf8Length(std::string_view text);

// `text` with every character that a terminal or a browser would obey instead of show written as
// \x1b or \u{202e}: control characters, changes of the writing direction, other invisible format
// characters, U+FFFE and U+FFFF, and bytes that are no UTF-8. Everything that comes from programs,
// records and file names passes here on its way into a text. `lines`: line feeds and tabs stay.
// `backslash`: what begins an escape.
std::string Printable(std::string_view text, bool lines = false, std::string_view backslash = "\\");

}  // namespace gpusan
