// Symbols of loaded files, from their dynamic sections.
//
// Thread-safe; allocates nothing and takes no lock. The file must not be unloaded meanwhile.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>

namespace gpusan {

struct ElfSymbols {
  const ElfW(Sym) * table = nullptr;
  const char* strings = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint16_t* versions = nullptr;
};

// `bias` is the difference between addresses in the process and in the file.
inline ElfSymbols SymbolsOf(ElfW(Addr) bias, const ElfW(Dyn) * dynamic) {
  // glibc relocates the pointers of the dynamic section in place; those of the vDSO stay offsets.
  const auto at = [bias](ElfW(Addr) pointer) { return pointer < bias ? pointer + bias : pointer; };
  ElfSymbols symbols;
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) pointer = at(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) symbols.table = reinterpret_cast<const ElfW(Sym)*>(pointer);
    if (entry->d_tag == DT_STRTAB) symbols.strings = reinterpret_cast<const char*>(pointer);
    if (entry->d_tag == DT_GNU_HASH) symbols.gnu_hash = reinterpret_cast<const uint32_t*>(pointer);
    if (entry->d_tag == DT_VERSYM) symbols.versions = reinterpret_cast<const uint16_t*>(pointer);
  }
  return symbols;
}

// Look-ups run while the runtime of a sanitizer starts, when its wrappers of the string functions
// do not work yet: this one calls no function.
inline bool IsSame(const char* a, const char* b) {
  for (; *a == *b; ++a, ++b) {
    if (*a == '\0') return true;
  }
  return false;
}

// Returns the default version of `name`, by the GNU hash table; nullptr if the file has no
// definition or no such table.
inline void* LookUpSymbol(ElfW(Addr) bias, const ElfW(Dyn) * dynamic, const char* name) {
  const ElfSymbols symbols = SymbolsOf(bias, dynamic);
  if (symbols.table == nullptr || symbols.strings == nullptr || symbols.gnu_hash == nullptr)
    return nullptr;
  uint32_t hash = 5381;
  for (const char* c = name; *c != 0; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
  const uint32_t bucket_count = symbols.gnu_hash[0];
  const uint32_t first = symbols.gnu_hash[1];
  const uint32_t bloom_words = symbols.gnu_hash[2];
  const uint32_t* buckets = symbols.gnu_hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / 4);
  const uint32_t* chain = buckets + bucket_count;
  if (bucket_count == 0) return nullptr;
  for (uint32_t index = buckets[hash % bucket_count]; index >= first && index != 0; ++index) {
    const uint32_t kept = chain[index - first];
    const ElfW(Sym)& symbol = symbols.table[index];
    const bool hidden = symbols.versions != nullptr && (symbols.versions[index] & 0x8000) != 0;
    if ((kept | 1) == (hash | 1) && !hidden && symbol.st_shndx != SHN_UNDEF &&
        IsSame(symbols.strings + symbol.st_name, name)) {
      return reinterpret_cast<void*>(bias + symbol.st_value);
    }
    if ((kept & 1) != 0) break;
  }
  return nullptr;
}

}  // namespace gpusan
