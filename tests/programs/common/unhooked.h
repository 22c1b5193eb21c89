// Functions of the driver as a program has them that reads the driver's symbol table by itself: no
// tool that stands in front of the driver sees the calls.
#pragma once

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

// nullptr: there is no such symbol, or it is not found this way.
[[maybe_unused]] static void* UnhookedSymbol(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW);
  link_map* map = nullptr;
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return nullptr;
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* table = nullptr;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym)*)entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRTAB) strings = (const char*)entry->d_un.d_ptr;
    if (entry->d_tag == DT_GNU_HASH) table = (const uint32_t*)entry->d_un.d_ptr;
  }
  if (symbols == nullptr || strings == nullptr || table == nullptr) return nullptr;
  const uint32_t buckets = table[0], first = table[1], words = table[2];
  const uint32_t* bucket = (const uint32_t*)((const ElfW(Addr)*)(table + 4) + words);
  const uint32_t* chain = bucket + buckets;
  uint32_t hash = 5381;
  for (const char* at = name; *at != 0; ++at) hash = hash * 33 + (unsigned char)*at;
  uint32_t symbol = bucket[hash % buckets];
  if (symbol < first) return nullptr;
  for (;; ++symbol) {
    const uint32_t here = chain[symbol - first];
    if ((here | 1) == (hash | 1) && strcmp(strings + symbols[symbol].st_name, name) == 0)
      return (void*)(map->l_addr + symbols[symbol].st_value);
    if ((here & 1) != 0) return nullptr;
  }
}
