// How the library starts and ends with its process: constructor, fork, and every kind of exit
// except signals.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "hooks/common/guard.h"
#include "hooks/host/host_interposition.h"
#include "layer/process/child_environment.h"
#include "layer/process/process_functions.h"
#include "layer/runtime/runtime.h"
#include "report/record/attach_log.h"
#include "report/text/gpu_drivers.h"
#include "tracker/base/text_util.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;

namespace gpusan {
namespace {

constinit bool ends_after_loader = false;

// Allocation calls of this thread are not recorded during a fork: fork handlers of other libraries
// run between those of gpusan, and in the child another thread may have left gpusan's tables in the
// middle of a change.
void BeforeFork() {
  ++guard_internal::depth;
  Runtime::Get().PrepareFork();
}

void InParent() {
  Runtime::Get().AfterForkInParent();
  --guard_internal::depth;
}

void InChild() {
  Runtime::Get().AfterForkInChild();
  --guard_internal::depth;
}

struct Loaded {
  bool from_start;  // this library was loaded at program start, before the C library
  bool gpu;         // a library of a GPU API is already loaded
};

Loaded LookAround() {
  Loaded loaded{false, false};
  dl_find_object self;
  if (_dl_find_object(reinterpret_cast<void*>(&LookAround), &self) != 0) return loaded;
  const link_map* file = self.dlfo_link_map;
  while (file->l_prev != nullptr) file = file->l_prev;
  bool after_us = false;
  for (; file != nullptr; file = file->l_next) {
    const std::string_view name = BaseName(file->l_name);
    if (file == self.dlfo_link_map) after_us = true;
    if (after_us && name.starts_with("libc.so.")) loaded.from_start = true;
    loaded.gpu |= IsOfGpuApi(name);
  }
  return loaded;
}

// The status that the process ends with, once exit was called.
constinit std::atomic<int> exit_status{0};

void KeepStatus(int status, void*) { exit_status.store(status, std::memory_order_relaxed); }

void AtExit(void*) {
  Runtime::Get().End("exit", true);
  const int status = exit_status.load(std::memory_order_relaxed);
  const int code = Runtime::Get().ExitCode(status);
  // The C library continues with the remaining handlers and ends with the new status.
  if (code != status) std::exit(code);
}

void AtQuickExit() {
  Runtime::Get().End("quick_exit", false);
  // quick_exit does not pass its status to handlers. If there are findings, the process must fail.
  if (const int code = Runtime::Get().ExitCode(0); code != 0) RealProcess()._exit(code);
}

void Halt() {
  Runtime::Get().End("halt", false);
  const auto code = static_cast<int>(Runtime::Get().options().exitcode);
  constexpr int kExitFindings = 66;  // the same as that of `gpusan run`
  RealProcess()._exit(code != 0 ? code : kExitFindings);
}

__attribute__((constructor)) void Attach() {
  ReentryGuard guard;
  Runtime::Get();
  RealProcess();
  const Loaded loaded = LookAround();
  if (loaded.gpu) ExpectGpuUse();
  pthread_atfork(BeforeFork, InParent, InChild);
  at_quick_exit(AtQuickExit);
  Runtime::Get().writer()->SetHalt(Halt);
  // Exit handlers run in reverse order of their registration. A handler that is registered here,
  // before the C library registers the loader's handler, runs after the static destructors of all
  // files. The file handle is nullptr, so that the handler does not run when this library is
  // finalised.
  ends_after_loader = loaded.from_start && __cxa_atexit(AtExit, nullptr, nullptr) == 0;
  on_exit(KeepStatus, nullptr);  // registered last, so that it runs first
  RememberRun(Runtime::Get().options().follow_children);
  AppendAttachLog();
}

// Ends a library that was loaded late, as an OpenCL layer. The loader finalises files after all
// exit handlers, so this runs after the C++ static destructors of all files.
__attribute__((destructor)) void Detach() {
  if (!ends_after_loader) AtExit(nullptr);
}

[[noreturn]] void ExitNow(int status) {
  Runtime::Get().End("_exit", false);
  RealProcess()._exit(Runtime::Get().ExitCode(status));
  __builtin_trap();
}

}  // namespace
}  // namespace gpusan

extern "C" {

__attribute__((visibility("default"), noreturn)) void _exit(int status) { gpusan::ExitNow(status); }

__attribute__((visibility("default"), noreturn)) void _Exit(int status) noexcept {
  gpusan::ExitNow(status);
}

}  // extern "C"
