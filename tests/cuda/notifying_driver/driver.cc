// A driver that forwards to another one and notifies a subscriber of each call, as NVIDIA's driver
// notifies CUPTI.
#include "driver.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace notifying_driver {
namespace {

constexpr int kIds = CUPTI_DRIVER_TRACE_CBID_SIZE;
std::atomic<CUpti_CallbackFunc> subscriber{nullptr};
void* subscribers_data = nullptr;
std::atomic<bool> enabled[kIds];

struct Other {
  std::vector<void*> functions;  // by slot
  std::unordered_map<void*, void*> instead;
};

// Without dlsym, which a preloaded library may answer itself.
std::unordered_map<std::string, void*> SymbolsOf(const link_map& library) {
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const uint32_t* hash = nullptr;
  for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
    const auto at = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(at);
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(at);
    if (entry->d_tag == DT_GNU_HASH) hash = reinterpret_cast<const uint32_t*>(at);
  }
  std::unordered_map<std::string, void*> found;
  if (symbols == nullptr || strings == nullptr || hash == nullptr) return found;
  // The table of hashes has a chain a bucket, and its last symbol's hash is odd.
  const uint32_t buckets = hash[0], first = hash[1], filter_words = hash[2];
  const uint32_t* bucket = hash + 4 + filter_words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
  const uint32_t* chain = bucket + buckets;
  for (uint32_t i = 0; i < buckets; ++i) {
    for (uint32_t symbol = bucket[i]; symbol >= first; ++symbol) {
      if (symbols[symbol].st_value != 0)
        found[strings + symbols[symbol].st_name] =
            reinterpret_cast<void*>(library.l_addr + symbols[symbol].st_value);
      if ((chain[symbol - first] & 1) != 0) break;
    }
  }
  return found;
}

const Other& TheOther() {
  static const Other* const other = [] {
    void* library = dlopen(REAL_DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "notifying driver: %s\n", dlerror());
      std::abort();
    }
    const auto symbols = SymbolsOf(*static_cast<const link_map*>(library));
    auto* made = new Other;
    for (int slot = 0; slot < kFunctionCount; ++slot) {
      const auto it = symbols.find(kNames[slot]);
      made->functions.push_back(it != symbols.end() ? it->second : nullptr);
      if (it != symbols.end()) made->instead[it->second] = kFunctions[slot];
    }
    return made;
  }();
  return *other;
}

}  // namespace

void* Real(int slot) {
  void* real = TheOther().functions[static_cast<size_t>(slot)];
  if (real != nullptr) return real;
  std::fprintf(stderr, "notifying driver: %s has no %s\n", REAL_DRIVER, kNames[slot]);
  std::abort();
}

void* ReplacementOf(void* real) {
  const auto it = TheOther().instead.find(real);
  return it != TheOther().instead.end() ? it->second : real;
}

bool IsEnabled(CUpti_CallbackId id) {
  return id != CUPTI_DRIVER_TRACE_CBID_INVALID && enabled[id].load(std::memory_order_acquire);
}

void CallSubscriber(CUpti_CallbackId id, CUpti_CallbackData* data) {
  subscriber.load(std::memory_order_relaxed)(subscribers_data, CUPTI_CB_DOMAIN_DRIVER_API, id,
                                             data);
}

void LoadTool() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    void* tool = path != nullptr ? dlopen(path, RTLD_NOW) : nullptr;
    if (tool == nullptr) return;
    if (auto* start = reinterpret_cast<int (*)()>(dlsym(tool, "InitializeInjection"))) start();
  });
}

}  // namespace notifying_driver

// What the CUPTI of this driver calls.
extern "C" [[gnu::visibility("default")]] bool notifying_subscribe(CUpti_CallbackFunc callback,
                                                                   void* data) {
  CUpti_CallbackFunc none = nullptr;
  notifying_driver::subscribers_data = data;
  return notifying_driver::subscriber.compare_exchange_strong(none, callback);
}

extern "C" [[gnu::visibility("default")]] void notifying_enable(CUpti_CallbackId id, bool on) {
  if (id < static_cast<CUpti_CallbackId>(notifying_driver::kIds))
    notifying_driver::enabled[id] = on;
}
