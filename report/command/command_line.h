// What every command does with its command line beyond parsing it (report/options/flags.h): help,
// --print-config and error messages.
#pragma once

#include <string>
#include <string_view>

#include "report/options/flags.h"

namespace gpusan {

// Writes "gpusan: `line`" to stderr and returns exit code 70.
int Complain(const std::string& line);

// The columns that a help text may take: those of the terminal, at most 120; 100 for files.
int HelpColumns();

// The lines of `text`, each wrapped at `columns` below its own beginning, or below the text that
// follows a gap of two blanks or more.
std::string WrappedLines(std::string_view text, int columns);

// Answers --help and --print-config on stdout, and a bad flag on stderr. Returns true, with the
// exit code in *exit_code, when one of them was given; returns false when the command has to do its
// work. `usage` is the text that --help prints before the list of flags.
bool DoneByFlags(const ParsedFlags& flags, const std::string& command, const std::string& usage,
                 int* exit_code);

}  // namespace gpusan
