// The name of a record file: expands %p %h %r %x %t %n %q{VAR} %%.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusan {

// The values of the sequences. %q{VAR} is read from the environment; it is empty if VAR is not set.
// In all values control characters and ".." become underscores, and so do slashes, except those of
// a %q{VAR} before the last slash of the pattern.
struct RecordNameParts {
  int pid = 0;
  std::string host;
  std::string rank;        // of MPI, PMI or SLURM; "0" outside of them
  std::string executable;  // base name
  int64_t time_ns = 0;     // %t, since 1970; shown as "20261121T093015Z"
  int number = 0;          // %n
};

// The values of this process; `time_ns` and `number` are 0.
RecordNameParts CurrentRecordNameParts();

// Expands `pattern`. An unknown sequence stays unchanged, and *complaint receives an error message
// of one line; otherwise *complaint is empty.
std::string ExpandRecordName(std::string_view pattern, const RecordNameParts& parts,
                             std::string* complaint);

// The pattern with the current folder in front, unless it is absolute.
std::string AbsolutePattern(const std::string& pattern);

// Whether the pattern contains %n, the first number for which no file exists.
bool HasNumber(std::string_view pattern);

// The full path of this process's executable; empty if /proc is not readable.
std::string ExecutablePath();

}  // namespace gpusan
