// Looks into the loader's list of files and their symbol tables directly.
#include "hooks/common/base/next_symbol.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdint>

#include "hooks/glibc/elf_symbols.h"

namespace gpusan {
namespace {

// Look-ups run while the runtime of a sanitizer starts, when its wrappers of the string functions
// do not work yet: this one calls no function.
bool BaseNameStartsWith(const char* path, const char* start) {
  const char* name = path;
  for (const char* c = path; *c != '\0'; ++c) {
    if (*c == '/') name = c + 1;
  }
  while (*start != '\0' && *name == *start) {
    ++name;
    ++start;
  }
  return *start == '\0';
}

void* Lookup(const link_map* file, const char* name) {
  return LookUpSymbol(file->l_addr, file->l_ld, name);
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
    if (!BaseNameStartsWith(file->l_name, file_name)) continue;
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
    const ElfSymbols symbols = SymbolsOf(file->l_addr, file->l_ld);
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
