// ELF headers, permissions and scripts.
#include "report/processes/inspect.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "report/base/executable_file.h"
#include "report/record/record_name.h"

#ifndef GPUSAN_LIBRARY_FOLDER
#error "the build names the library's folder, relative to the command's"
#endif

namespace gpusan {
namespace {

// The absolute path without links; empty if the file does not exist.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real != nullptr ? real.get() : "";
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

std::string WhyNotAttachable(const std::string& path, Preload* preload) {
  constexpr char kGains[] =
      " runs with other rights than yours (setuid, setgid or capabilities), so the loader ignores "
      "gpusan";
  char file[4096];
  *preload = PreloadOf(path.c_str(), file, sizeof(file));
  if (GainsRights(path)) return path + kGains;
  if (GainsRights(file)) return file + std::string(kGains);
  switch (*preload) {
    case Preload::kLoads:
      return "";
    case Preload::kStatic:
      return file + std::string(" is linked statically, so no library can be loaded into it");
    case Preload::kAnotherMachine:
      return file + std::string(" is built for another architecture than gpusan");
    case Preload::kAnotherCLibrary:
      return file + std::string(" uses another C library than gpusan (") +
             ReadExecutableFile(file).interpreter + "), so gpusan cannot be loaded into it";
  }
  return "";
}

}  // namespace

ProgramReport InspectProgram(const std::string& program) {
  ProgramReport report;
  char path[4096];
  if (!FindExecutable(program.c_str(), path, sizeof(path))) return report;
  report.path = path;
  Preload preload = Preload::kLoads;
  report.warning = WhyNotAttachable(report.path, &preload);
  report.harmful = preload == Preload::kAnotherMachine || preload == Preload::kAnotherCLibrary;
  return report;
}

std::string InspectLibrary(const std::string& path) {
  const ExecutableFile facts = ReadExecutableFile(path.c_str());
  if (facts.error != 0) return path + ": " + std::strerror(facts.error);
  if (facts.kind != ExecutableFile::Kind::kElf || facts.type != ET_DYN)
    return path + ": not a shared library";
  const ExecutableFile ours = ReadExecutableFile("/proc/self/exe");
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
