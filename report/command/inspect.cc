// ELF headers, permissions and scripts.
#include "report/command/inspect.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "report/record/record_name.h"

#ifndef GPUSAN_LIBRARY_FOLDER
#error "the build names the library's folder, relative to the command's"
#endif

namespace gpusan {
namespace {

struct ElfFacts {
  int error = 0;  // errno of opening or reading
  bool is_elf = false;
  int elf_class = 0;
  int machine = 0;
  int type = 0;
  bool has_interpreter = false;
  std::string first_line;  // of a file that is not ELF: at most 255 bytes
};

template <typename Header, typename Segment>
void ReadSegments(int fd, ElfFacts* facts) {
  Header header;
  if (pread(fd, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) return;
  facts->machine = header.e_machine;
  facts->type = header.e_type;
  for (int i = 0; i < header.e_phnum; ++i) {
    Segment segment;
    const auto at = static_cast<off_t>(header.e_phoff + static_cast<uint64_t>(i) * sizeof(segment));
    if (pread(fd, &segment, sizeof(segment), at) != static_cast<ssize_t>(sizeof(segment))) return;
    if (segment.p_type == PT_INTERP) facts->has_interpreter = true;
  }
}

ElfFacts ReadElf(const std::string& path) {
  ElfFacts facts;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) {
    facts.error = errno;
    return facts;
  }
  char start[256];
  const ssize_t count = pread(fd, start, sizeof(start), 0);
  if (count < 0) facts.error = errno;
  if (count > EI_CLASS && std::memcmp(start, ELFMAG, SELFMAG) == 0) {
    facts.is_elf = true;
    facts.elf_class = static_cast<unsigned char>(start[EI_CLASS]);
    if (facts.elf_class == ELFCLASS64) ReadSegments<Elf64_Ehdr, Elf64_Phdr>(fd, &facts);
    if (facts.elf_class == ELFCLASS32) ReadSegments<Elf32_Ehdr, Elf32_Phdr>(fd, &facts);
  } else if (count > 0) {
    const std::string text(start, static_cast<size_t>(count));
    facts.first_line = text.substr(0, text.find('\n'));
  }
  close(fd);
  return facts;
}

bool IsExecutableFile(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

// The absolute path without links; empty if the file does not exist.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real != nullptr ? real.get() : "";
}

std::string SearchPath(const std::string& program) {
  if (program.find('/') != std::string::npos) return IsExecutableFile(program) ? program : "";
  const char* variable = std::getenv("PATH");
  const std::string path = variable != nullptr ? variable : "/bin:/usr/bin";
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = path.find(':', begin);
    if (end == std::string::npos) end = path.size();
    std::string candidate = begin == end ? "." : path.substr(begin, end - begin);
    candidate.append("/").append(program);
    if (IsExecutableFile(candidate)) return candidate;
    begin = end + 1;
  }
  return "";
}

// Whether the program runs with more privileges than its caller; the loader then ignores
// LD_PRELOAD.
bool GainsRights(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return false;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) return true;
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) return true;
  return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

std::string Interpreter(const std::string& first_line) {
  if (first_line.compare(0, 2, "#!") != 0) return "/bin/sh";  // as execvp does
  const size_t begin = first_line.find_first_not_of(" \t", 2);
  if (begin == std::string::npos) return "";
  return first_line.substr(begin, first_line.find_first_of(" \t\r", begin) - begin);
}

std::string WhyNotAttachable(const std::string& path, const std::string& library) {
  std::string program = path;
  constexpr int kMaxInterpreters = 4;  // the limit of the kernel
  for (int i = 0; i < kMaxInterpreters && !program.empty(); ++i) {
    if (GainsRights(program)) {
      return program +
             " runs with other rights than yours (setuid, setgid or capabilities), so the loader "
             "ignores gpusan";
    }
    const ElfFacts facts = ReadElf(program);
    if (facts.error != 0) return "";  // executable but not readable
    if (!facts.is_elf) {
      program = Interpreter(facts.first_line);
      continue;
    }
    const ElfFacts ours = ReadElf(library);
    if (facts.elf_class != ours.elf_class || facts.machine != ours.machine) {
      return program + " is built for another architecture than gpusan";
    }
    if (!facts.has_interpreter)
      return program + " is linked statically, so no library can be loaded into it";
    return "";
  }
  return "";
}

}  // namespace

ProgramReport InspectProgram(const std::string& program, const std::string& library) {
  ProgramReport report;
  report.path = SearchPath(program);
  if (!report.path.empty()) report.warning = WhyNotAttachable(report.path, library);
  return report;
}

std::string InspectLibrary(const std::string& path) {
  if (path.find_first_of(" :") != std::string::npos) {
    return path + ": a path with blanks or colons cannot be preloaded; install gpusan elsewhere";
  }
  const ElfFacts facts = ReadElf(path);
  if (facts.error != 0) return path + ": " + std::strerror(facts.error);
  if (!facts.is_elf || facts.type != ET_DYN) return path + ": not a shared library";
  const ElfFacts ours = ReadElf("/proc/self/exe");
  if (facts.elf_class != ours.elf_class || facts.machine != ours.machine) {
    return path + ": built for another architecture than this command";
  }
  return "";
}

std::string FindLibrary() {
  const char* variable = std::getenv("GPUSAN_LIBRARY");
  if (variable != nullptr && *variable != '\0') {
    const std::string path = RealPath(variable);
    return path.empty() ? variable : path;
  }
  const std::string executable = ExecutablePath();
  const std::string folder = executable.substr(0, executable.rfind('/'));
  std::vector<std::string> candidates;
  for (const char* relative : {"../layer", GPUSAN_LIBRARY_FOLDER}) {
    candidates.push_back(folder + "/" + relative + "/libgpusan.so");
  }
  for (const std::string& candidate : candidates) {
    std::string path = RealPath(candidate);
    if (!path.empty()) return path;
  }
  return std::filesystem::path(candidates.front()).lexically_normal().string();
}

}  // namespace gpusan
