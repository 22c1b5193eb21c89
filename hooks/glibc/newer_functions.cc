// Functions of the C library that are younger than the oldest one that gpusan starts with. Headers
// and the C++ runtime of the building machine refer to them. They are defined here by older
// functions, for the one file that they are linked into.
#include <linux/fcntl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct stat;

#define GPUSAN_HIDDEN __attribute__((visibility("hidden"), used))

extern "C" {

// 2.32: whether the process has one thread, which makes some operations of the C++ runtime cheaper.
// False is right for every process.
GPUSAN_HIDDEN char __libc_single_threaded = 0;

// 2.33: before, headers defined stat and its like by __xstat and its like. They are system calls
// here, because preloaded libraries replace those functions: libfaketime's crash once its
// destructor has run, and fakeroot's name another owner.
GPUSAN_HIDDEN int fstatat(int folder, const char* path, struct stat* result, int flags) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, folder, path, result, flags));
}
GPUSAN_HIDDEN int stat(const char* path, struct stat* result) noexcept {
  return fstatat(AT_FDCWD, path, result, 0);
}
GPUSAN_HIDDEN int lstat(const char* path, struct stat* result) noexcept {
  return fstatat(AT_FDCWD, path, result, AT_SYMLINK_NOFOLLOW);
}
GPUSAN_HIDDEN int fstat(int file, struct stat* result) noexcept {
  return static_cast<int>(syscall(SYS_fstat, file, result));
}
// On 64-bit machines the two structures are one.
GPUSAN_HIDDEN int stat64(const char*, struct stat*) noexcept __attribute__((alias("stat")));
GPUSAN_HIDDEN int lstat64(const char*, struct stat*) noexcept __attribute__((alias("lstat")));
GPUSAN_HIDDEN int fstat64(int, struct stat*) noexcept __attribute__((alias("fstat")));
GPUSAN_HIDDEN int fstatat64(int, const char*, struct stat*, int) noexcept
    __attribute__((alias("fstatat")));

// 2.36: random numbers that cannot be foretold; never fails.
GPUSAN_HIDDEN uint32_t arc4random() noexcept {
  uint32_t number;
  while (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
  }
  return number;
}

// 2.38: headers rename the functions that read numbers, so that they accept C23's binary numbers.
// The older functions, under their own names whatever the headers do.
long GpusanStrtol(const char*, char**, int) __asm__("strtol");
unsigned long GpusanStrtoul(const char*, char**, int) __asm__("strtoul");
long long GpusanStrtoll(const char*, char**, int) __asm__("strtoll");
unsigned long long GpusanStrtoull(const char*, char**, int) __asm__("strtoull");
int GpusanVsscanf(const char*, const char*, va_list) __asm__("__isoc99_vsscanf");
int GpusanVfscanf(FILE*, const char*, va_list) __asm__("__isoc99_vfscanf");

GPUSAN_HIDDEN long __isoc23_strtol(const char* text, char** end, int base) {
  return GpusanStrtol(text, end, base);
}
GPUSAN_HIDDEN unsigned long __isoc23_strtoul(const char* text, char** end, int base) {
  return GpusanStrtoul(text, end, base);
}
GPUSAN_HIDDEN long long __isoc23_strtoll(const char* text, char** end, int base) {
  return GpusanStrtoll(text, end, base);
}
GPUSAN_HIDDEN unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
  return GpusanStrtoull(text, end, base);
}
GPUSAN_HIDDEN int __isoc23_sscanf(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = GpusanVsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
GPUSAN_HIDDEN int __isoc23_fscanf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = GpusanVfscanf(file, format, arguments);
  va_end(arguments);
  return count;
}

}  // extern "C"
