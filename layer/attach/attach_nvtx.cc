// NVTX 3: the names and ranges that programs give for profilers.
//
// NVTX is compiled into the program. At its first call it loads the library that
// NVTX_INJECTION64_PATH names and calls InitializeInjectionNvtx2, once for each copy of NVTX in the
// process. The declarations here are those of its binary interface (nvtx3/nvtxDetail/nvtxTypes.h
// and nvtxExtTypes.h). Ranges that may end on another thread (nvtxRangeStart), markers and
// categories are left out.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <unordered_set>

#include "hooks/common/base/fork_reset.h"
#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"
#include "hooks/common/thread_words.h"
#include "layer/runtime/program_interface.h"
#include "layer/runtime/runtime.h"
#include "report/base/privileges.h"

namespace gpusan {
namespace {

// nvtxEventAttributes_t
struct Attributes {
  uint16_t version;
  uint16_t size;  // of this structure [bytes]
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;
  int32_t message_type;
  const void* message;
};
enum MessageType : int32_t { kAscii = 1, kUnicode = 2, kRegistered = 3 };

std::string_view View(const char* text) { return text != nullptr ? text : std::string_view(); }

std::string Utf8(const wchar_t* text) {
  std::string utf8;
  for (; text != nullptr && *text != L'\0'; ++text) {
    auto code = static_cast<uint32_t>(*text);
    if (code - 0xd800u < 0x800u) code = 0xfffd;  // half of a pair
    const auto tail = [&](int shift) {
      utf8 += static_cast<char>(0x80 | ((code >> shift) & 0x3f));
    };
    if (code < 0x80) {
      utf8 += static_cast<char>(code);
    } else if (code < 0x800) {
      utf8 += static_cast<char>(0xc0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      utf8 += static_cast<char>(0xe0 | code >> 12);
      tail(6), tail(0);
    } else if (code < 0x110000) {
      utf8 += static_cast<char>(0xf0 | code >> 18);
      tail(12), tail(6), tail(0);
    }
  }
  return utf8;
}

// --- Ranges

int PushText(const void* domain, const char* text) { return PushRange(domain, View(text)); }

// Returns what `function` returns; `otherwise` if there is no memory.
template <typename Result, typename Function>
Result WithMemory(Result otherwise, Function function) {
  ReentryGuard guard;
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return otherwise;
  }
}

int PushWide(const void* domain, const wchar_t* text) {
  return WithMemory(-1, [&] { return PushRange(domain, Utf8(text)); });
}

int DomainPush(const void* domain, const Attributes* attributes) {
  if (attributes == nullptr || attributes->size < sizeof(Attributes)) return PushText(domain, "");
  switch (attributes->message_type) {
    case kAscii:
    case kRegistered:  // the handle is the text
      return PushText(domain, static_cast<const char*>(attributes->message));
    case kUnicode:
      return PushWide(domain, static_cast<const wchar_t*>(attributes->message));
    default:
      return PushText(domain, "");
  }
}

int Push(const Attributes* attributes) { return DomainPush(nullptr, attributes); }
int PushA(const char* text) { return PushText(nullptr, text); }
int PushW(const wchar_t* text) { return PushWide(nullptr, text); }
int Pop() { return PopRange(nullptr); }

// Domains are numbers.
constinit std::atomic<uintptr_t> g_last_domain{0};
template <typename Char>
const void* CreateDomain(const Char*) {
  return reinterpret_cast<const void*>(g_last_domain.fetch_add(1, std::memory_order_relaxed) + 1);
}

// The registered strings of the process, which are never freed.
struct Strings {
  std::mutex mutex;
  std::unordered_set<std::string> all;
};
constinit ProcessState<Strings> g_strings;
// Another thread of the parent may hold the mutex. Strings of the parent stay valid.
const ForkReset g_reset([] { g_strings.Forget(); });

// Returns the registered string, of which the first 256 bytes are kept. NULL if there are too many.
const void* Register(std::string text) {
  constexpr size_t kMost = size_t{1} << 16, kMostBytes = 256;
  if (text.size() > kMostBytes) text.resize(kMostBytes);
  Strings& strings = g_strings.Get();
  std::lock_guard lock(strings.mutex);
  if (strings.all.size() >= kMost && strings.all.count(text) == 0) return nullptr;
  return strings.all.insert(std::move(text)).first->c_str();
}
const void* RegisterA(const void*, const char* text) {
  return WithMemory<const void*>(nullptr, [&] { return Register(std::string(View(text))); });
}
const void* RegisterW(const void*, const wchar_t* text) {
  return WithMemory<const void*>(nullptr, [&] { return Register(Utf8(text)); });
}

// --- Names

void NameThreadA(uint32_t thread, const char* name) {
  ReentryGuard guard;
  NameThread(static_cast<int32_t>(thread), View(name));
}
void NameThreadW(uint32_t thread, const wchar_t* name) {
  WithMemory(0, [&] {
    NameThread(static_cast<int32_t>(thread), Utf8(name));
    return 0;
  });
}

template <Api kApi>
void NameA(const void* handle, const char* name) {
  NameProgramObject(kApi, reinterpret_cast<uintptr_t>(handle), name);
}
template <Api kApi>
void NameW(const void* handle, const wchar_t* name) {
  WithMemory(0, [&] {
    NameA<kApi>(handle, Utf8(name).c_str());
    return 0;
  });
}

// --- The tables of a copy of NVTX

using Function = void (*)();
// NvtxExportTableCallbacks
struct ExportTable {
  size_t size;
  // The functions of a module: pointers to variables, by number. Returns 0 for unknown modules.
  int (*module_functions)(int module, Function*** functions, unsigned* count);
};
constexpr uint32_t kExportTable = 1;  // NVTX_ETID_CALLBACKS

enum Module : int { kCore = 1, kCuda = 2, kOpenCL = 3, kCudaRuntime = 4, kDomains = 5 };

// The functions are numbered as in the NvtxCallbackId enumerations.
struct Row {
  Module module;
  unsigned number;
  Function function;
};

template <typename F>
Function Untyped(F* function) {
  return reinterpret_cast<Function>(function);
}

// Two rows: the functions for char and wchar_t have consecutive numbers.
#define GPUSAN_NAMES(module, number, api) \
  {module, number, Untyped(&NameA<Api::api>)}, { module, (number) + 1, Untyped(&NameW<Api::api>) }

void Subscribe(const ExportTable& table) {
  static const Row kRows[] = {
      {kCore, 8, Untyped(&Push)},
      {kCore, 9, Untyped(&PushA)},
      {kCore, 10, Untyped(&PushW)},
      {kCore, 11, Untyped(&Pop)},
      {kCore, 14, Untyped(&NameThreadA)},
      {kCore, 15, Untyped(&NameThreadW)},
      {kDomains, 4, Untyped(&DomainPush)},
      {kDomains, 5, Untyped(&PopRange)},
      {kDomains, 10, Untyped(&RegisterA)},
      {kDomains, 11, Untyped(&RegisterW)},
      {kDomains, 12, Untyped(&CreateDomain<char>)},
      {kDomains, 13, Untyped(&CreateDomain<wchar_t>)},
      GPUSAN_NAMES(kCuda, 3, kCuda),         // CUcontext
      GPUSAN_NAMES(kCuda, 5, kCuda),         // CUstream
      GPUSAN_NAMES(kCuda, 7, kCuda),         // CUevent
      GPUSAN_NAMES(kCudaRuntime, 3, kCuda),  // cudaStream_t
      GPUSAN_NAMES(kCudaRuntime, 5, kCuda),  // cudaEvent_t
      GPUSAN_NAMES(kOpenCL, 3, kOpenCL),     // cl_context
      GPUSAN_NAMES(kOpenCL, 5, kOpenCL),     // cl_command_queue
      GPUSAN_NAMES(kOpenCL, 7, kOpenCL),     // cl_mem
      GPUSAN_NAMES(kOpenCL, 9, kOpenCL),     // cl_sampler
      GPUSAN_NAMES(kOpenCL, 11, kOpenCL),    // cl_program
      GPUSAN_NAMES(kOpenCL, 13, kOpenCL),    // cl_event
  };
  for (const Row& row : kRows) {
    Function** functions = nullptr;
    unsigned count = 0;
    if (table.module_functions(row.module, &functions, &count) == 0 || functions == nullptr ||
        row.number >= count || functions[row.number] == nullptr)
      continue;
    *functions[row.number] = row.function;
  }
}

#undef GPUSAN_NAMES

// --- The functions of the extension for payloads, with which libraries such as NCCL end ranges
// that nvtxDomainRangePushEx began

// nvtxExtModuleSegment_t
struct Segment {
  size_t id;
  size_t count;
  intptr_t* functions;
};
// nvtxExtModuleInfo_t
struct Extension {
  uint16_t version;
  uint16_t size;  // of this structure [bytes]
  uint16_t id;
  uint16_t compatible;
  size_t segment_count;
  const Segment* segments;
};
constexpr uint16_t kPayloads = 2;                    // NVTX_EXT_PAYLOAD_MODULEID
constexpr size_t kPushPayload = 3, kPopPayload = 4;  // NVTX3EXT_CBID_nvtxRangePushPayload and so on

int PushPayload(const void* domain, const void*, size_t) { return PushText(domain, ""); }
int PopPayload(const void* domain, const void*, size_t) { return PopRange(domain); }

// Whether findings are possible in this process.
bool Watches() {
  if (RunsWithRaisedPrivileges()) return false;
  const Options& options = Runtime::Get().options();
  return options.opencl_attach != "off" || options.cuda_attach != "off" ||
         options.vulkan_attach != "off";
}

}  // namespace
}  // namespace gpusan

// Returns 0 if gpusan does not want the calls of this copy of NVTX, which then do nothing.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void* (*export_table)(uint32_t id)) {
  using namespace gpusan;
  ReentryGuard guard;
  if (export_table == nullptr || !Watches()) return 0;
  const auto* table = static_cast<const ExportTable*>(export_table(kExportTable));
  if (table == nullptr || table->size < sizeof(ExportTable) || table->module_functions == nullptr)
    return 0;
  Subscribe(*table);
  return 1;
}

// The same for an extension of NVTX.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
    const void* module) {
  using namespace gpusan;
  ReentryGuard guard;
  const auto* extension = static_cast<const Extension*>(module);
  if (extension == nullptr || extension->size < sizeof(Extension) || extension->id != kPayloads ||
      extension->segment_count == 0 || extension->segments == nullptr || !Watches())
    return 0;
  const Segment& segment = extension->segments[0];
  if (segment.functions == nullptr || segment.count <= kPopPayload) return 0;
  segment.functions[kPushPayload] = reinterpret_cast<intptr_t>(&PushPayload);
  segment.functions[kPopPayload] = reinterpret_cast<intptr_t>(&PopPayload);
  return 1;
}
