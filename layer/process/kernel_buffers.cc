// Functions of the C library that hand memory of the program to the kernel. The access counts as
// one of the program: it must not meet a pending command. The kernel would fail on pages that the
// option protect_maps has protected.
//
// Without guards and without commands that use host memory, a wrapper costs three loads. Functions
// that are not here, such as recvmsg and io_uring, fail with EFAULT on protected pages.
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "hooks/common/base/safe_read.h"
#include "hooks/common/guard.h"
#include "hooks/host/host_interposition.h"
#include "hooks/host/page_guard.h"
#include "layer/process/process_functions.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"
#include "tracker/state/host_uses.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

void NoteBytes(const void* buffer, size_t bytes, bool write, const void* caller) {
  PageGuards::NoteAccess(reinterpret_cast<uintptr_t>(buffer), bytes, write, caller);
}

void NoteElements(const void* buffer, size_t size, size_t count, bool write, const void* caller) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(size, count, &bytes)) NoteBytes(buffer, bytes, write, caller);
}

// The list may be at a wrong address: the kernel says so to the program.
void NoteList(const iovec* list, int count, bool write, const void* caller) {
  constexpr int kMost = 1024;  // IOV_MAX
  for (int i = 0; i < count && i < kMost; ++i) {
    iovec one{};
    if (ReadOwnMemory(reinterpret_cast<uintptr_t>(list + i), &one, sizeof(one)) != sizeof(one))
      return;
    NoteBytes(one.iov_base, one.iov_len, write, caller);
  }
}

// As FindConflictWithShared. Calls for page-locked memory may be deferred. The option protect_maps
// reports accesses to page-locked memory itself.
bool FindConflictInPinned(Tracker& shadow, uintptr_t address, uint64_t bytes, bool write,
                          rules::MappedUse* use) {
  if (any_pinned_memory.load(std::memory_order_relaxed) && IsPinned(shadow.objects(), address)) {
    if (Runtime::Get().options().protect_maps) return false;
    ForEachApi([](const ApiPart& part) {
      if (part.settle != nullptr) part.settle();
    });
  }
  return FindConflictWithShared(shadow.objects(), shadow.ordering(), address, bytes, write, use);
}

// Reports a command that uses the accessed memory and is not known to be complete, unless it may
// wait for a value that the program writes to memory behind the access.
void CheckPending(const CallInfo& info, const void* buffer, uint64_t bytes, bool write,
                  const void* caller, const void* frame) {
  Tracker* shadow = ReentryGuard::Active() ? nullptr : ShadowIfAny();
  if (shadow == nullptr) return;
  const int saved_errno = errno;
  {
    const ReentryGuard inside;
    const auto address = reinterpret_cast<uintptr_t>(buffer);
    Access pending;
    if (FindConflictWithHost(shadow->host_side(), shadow->ordering(), address, bytes, write,
                             &pending)) {
      Call call(*shadow, info, *WordsOf(pending.call->api), caller, frame);
      ReportHostUse(call, pending, address, bytes, write);
      call.EmitNow();
    }
    rules::MappedUse use;
    if (FindConflictInPinned(*shadow, address, bytes, write, &use) ||
        (bytes != 0 && FindConflictWithStorage(shadow->host_side(), shadow->ordering(), address,
                                               bytes, write, &use))) {
      Call call(*shadow, info, *WordsOf(use.memory->api), caller, frame);
      rules::OnMappedUse(use, call);
      call.EmitNow();
    }
  }
  errno = saved_errno;
}

// The following check what a call has accessed, by its result: that many bytes, or elements.

void CheckBytesDone(const CallInfo& info, uint64_t done, const void* buffer, size_t bytes,
                    bool write, const void* caller, const void* frame) {
  // The result of recv may be the length of a longer message.
  CheckPending(info, buffer, std::min<uint64_t>(done, bytes), write, caller, frame);
}

void CheckElementsDone(const CallInfo& info, uint64_t done, const void* buffer, size_t size, size_t,
                       bool write, const void* caller, const void* frame) {
  CheckPending(info, buffer, done * size, write, caller, frame);
}

