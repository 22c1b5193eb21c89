// Escapes text from programs, records and file names for terminals and browsers. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

// Returns the length [bytes] of the well-formed UTF-8 sequence at the front of `text`; 0 if there
// is none. Precondition: `text` is not empty.
int Utf8Length(std::string_view text);

// Returns `text` with escapes, such as \x1b or \u{202e}, for control characters, changes of the
// writing direction, other invisible format characters, U+FFFE and U+FFFF, and bytes that are not
// UTF-8. Call it for all text that comes from programs, records and file names. `lines`: keeps line
// feeds and tabs. `backslash`: the text that begins an escape.
std::string Printable(std::string_view text, bool lines = false, std::string_view backslash = "\\");

}  // namespace gpusan
