// The mappings of this process, from /proc/self/maps.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace gpusan {

struct ProcessMapping {
  uintptr_t begin = 0, end = 0;
  bool readable = false, writable = false;
  std::string_view name;  // a path, or such as "[heap]"; empty: anonymous
};

// Parses a line of the file. Returns false if it is malformed.
bool ParseMapping(const std::string& line, ProcessMapping* mapping);

// Calls `visit(const ProcessMapping&)` for each mapping, by ascending addresses, until it returns
// false. The name is valid during the call. Visits none if the file cannot be read. Allocates
// memory. Thread-safe.
template <typename Visit>
void VisitMappings(Visit visit) {
  std::ifstream maps("/proc/self/maps");
  ProcessMapping mapping;
  for (std::string line; std::getline(maps, line);) {
    if (ParseMapping(line, &mapping) && !visit(mapping)) return;
  }
}

}  // namespace gpusan
