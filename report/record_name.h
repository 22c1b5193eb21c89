// The name of a record file: what %p %h %r %x %q{VAR} %% stand for.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

// What the percent signs are replaced with. %q{VAR} is read from the environment, empty where VAR
// is not set.
struct RecordNameParts {
  int pid = 0;
  std::string host;
  std::string rank;        // of MPI, PMI or SLURM; "0" outside of them
  std::string executable;  // base name
};

// Of this process, now.
RecordNameParts CurrentRecordNameParts();

// Expands `pattern`. What is no known sequence stays as it is and is named in *complaint (one line,
// else empty).
std::string ExpandRecordName(std::string_view pattern, const RecordNameParts& parts,
                             std::string* complaint);

// The full path of this process's executable; empty where /proc does not tell.
std::string ExecutablePath();

}  // namespace gpusan
