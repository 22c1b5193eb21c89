// Functions of the C library that hand memory of the program to the kernel, which would fail on
// pages that the option protect_maps has protected. The access counts as one of the program.
//
// Without guards a wrapper costs one load. Functions that are not here, such as recvmsg and
// io_uring, fail with EFAULT on protected pages.
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "hooks/common/base/safe_read.h"
#include "hooks/host/page_guard.h"
#include "layer/process/process_functions.h"

namespace gpusan {
namespace {

void Note(const void* buffer, size_t bytes, bool write, const void* caller) {
  PageGuards::NoteAccess(reinterpret_cast<uintptr_t>(buffer), bytes, write, caller);
}

void NoteElements(const void* buffer, size_t size, size_t count, bool write, const void* caller) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(size, count, &bytes)) Note(buffer, bytes, write, caller);
}

// The list may be at a wrong address: the kernel says so to the program.
void NoteList(const iovec* list, int count, bool write, const void* caller) {
  constexpr int kMost = 1024;  // IOV_MAX
  for (int i = 0; i < count && i < kMost; ++i) {
    iovec one{};
    if (ReadOwnMemory(reinterpret_cast<uintptr_t>(list + i), &one, sizeof(one)) != sizeof(one))
      return;
    Note(one.iov_base, one.iov_len, write, caller);
  }
}

}  // namespace
}  // namespace gpusan

// `note`: what the call accesses, as a call of a function above without its last argument.
#define GPUSAN_KERNEL_BUFFER(result, name, parameters, arguments, note, ...) \
  extern "C" __attribute__((visibility("default"))) result name parameters { \
    if (gpusan::PageGuards::Any()) [[unlikely]]                              \
      gpusan::note(__VA_ARGS__, __builtin_return_address(0));                \
    return gpusan::RealProcess().name arguments;                             \
  }

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names of the C library
GPUSAN_KERNEL_BUFFER(ssize_t, read, (int file, void* buffer, size_t bytes), (file, buffer, bytes),
                     Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, pread, (int file, void* buffer, size_t bytes, off_t offset),
                     (file, buffer, bytes, offset), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, pread64, (int file, void* buffer, size_t bytes, off64_t offset),
                     (file, buffer, bytes, offset), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, readv, (int file, const iovec* list, int count), (file, list, count),
                     NoteList, list, count, true)
GPUSAN_KERNEL_BUFFER(ssize_t, recv, (int file, void* buffer, size_t bytes, int flags),
                     (file, buffer, bytes, flags), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, recvfrom,
                     (int file, void* buffer, size_t bytes, int flags, sockaddr* from,
                      socklen_t* length),
                     (file, buffer, bytes, flags, from, length), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(size_t, fread, (void* buffer, size_t size, size_t count, FILE* file),
                     (buffer, size, count, file), NoteElements, buffer, size, count, true)
GPUSAN_KERNEL_BUFFER(ssize_t, __read_chk, (int file, void* buffer, size_t bytes, size_t room),
                     (file, buffer, bytes, room), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(ssize_t, __recv_chk,
                     (int file, void* buffer, size_t bytes, size_t room, int flags),
                     (file, buffer, bytes, room, flags), Note, buffer, bytes, true)
GPUSAN_KERNEL_BUFFER(size_t, __fread_chk,
                     (void* buffer, size_t room, size_t size, size_t count, FILE* file),
                     (buffer, room, size, count, file), NoteElements, buffer, size, count, true)
GPUSAN_KERNEL_BUFFER(ssize_t, write, (int file, const void* buffer, size_t bytes),
                     (file, buffer, bytes), Note, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, pwrite, (int file, const void* buffer, size_t bytes, off_t offset),
                     (file, buffer, bytes, offset), Note, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, pwrite64,
                     (int file, const void* buffer, size_t bytes, off64_t offset),
                     (file, buffer, bytes, offset), Note, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, writev, (int file, const iovec* list, int count), (file, list, count),
                     NoteList, list, count, false)
GPUSAN_KERNEL_BUFFER(ssize_t, send, (int file, const void* buffer, size_t bytes, int flags),
                     (file, buffer, bytes, flags), Note, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(ssize_t, sendto,
                     (int file, const void* buffer, size_t bytes, int flags, const sockaddr* to,
                      socklen_t length),
                     (file, buffer, bytes, flags, to, length), Note, buffer, bytes, false)
GPUSAN_KERNEL_BUFFER(size_t, fwrite, (const void* buffer, size_t size, size_t count, FILE* file),
                     (buffer, size, count, file), NoteElements, buffer, size, count, false)
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
