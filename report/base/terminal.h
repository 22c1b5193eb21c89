// Properties of the terminal for the output of gpusan: its width, and whether to use colour.
#pragma once

#include <string_view>

namespace gpusan {

// The width [columns] to wrap texts at, for output to descriptor `fd`: COLUMNS if it is a number of
// at least 40, else the width of the terminal. 0, which means no wrapping, if `fd` is no terminal
// (unless `forced`) or is narrower than 40. Thread-safe, as the functions below.
int OutputWidth(int fd, bool forced = false);

// The number of rows of the terminal `fd`; 0 if it is none.
int TerminalRows(int fd);

// Whether output to `fd` is coloured. `choice` is a value of the option `color`: "always", "never",
// or "auto", for which NO_COLOR (not empty) forbids colour, then FORCE_COLOR (neither empty nor 0)
// demands it, then a terminal whose TERM is set and not "dumb" has it. A negative `fd` means a
// file, which has colour with "always" only.
bool WantsColor(int fd, std::string_view choice);

}  // namespace gpusan
