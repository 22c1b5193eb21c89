// Finds methods and callers through functions that mono exports.
#include "hooks/common/sites/mono_names.h"

#include <dlfcn.h>

#include <atomic>
#include <charconv>
#include <mutex>

#include "hooks/common/base/next_symbol.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

// As mono declares them, with void for its types.
struct Mono {
  char* (*describe)(void* address);  // mono_pmip
  void (*release)(void* text);
  void* (*domain_of_thread)();  // nullptr: the thread is not known to mono
  int (*is_shutting_down)();
  void (*walk)(int (*on_frame)(void* method, int32_t native_offset, int32_t il_offset, int managed,
                               void* data),
               void* data);
  void* (*code_at)(void* domain, char* address);  // MonoJitInfo
  void* (*code_begin)(void* code);
  void* (*code_method)(void* code);

  bool CanBeCalled() const { return is_shutting_down() == 0 && domain_of_thread() != nullptr; }
};

constinit Mono functions{};
constinit std::atomic<const Mono*> mono{nullptr};

template <typename Function>
bool Find(const char* name, Function* function) {
  *function = reinterpret_cast<Function>(RealDlsym()(RTLD_DEFAULT, name));
  return *function != nullptr;
}

// Puts the return addresses of a thread's methods into a StackWalk.
struct Callers {
  const Mono* mono;
  void* domain;
  StackWalk* walk;
  uintptr_t stack_end;
  int max_frames;
  bool is_first = true;
};

// Whether the return address belongs to the method, at the offset that mono has for the frame.
bool IsIn(const Callers& callers, uintptr_t address, void* method, int32_t offset) {
  void* const code = callers.mono->code_at(callers.domain, reinterpret_cast<char*>(address));
  if (code == nullptr || callers.mono->code_method(code) != method) return false;
  const uintptr_t distance = address - reinterpret_cast<uintptr_t>(callers.mono->code_begin(code));
  return distance - static_cast<uintptr_t>(offset) <= 1;  // or the byte of the call before it
}

// Returns 0 to continue. mono has the method of each frame and not where its return address is.
__attribute__((no_sanitize("address", "thread"))) int OnMonoFrame(void* method, int32_t offset,
                                                                  int32_t, int, void* data) {
  constexpr uintptr_t kMostFrameBytes = 4096;
  auto* callers = static_cast<Callers*>(data);
  StackWalk* const walk = callers->walk;
  if (callers->is_first) {
    callers->is_first = false;
    return IsIn(*callers, walk->frames[walk->count - 1], method, offset) ? 0 : 1;
  }
  if (walk->count >= callers->max_frames || walk->count >= StackWalk::kMaxFrames) return 1;
  uintptr_t slot = walk->slots[walk->count - 1] + sizeof(uintptr_t);
  const uintptr_t end =
      callers->stack_end - slot < kMostFrameBytes ? callers->stack_end : slot + kMostFrameBytes;
  const uintptr_t near = walk->frames[walk->count - 1];
  for (; slot + sizeof(uintptr_t) <= end; slot += sizeof(uintptr_t)) {
    const uintptr_t address = *reinterpret_cast<const uintptr_t*>(slot);
    constexpr uintptr_t kNear = uintptr_t{1} << 31;  // most words of a stack are no code
    if (address - near + kNear > 2 * kNear || !IsIn(*callers, address, method, offset)) continue;
    walk->slots[walk->count] = slot;
    walk->frames[walk->count++] = address;
    return 0;
  }
  return 1;
}

}  // namespace

bool ParseMonoPosition(std::string_view text, MonoPosition* position) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  const size_t method = text.find(" [{");
  if (method == 0 || method == std::string_view::npos || method > PerfMap::kMostNameBytes)
    return false;
  MonoPosition parsed;
  parsed.function.name = text.substr(0, method);
  text.remove_prefix(method + 3);
  constexpr std::string_view kOffset = "} + 0x";
  const size_t offset = text.find(kOffset);
  if (offset == std::string_view::npos) return false;
  text.remove_prefix(offset + kOffset.size());
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, parsed.offset, 16);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(at - text.data()));
  // The code's begin and end follow the line.
  const std::string_view line = text.substr(0, text.find(" (0x"));
  const size_t begin = line.find("] [");
  const size_t colons = line.rfind(" :: ");
  if (begin != std::string_view::npos && colons != std::string_view::npos && colons > begin + 3 &&
      std::from_chars(line.data() + colons + 4, line.data() + line.size(), parsed.line).ec ==
          std::errc())
    parsed.function.file = line.substr(begin + 3, colons - begin - 3);
  *position = std::move(parsed);
  return true;
}

void FindMono() {
  static SpinLock finding;
  std::lock_guard lock(finding);
  if (mono.load(std::memory_order_acquire) != nullptr) return;
  if (Find("mono_pmip", &functions.describe) && Find("mono_free", &functions.release) &&
      Find("mono_domain_get", &functions.domain_of_thread) &&
      Find("mono_runtime_is_shutting_down", &functions.is_shutting_down) &&
      Find("mono_stack_walk_no_il", &functions.walk) &&
      Find("mono_jit_info_table_find", &functions.code_at) &&
      Find("mono_jit_info_get_code_start", &functions.code_begin) &&
      Find("mono_jit_info_get_method", &functions.code_method))
    mono.store(&functions, std::memory_order_release);
}

bool HasMono() { return mono.load(std::memory_order_acquire) != nullptr; }

void AddMonoCallers(StackWalk* walk, uintptr_t stack_end, int max_frames) {
  const Mono* const found = mono.load(std::memory_order_acquire);
  if (found == nullptr || walk->generated < 0 || !found->CanBeCalled()) return;
  Callers callers{found, found->domain_of_thread(), walk, stack_end, max_frames};
  const int count = walk->count;
  walk->count = walk->generated + 1;
  found->walk(OnMonoFrame, &callers);
  if (walk->count == walk->generated + 1) walk->count = count;
}

bool FindMonoPosition(uint64_t address, MonoPosition* position) {
  const Mono* const runtime = mono.load(std::memory_order_acquire);
  if (runtime == nullptr || !runtime->CanBeCalled()) return false;
  const auto describe = [runtime](uint64_t at, MonoPosition* result) {
    char* text = runtime->describe(reinterpret_cast<void*>(at));
    if (text == nullptr) return false;
    const bool parsed = ParseMonoPosition(text, result);
    runtime->release(text);
    return parsed;
  };
  if (!describe(address, position)) return false;
  // Fingerprints count lines from the first line of the method. Its first bytes have no line.
  constexpr uint64_t kStep = 4, kMostBytes = 256;
  const uint64_t begin = address - position->offset;
  for (uint64_t at = begin; position->line != 0 && position->function.line == 0 &&
                            at - begin < kMostBytes && at <= address;
       at += kStep) {
    MonoPosition early;
    if (describe(at, &early)) position->function.line = static_cast<int>(early.line);
  }
  return true;
}

}  // namespace gpusan
