// Parses perf maps. Any process may have written the file, and it may have any content.
#include "hooks/common/sites/perf_map.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>

namespace gpusan {
namespace {

constexpr uint64_t kMostCodeBytes = uint64_t{1} << 30;  // of one function
constexpr size_t kTail = 64;
constexpr size_t kChunk = size_t{64} << 10;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Reads up to `bytes` bytes. Returns fewer at the end of the file and after an error.
std::string ReadAt(int fd, off_t offset, size_t bytes) {
  std::string text(bytes, '\0');
  size_t filled = 0;
  while (filled < bytes) {
    const ssize_t count =
        pread(fd, text.data() + filled, bytes - filled, offset + static_cast<off_t>(filled));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<size_t>(count);
  }
  text.resize(filled);
  return text;
}

bool TakeHex(std::string_view* line, uint64_t* number) {
  if (line->starts_with("0x") || line->starts_with("0X")) line->remove_prefix(2);
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), *number, 16);
  if (error != std::errc() || end == line->data() + line->size() || *end != ' ') return false;
  line->remove_prefix(static_cast<size_t>(end - line->data()) + 1);
  return true;
}

// Removes ":12" at the end. Returns false without one.
bool TakeNumber(std::string_view* text, int* number) {
  const size_t colon = text->rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text->size()) return false;
  const char* const end = text->data() + text->size();
  const auto [at, error] = std::from_chars(text->data() + colon + 1, end, *number);
  if (error != std::errc() || at != end || *number < 0) return false;
  *text = text->substr(0, colon);
  return true;
}

// "train /srv/app.js:10:15", or " /srv/app.js:10:15" of a function without a name.
JitFunction ScriptFunction(std::string_view text) {
  JitFunction function;
  const size_t blank = text.find(' ');
  std::string_view place = blank == std::string_view::npos ? "" : text.substr(blank + 1);
  int line = 0, column = 0;
  if (place.empty() || !TakeNumber(&place, &column)) {
    function.name = text;
    return function;
  }
  if (!TakeNumber(&place, &line)) std::swap(line, column);  // older: the line alone
  function.name = text.substr(0, blank);
  function.file = place;
  function.line = line;
  if (function.name.empty()) {
    function.name = "(anonymous " + std::to_string(line) + ":" + std::to_string(column) + ")";
  }
  return function;
}

}  // namespace

JitFunction JitFunctionNamed(std::string_view name) {
  if (const size_t tier = name.rfind('[');
      tier != std::string_view::npos && tier > 0 && name.back() == ']') {
    const std::string_view word = name.substr(tier + 1);
    for (const std::string_view begin : {"Tier", "Optimized", "PreJIT", "ReadyToRun", "MinOpt",
                                         "QuickJit", "Instrumented", "Unknown"}) {
      if (!word.starts_with(begin)) continue;
      name = name.substr(0, tier);
      break;
    }
  }
  for (const std::string_view kind : {"JS:", "LazyCompile:", "Function:", "Script:", "Eval:"}) {
    if (!name.starts_with(kind)) continue;
    name.remove_prefix(kind.size());
    if (!name.empty() && std::string_view("~*^+'").find(name.front()) != std::string_view::npos)
      name.remove_prefix(1);
    return ScriptFunction(name);
  }
  return {.name = std::string(name), .file = "", .line = 0};
}

void PerfMap::Forget() {
  code_.clear();
  names_.clear();
  rest_.clear();
  tail_.clear();
  read_ = 0;
}

bool PerfMap::IsSameFile(int fd, uint64_t device, uint64_t number, off_t bytes) const {
  return device == device_ && number == number_ && bytes >= read_ &&
         ReadAt(fd, read_ - static_cast<off_t>(tail_.size()), tail_.size()) == tail_;
}

void PerfMap::Read(const std::string& path, int64_t not_before) {
  const int saved_errno = errno;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      status.st_nlink == 1 && (status.st_mode & S_IWOTH) == 0 &&
      Nanoseconds(status.st_mtim) >= not_before) {
    if (!IsSameFile(fd, status.st_dev, status.st_ino, status.st_size)) {
      Forget();
      device_ = status.st_dev;
      number_ = status.st_ino;
    }
    const off_t end = std::min(status.st_size, kMostBytes);
    while (read_ < end && code_.size() < kMostFunctions) {
      const std::string text =
          ReadAt(fd, read_, std::min(kChunk, static_cast<size_t>(end - read_)));
      if (text.empty()) break;
      read_ += static_cast<off_t>(text.size());
      tail_ = text.size() >= kTail ? text.substr(text.size() - kTail) : tail_ + text;
      if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
      AddText(text);
    }
  }
  if (fd >= 0) close(fd);
  errno = saved_errno;
}

void PerfMap::AddText(std::string_view text) {
  constexpr size_t kMostLine = kMostNameBytes + 64;  // with two numbers
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    rest_ += part.substr(0, kMostLine - std::min(kMostLine, rest_.size()));
    if (end == std::string_view::npos) return;
    AddLine(rest_);
    rest_.clear();
    text.remove_prefix(end + 1);
  }
}

void PerfMap::AddLine(std::string_view line) {
  uint64_t begin = 0, bytes = 0;
  if (!TakeHex(&line, &begin) || !TakeHex(&line, &bytes)) return;
  if (bytes == 0 || bytes > kMostCodeBytes || bytes > UINT64_MAX - begin || line.empty()) return;
  line = line.substr(0, kMostNameBytes);
  // The runtime used the memory of older code again.
  auto old = code_.lower_bound(begin);
  if (old != code_.begin()) {
    if (auto before = std::prev(old); before->second.end > begin) before->second.end = begin;
  }
  const auto first = old;
  while (old != code_.end() && old->first < begin + bytes) ++old;
  code_.erase(first, old);
  code_[begin] = {begin + bytes, static_cast<uint32_t>(names_.size()),
                  static_cast<uint32_t>(line.size())};
  names_ += line;
}

std::string_view PerfMap::Find(uint64_t address, uint64_t* begin) const {
  auto found = code_.upper_bound(address);
  if (found == code_.begin()) return {};
  --found;
  if (address >= found->second.end) return {};
  *begin = found->first;
  return std::string_view(names_).substr(found->second.name, found->second.length);
}

}  // namespace gpusan
