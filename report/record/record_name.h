// The name of a record file: what %p %h %r %x %t %n %q{VAR} %% stand for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpusan {

// What the percent signs are replaced with. %q{VAR} is read from the environment, empty where VAR
// is not set; slashes in it are underscores in the last part of the name.
struct RecordNameParts {
  int pid = 0;
  std::string host;
  std::string rank;        // of MPI, PMI or SLURM; "0" outside of them
  std::string executable;  // base name
  int64_t time_ns = 0;     // %t, since 1970; shown as "20261121T093015Z"
  int number = 0;          // %n
};

// Of this process; `time_ns` and `number` are 0.
RecordNameParts CurrentRecordNameParts();

// Expands `pattern`. What is no known sequence stays as it is and is named in *complaint (one line,
// else empty).
std::string ExpandRecordName(std::string_view pattern, const RecordNameParts& parts,
                             std::string* complaint);

// Whether the pattern has %n, which counts up until a name is free.
bool HasNumber(std::string_view pattern);

// The full path of this process's executable; empty where /proc does not tell.
std::string ExecutablePath();

}  // namespace gpusan
