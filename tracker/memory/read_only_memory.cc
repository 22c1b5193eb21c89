// The memory of the main program that the program cannot write, such as its constants.
#include "tracker/memory/read_only_memory.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace gpusan {

read_only_internal::Image read_only_internal::FindImage() {
  Image image;
  const auto visit = [](dl_phdr_info* info, size_t, void* found) {
    uintptr_t begin = UINTPTR_MAX, end = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD) continue;
      const uintptr_t first = info->dlpi_addr + part.p_vaddr;
      begin = std::min(begin, first);
      if ((part.p_flags & PF_W) != 0) end = std::min(end, first);
    }
    if (begin < end && end != UINTPTR_MAX) *static_cast<Image*>(found) = {begin, end - begin};
    return 1;  // the main program is the first file
  };
  dl_iterate_phdr(visit, &image);
  return image;
}

bool IsReadOnly(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    // begin-end perms ...
    char* at = nullptr;
    const uintptr_t begin = std::strtoull(line.c_str(), &at, 16);
    if (*at != '-') return false;
    const uintptr_t end = std::strtoull(at + 1, &at, 16);
    if (address < begin) return false;
    if (address < end) return at[0] == ' ' && at[1] != '\0' && at[2] == '-';
  }
  return false;
}

}  // namespace gpusan
