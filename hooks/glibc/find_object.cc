// Defines _dl_find_object for this file, and for the unwinder that is linked into it: the function
// of the C library where it has one (2.35 or newer), else one that iterates over the loaded files.
#include "hooks/glibc/find_object.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "hooks/glibc/elf_symbols.h"

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

extern "C" {
__attribute__((visibility("hidden"))) int _dl_find_object(void* address,
                                                          dl_find_object* result) noexcept;
}

namespace gpusan {
namespace {

// The first file of the list of the namespace that holds this code.
const link_map* FirstFile() {
  static std::atomic<const link_map*> first{nullptr};
  const link_map* known = first.load(std::memory_order_relaxed);
  if (known != nullptr) return known;
  for (const link_map* file = _r_debug.r_map; file != nullptr; file = file->l_next) {
    if (file->l_ld == _DYNAMIC) known = _r_debug.r_map;
  }
  if (known == nullptr) {  // loaded by dlmopen
    Dl_info info;
    link_map* own = nullptr;
    if (dladdr1(_DYNAMIC, &info, reinterpret_cast<void**>(&own), RTLD_DL_LINKMAP) == 0 ||
        own == nullptr)
      return nullptr;
    while (own->l_prev != nullptr) own = own->l_prev;
    known = own;
  }
  first.store(known, std::memory_order_relaxed);
  return known;
}

struct Search {
  uintptr_t address;
  const link_map* first;
  dl_find_object* result;
  bool found;
};

// Runs under the loader's lock, so that the list of files does not change. Ends the iteration at
// the file that holds the address.
int MatchFile(dl_phdr_info* info, size_t, void* argument) {
  auto* search = static_cast<Search*>(argument);
  uintptr_t start = UINTPTR_MAX, end = 0;
  const void* dynamic = nullptr;
  void* eh_frame = nullptr;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD) {
      holds |= search->address - begin < segment.p_memsz;
      if (begin < start) start = begin;
      if (begin + segment.p_memsz > end) end = begin + segment.p_memsz;
    } else if (segment.p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const void*>(begin);
    } else if (segment.p_type == PT_GNU_EH_FRAME) {
      eh_frame = reinterpret_cast<void*>(begin);
    }
  }
  if (!holds) return 0;
  for (const link_map* file = search->first; file != nullptr; file = file->l_next) {
    if (file->l_ld != dynamic) continue;
    dl_find_object& result = *search->result;
    result = {};
    result.dlfo_map_start =
        reinterpret_cast<void*>(start & ~(static_cast<uintptr_t>(getpagesize()) - 1));
    result.dlfo_map_end = reinterpret_cast<void*>(end);
    result.dlfo_link_map = const_cast<link_map*>(file);
    result.dlfo_eh_frame = eh_frame;
    search->found = true;
    break;
  }
  return 1;
}

int FindFirst(void* address, dl_find_object* result);

constinit std::atomic<FindObject*> g_find{FindFirst};

int FindFirst(void* address, dl_find_object* result) {
  FindObject* find = FindObjectOfLibrary();
  if (find == nullptr) find = FindObjectByIteration;
  g_find.store(find, std::memory_order_relaxed);
  return find(address, result);
}

}  // namespace

FindObject* FindObjectOfLibrary() {
  for (const link_map* file = FirstFile(); file != nullptr; file = file->l_next) {
    if (file->l_ld == _DYNAMIC) continue;
    void* found = LookUpSymbol(file->l_addr, file->l_ld, "_dl_find_object");
    if (found != nullptr) return reinterpret_cast<FindObject*>(found);
  }
  return nullptr;
}

int FindObjectByIteration(void* address, dl_find_object* result) {
  Search search{reinterpret_cast<uintptr_t>(address), FirstFile(), result, false};
  dl_iterate_phdr(MatchFile, &search);
  return search.found ? 0 : -1;
}

}  // namespace gpusan

int _dl_find_object(void* address, dl_find_object* result) noexcept {
  return gpusan::g_find.load(std::memory_order_relaxed)(address, result);
}
