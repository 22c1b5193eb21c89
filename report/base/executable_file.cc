// Reads ELF headers and first lines of scripts, with system calls only.
#include "report/base/executable_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace gpusan {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = 0;  // not known: every machine is accepted
#endif
constexpr int kClass = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;

// Copies at most `capacity` - 1 bytes and a terminator.
void Copy(const char* text, size_t size, char* to, size_t capacity) {
  if (capacity == 0) return;
  if (size >= capacity) size = capacity - 1;
  std::memcpy(to, text, size);
  to[size] = '\0';
}

template <typename Header, typename Segment>
void ReadSegments(int fd, ExecutableFile* file) {
  Header header;
  if (pread(fd, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) return;
  file->machine = header.e_machine;
  file->type = header.e_type;
  for (int i = 0; i < header.e_phnum; ++i) {
    Segment segment;
    const auto at = static_cast<off_t>(header.e_phoff + static_cast<uint64_t>(i) * sizeof(segment));
    if (pread(fd, &segment, sizeof(segment), at) != static_cast<ssize_t>(sizeof(segment))) return;
    if (segment.p_type != PT_INTERP) continue;
    file->has_interpreter = true;
    const ssize_t count = pread(fd, file->interpreter, sizeof(file->interpreter) - 1,
                                static_cast<off_t>(segment.p_offset));
    file->interpreter[count > 0 ? count : 0] = '\0';
    return;
  }
}

const char* BaseOf(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool IsExecutable(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

}  // namespace

ExecutableFile ReadExecutableFile(const char* path) {
  using Kind = ExecutableFile::Kind;
  ExecutableFile file;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) {
    file.error = errno;
    return file;
  }
  char start[256];
  const ssize_t count = pread(fd, start, sizeof(start), 0);
  if (count < 0) {
    file.error = errno;
  } else if (count > EI_CLASS && std::memcmp(start, ELFMAG, SELFMAG) == 0) {
    file.kind = Kind::kElf;
    file.elf_class = static_cast<unsigned char>(start[EI_CLASS]);
    if (file.elf_class == ELFCLASS64) ReadSegments<Elf64_Ehdr, Elf64_Phdr>(fd, &file);
    if (file.elf_class == ELFCLASS32) ReadSegments<Elf32_Ehdr, Elf32_Phdr>(fd, &file);
  } else if (count > 2 && start[0] == '#' && start[1] == '!') {
    file.kind = Kind::kScript;
    ssize_t begin = 2;
    while (begin < count && (start[begin] == ' ' || start[begin] == '\t')) ++begin;
    ssize_t end = begin;
    while (end < count && std::strchr(" \t\r\n", start[end]) == nullptr && start[end] != '\0')
      ++end;
    Copy(start + begin, static_cast<size_t>(end - begin), file.interpreter,
         sizeof(file.interpreter));
  } else {
    file.kind = Kind::kOther;
  }
  close(fd);
  return file;
}

Preload PreloadOf(const char* path, char* file, size_t capacity) {
  constexpr int kMaxInterpreters = 4;  // the limit of the kernel
  ExecutableFile read;
  char program[256];
  for (int i = 0; i <= kMaxInterpreters; ++i) {
    Copy(path, std::strlen(path), file, capacity);
    read = ReadExecutableFile(path);
    if (read.kind != ExecutableFile::Kind::kScript || read.interpreter[0] == '\0') break;
    std::memcpy(program, read.interpreter, sizeof(program));
    path = program;
  }
  if (read.kind != ExecutableFile::Kind::kElf) return Preload::kLoads;
  if (read.elf_class != kClass || (kMachine != 0 && read.machine != kMachine))
    return Preload::kAnotherMachine;
  if (!read.has_interpreter) return Preload::kStatic;
  // The loaders of glibc: ld-linux-x86-64.so.2, ld-linux-aarch64.so.1, ld64.so.2, ld.so.1.
  const char* loader = BaseOf(read.interpreter);
  const bool glibc = std::strncmp(loader, "ld-linux", 8) == 0 ||
                     std::strncmp(loader, "ld64.so", 7) == 0 ||
                     std::strncmp(loader, "ld.so", 5) == 0;
  return glibc ? Preload::kLoads : Preload::kAnotherCLibrary;
}

bool FindExecutable(const char* name, char* path, size_t capacity) {
  const size_t length = std::strlen(name);
  if (std::strchr(name, '/') != nullptr) {
    if (length >= capacity || !IsExecutable(name)) return false;
    Copy(name, length, path, capacity);
    return true;
  }
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) folders = "/bin:/usr/bin";
  for (const char* begin = folders; length > 0;) {
    const char* end = std::strchr(begin, ':');
    const size_t size = end != nullptr ? static_cast<size_t>(end - begin) : std::strlen(begin);
    if (size + length + 2 < capacity) {
      Copy(size > 0 ? begin : ".", size > 0 ? size : 1, path, capacity);
      const size_t at = size > 0 ? size : 1;
      path[at] = '/';
      Copy(name, length, path + at + 1, capacity - at - 1);
      if (IsExecutable(path)) return true;
    }
    if (end == nullptr) return false;
    begin = end + 1;
  }
  return false;
}

}  // namespace gpusan