void CheckListDone(const CallInfo& info, uint64_t done, const iovec* list, int count, bool write,
                   const void* caller, const void* frame) {
  for (int i = 0; i < count && done != 0; ++i) {
    const uint64_t bytes = std::min<uint64_t>(list[i].iov_len, done);
    CheckPending(info, list[i].iov_base, bytes, write, caller, frame);
    done -= bytes;
  }
}

}  // namespace
}  // namespace gpusan

// `kind`: Bytes, Elements or List, how the arguments of `Note...` describe what the call accesses;
// they follow. `shown`: the name of the function in the program's source.
#define GPUSAN_KERNEL_BUFFER_AS(shown, result, name, parameters, arguments, kind, ...)    \
  extern "C" __attribute__((visibility("default"))) result name parameters {              \
    if (gpusan::PageGuards::Any()) [[unlikely]]                                           \
      gpusan::Note##kind(__VA_ARGS__, __builtin_return_address(0));                       \
    const result done = gpusan::RealProcess().name arguments;                             \
    if ((gpusan::host_users.load(std::memory_order_relaxed) != 0 ||                       \
         gpusan::any_pinned_memory.load(std::memory_order_relaxed)) &&                    \
        static_cast<ssize_t>(done) > 0) [[unlikely]] {                                    \
      static constexpr gpusan::CallInfo kInfo = {shown, gpusan::Api::kHost};              \
      gpusan::Check##kind##Done(kInfo, static_cast<uint64_t>(done), __VA_ARGS__,          \
                                __builtin_return_address(0), __builtin_frame_address(0)); \
    }                                                                                     \
    return done;                                                                          \
  }
#define GPUSAN_KERNEL_BUFFER(result, name, parameters, arguments, ...) \
  GPUSAN_KERNEL_BUFFER_AS(#name, result, name, parameters, arguments, __VA_ARGS__)

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names of the C library
GPUSAN_KERNEL_BUFFER(ssize_t, read, (int file, void* buffer, size_t bytes), (file, buffer, bytes),
                     Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, pread, (int file, void* buffer, size_t bytes, off_t offset),
                     (file, buffer, bytes, offset), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, pread64, (int file, void* buffer, size_t bytes, off64_t offset),
                     (file, buffer, bytes, offset), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, readv, (int file, const iovec* list, int count), (file, list, count),
                     List, list, count, true)
GPUSAN_KERNEL_BUFFER(ssize_t, recv, (int file, void* buffer, size_t bytes, int flags),
                     (file, buffer, bytes, flags), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, recvfrom,
                     (int file, void* buffer, size_t bytes, int flags, sockaddr* from,
                      socklen_t* length),
                     (file, buffer, bytes, flags, from, length), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(size_t, fread, (void* buffer, size_t size, size_t count, FILE* file),
                     (buffer, size, count, file), Elements, buffer, size, count, true)
GPUSAN_KERNEL_BUFFER_AS("read", ssize_t, __read_chk,
                        (int file, void* buffer, size_t bytes, size_t room),
                        (file, buffer, bytes, room), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER_AS("recv", ssize_t, __recv_chk,
                        (int file, void* buffer, size_t bytes, size_t room, int flags),
                        (file, buffer, bytes, room, flags), Bytes, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER_AS("fread", size_t, __fread_chk,
                        (void* buffer, size_t room, size_t size, size_t count, FILE* file),
                        (buffer, room, size, count, file), Elements, buffer, size, count, true)
GPUSAN_KERNEL_BUFFER(ssize_t, write, (int file, const void* buffer, size_t bytes),
                     (file, buffer, bytes), Bytes, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, pwrite, (int file, const void* buffer, size_t bytes, off_t offset),
                     (file, buffer, bytes, offset), Bytes, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, pwrite64,
                     (int file, const void* buffer, size_t bytes, off64_t offset),
                     (file, buffer, bytes, offset), Bytes, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, writev, (int file, const iovec* list, int count), (file, list, count),
                     List, list, count, false)
GPUSAN_KERNEL_BUFFER(ssize_t, send, (int file, const void* buffer, size_t bytes, int flags),
                     (file, buffer, bytes, flags), Bytes, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, sendto,
                     (int file, const void* buffer, size_t bytes, int flags, const sockaddr* to,
                      socklen_t length),
                     (file, buffer, bytes, flags, to, length), Bytes, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(size_t, fwrite, (const void* buffer, size_t size, size_t count, FILE* file),
                     (buffer, size, count, file), Elements, buffer, size, count, false)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
