// The mappings of this process.
#include "tracker/base/process_maps.h"

#include <cstdlib>

namespace gpusan {

// begin-end permissions offset device inode name
bool ParseMapping(const std::string& line, ProcessMapping* mapping) {
  char* at = nullptr;
  mapping->begin = std::strtoull(line.c_str(), &at, 16);
  if (*at != '-') return false;
  mapping->end = std::strtoull(at + 1, &at, 16);
  if (at[0] != ' ' || at[1] == '\0') return false;
  mapping->readable = at[1] == 'r';
  mapping->writable = at[2] == 'w';
  const size_t name = line.find_first_of("/[", static_cast<size_t>(at - line.c_str()));
  mapping->name = name != std::string::npos ? std::string_view(line).substr(name) : "";
  return true;
}

}  // namespace gpusan
