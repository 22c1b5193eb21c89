// Looks into the loader's list of files and their symbol tables directly.
#include "hooks/common/next_symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// glibc relocates the pointers of the dynamic section in place; those of the vDSO stay offsets.
template <typename T>
const T* At(const link_map* file, ElfW(Addr) pointer) {
  return reinterpret_cast<const T*>(pointer < file->l_addr ? pointer + file->l_addr : pointer);
}

struct Symbols {
  const ElfW(Sym) * table = nullptr;
  const char* strings = nullptr;
  const uint32_t* gnu_hash = nullptr;
  const uint16_t* versions = nullptr;
};

Symbols SymbolsOf(const link_map* file) {
  Symbols symbols;
  for (const ElfW(Dyn)* entry = file->l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols.table = At<ElfW(Sym)>(file, entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) symbols.strings = At<char>(file, entry->d_un.d_ptr);
    if (entry->d_tag == DT_GNU_HASH) symbols.gnu_hash = At<uint32_t>(file, entry->d_un.d_ptr);
    if (entry->d_tag == DT_VERSYM) symbols.versions = At<uint16_t>(file, entry->d_un.d_ptr);
  }
  return symbols;
}

// Returns the default version of `name` in `file`, by its GNU hash table.
void* Lookup(const link_map* file, const char* name) {
  const Symbols symbols = SymbolsOf(file);
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
        strcmp(symbols.strings + symbol.st_name, name) == 0) {
      return reinterpret_cast<void*>(file->l_addr + symbol.st_value);
    }
    if ((kept & 1) != 0) break;
  }
  return nullptr;
}

const link_map* ThisFile() {
  dl_find_object object;
  if (_dl_find_object(reinterpret_cast<void*>(&ThisFile), &object) != 0) return nullptr;
  return object.dlfo_link_map;
}

const link_map* FirstFile() {
  const link_map* file = ThisFile();
  while (file != nullptr && file->l_prev != nullptr) file = file->l_prev;
  return file;
}

// The dynamic-loading functions moved from libdl into libc with glibc 2.34.
void* OfLibc(const char* name) {
  void* found = SymbolOfFile("libc.so.6", name);
  if (found == nullptr) found = SymbolOfFile("libdl.so.2", name);
  if (found == nullptr) __builtin_trap();
  return found;
}

constinit std::atomic<void*> real_dlsym{nullptr};
constinit std::atomic<void*> real_dlvsym{nullptr};

void* Cached(std::atomic<void*>& slot, const char* name) {
  void* found = slot.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = OfLibc(name);
    slot.store(found, std::memory_order_relaxed);
  }
  return found;
}

}  // namespace

void* SymbolOfFile(const char* file_name, const char* name) {
  for (const link_map* file = FirstFile(); file != nullptr; file = file->l_next) {
    if (file->l_name == nullptr) continue;
    if (!BaseName(file->l_name).starts_with(file_name)) continue;
    void* found = Lookup(file, name);
    if (found != nullptr) return found;
  }
  return nullptr;
}

DlsymFunction RealDlsym() { return reinterpret_cast<DlsymFunction>(Cached(real_dlsym, "dlsym")); }

DlvsymFunction RealDlvsym() {
  return reinterpret_cast<DlvsymFunction>(Cached(real_dlvsym, "dlvsym"));
}

bool MayHaveNext(const char* name) {
  const link_map* own = ThisFile();
  const link_map* program = FirstFile();
  if (own == nullptr) return true;
  for (const link_map* file = program->l_next; file != nullptr; file = file->l_next) {
    if (file == own) continue;
    const Symbols symbols = SymbolsOf(file);
    const bool without_hash = symbols.table != nullptr && symbols.gnu_hash == nullptr;
    if (without_hash || Lookup(file, name) != nullptr) return true;
  }
  return false;
}

bool IsLoadedFunction(const void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 && info.dli_saddr == function;
}

bool IsInLoadedFile(const void* address) {
  dl_find_object object;
  return _dl_find_object(const_cast<void*>(address), &object) == 0;
}

bool IsInThisNamespace(const void* address) {
  dl_find_object object;
  if (_dl_find_object(const_cast<void*>(address), &object) != 0) return false;
  const link_map* file = object.dlfo_link_map;
  while (file->l_prev != nullptr) file = file->l_prev;
  return file == FirstFile();
}

uint64_t UnloadedFiles() {
  uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uint64_t*>(data) = info->dlpi_subs;
        return 1;
      },
      &count);
  return count;
}

void* NextSymbol(const char* name) { return RealDlsym()(RTLD_NEXT, name); }

}  // namespace gpusan
