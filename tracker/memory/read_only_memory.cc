// The memory of the main program that the program cannot write, such as its constants.
#include "tracker/memory/read_only_memory.h"

#include <link.h>

#include <algorithm>

#include "tracker/base/process_maps.h"

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
  bool read_only = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    read_only = mapping.begin <= address && address < mapping.end && !mapping.writable;
    return mapping.end <= address;
  });
  return read_only;
}

}  // namespace gpusan
