// Files of the summary cache: a header, the checksum of the value, and the value.
#include "report/record/summary_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "report/base/privileges.h"
#include "report/base/safe_write.h"
#include "report/base/sha256.h"

namespace gpusan {
namespace {

constexpr std::string_view kHeader = "gpusan-cache 1\n";
constexpr std::string_view kSuffix = ".summary";
constexpr std::string_view kTemporary = ".new.";
constexpr time_t kHour = 3600;

std::string HexOf(const SummaryCache::Key& bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string Checksum(std::string_view value) {
  Sha256 sum;
  sum.Add(value);
  return HexOf(sum.Digest());
}

bool ReadAll(int fd, size_t bytes, std::string* text) {
  text->resize(bytes);
  size_t done = 0;
  while (done < bytes) {
    const ssize_t count = read(fd, text->data() + done, bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::string SummaryCache::DefaultFolder() {
  if (RunsWithRaisedPrivileges()) return "";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/gpusan";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/gpusan" : "";
}

SummaryCache::Key SummaryCache::KeyOf(std::string_view kind, int version, std::string_view code) {
  Sha256 sum;
  sum.Add("gpusan-summary ");
  sum.Add(kind);
  sum.Add(" " + std::to_string(version) + "\n");
  sum.Add(code);
  return sum.Digest();
}

// Returns a descriptor of the folder, or -1. A folder that others may write to is not used.
int SummaryCache::OpenFolder(bool create) const {
  if (folder_.empty()) return -1;
  if (create) {
    if (MakeParentFolders(folder_) != 0) return -1;
    mkdir(folder_.c_str(), 0700);
  }
  const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (folder < 0) return -1;
  struct stat status = {};
  if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 022) == 0)
    return folder;
  close(folder);
  return -1;
}

bool SummaryCache::Load(const Key& key, std::string* value) const {
  IoGuard guard;
  const int folder = OpenFolder(false);
  if (folder < 0) return false;
  const std::string name = HexOf(key) + std::string(kSuffix);
  const int fd =
      openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  close(folder);
  if (fd < 0) return false;
  struct stat status = {};
  constexpr size_t kBefore = kHeader.size() + 65;
  std::string text;
  bool sound = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
               status.st_size >= static_cast<off_t>(kBefore) &&
               status.st_size <= static_cast<off_t>(kBefore + kMaxValue) &&
               ReadAll(fd, static_cast<size_t>(status.st_size), &text);
  sound = sound && std::string_view(text).substr(0, kHeader.size()) == kHeader &&
          text[kBefore - 1] == '\n' &&
          std::string_view(text).substr(kHeader.size(), 64) ==
              Checksum(std::string_view(text).substr(kBefore));
  // The time of the last use, to the day.
  if (sound && status.st_mtime + 24 * kHour < time(nullptr)) futimens(fd, nullptr);
  close(fd);
  if (sound) *value = text.substr(kBefore);
  return sound;
}

void SummaryCache::Store(const Key& key, std::string_view value) const {
  if (value.size() > kMaxValue) return;
  IoGuard guard;
  const int folder = OpenFolder(true);
  if (folder < 0) return;
  static std::atomic<uint32_t> number{0};
  const std::string name = HexOf(key) + std::string(kSuffix);
  const std::string temporary = std::string(kTemporary) + std::to_string(getpid()) + "." +
                                std::to_string(number.fetch_add(1, std::memory_order_relaxed));
  unlinkat(folder, temporary.c_str(), 0);  // of an earlier process with the same number
  const int fd =
      openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) {
    std::string text(kHeader);
    text += Checksum(value) + "\n";
    text += value;
    const bool written = WriteAll(fd, text) == 0;
    if (close(fd) != 0 || !written ||
        renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
      unlinkat(folder, temporary.c_str(), 0);
  }
  RemoveOldest(folder);
  close(folder);
}

void SummaryCache::RemoveOldest(int folder) const {
  struct File {
    time_t used;
    uint64_t bytes;
    std::string name;
  };
  std::vector<File> files;
  uint64_t total = 0;
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = copy >= 0 ? fdopendir(copy) : nullptr;
  if (listing == nullptr) {
    if (copy >= 0) close(copy);
    return;
  }
  while (const dirent* entry = readdir(listing)) {
    const std::string name = entry->d_name;
    struct stat status = {};
    const bool temporary = name.compare(0, kTemporary.size(), kTemporary) == 0;
    if ((!temporary && !EndsWith(name, kSuffix)) ||
        fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (temporary) {
      // Left by a process that was killed.
      if (status.st_mtime + kHour < time(nullptr)) unlinkat(folder, name.c_str(), 0);
      continue;
    }
    files.push_back({status.st_mtime, static_cast<uint64_t>(status.st_size), name});
    total += files.back().bytes;
  }
  closedir(listing);
  if (total <= max_bytes_) return;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (total <= max_bytes_) break;
    if (unlinkat(folder, file.name.c_str(), 0) == 0) total -= file.bytes;
  }
}

}  // namespace gpusan
