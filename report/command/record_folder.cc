// The folder of `gpusan run` for the record files of the processes.
#include "report/command/record_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "report/base/safe_write.h"
#include "report/base/temporary_root.h"
#include "report/findings/collector.h"

namespace gpusan {
namespace {

std::string NewRun() {
  uint64_t number[2] = {};
  if (getrandom(number, sizeof(number), 0) != sizeof(number))
    number[0] = static_cast<uint64_t>(getpid());
  char text[40];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(number[0]),
                static_cast<unsigned long long>(number[1]));
  return text;
}

}  // namespace

RecordFolder::RecordFolder() : run_(NewRun()) {}

RecordFolder::~RecordFolder() {
  std::error_code ignored;
  if (attach_log_ >= 0) close(attach_log_);
  if (!keep_ && owned_) std::filesystem::remove_all(path_, ignored);
}

std::string RecordFolder::Choose(const std::string& wanted, const LocalRanks& ranks) {
  keep_ = !wanted.empty();
  if (!keep_ && ranks.several()) {
    path_ = ranks.folder();
    owned_ = !ranks.follower();
    return "";
  }
  if (keep_) {
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(wanted, error).string();
    if (const int failed = MakeParentFolders(absolute + "/"); failed != 0)
      return wanted + ": " + std::strerror(failed);
    char* real = realpath(absolute.c_str(), nullptr);
    if (real == nullptr) return wanted + ": " + std::strerror(errno);
    path_ = real;
    std::free(real);
    return "";
  }
  std::string name = TemporaryRoot() + "/gpusan.XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    return "cannot make a temporary folder " + name + ": " + std::strerror(errno);
  path_ = name;
  owned_ = true;
  return "";
}

std::string RecordFolder::Open(const std::string& wanted, const LocalRanks& ranks) {
  if (ranks.several()) run_ = ranks.run();
  if (std::string complaint = Choose(wanted, ranks); !complaint.empty()) return complaint;
  // Test before the program runs whether files can be created there. A file with a name that others
  // can predict could be their link to another file.
  std::string trial = path_ + "/.gpusan.XXXXXX";
  const int fd = mkostemp(trial.data(), O_CLOEXEC);
  if (fd < 0) return "cannot write in " + path_ + ": " + std::strerror(errno);
  close(fd);
  unlink(trial.c_str());
  attach_log_ = memfd_create("gpusan-attached", MFD_CLOEXEC);
  if (attach_log_ < 0) return std::string("cannot create a memory file: ") + std::strerror(errno);
  // Files of other ranks may be there already. They name the run, and older files another one.
  if (!ranks.several()) RecordFilesIn(path_, &there_before_);
  return "";
}

std::string RecordFolder::attach_log() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(attach_log_);
}

}  // namespace gpusan
