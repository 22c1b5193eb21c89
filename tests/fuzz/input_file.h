// A file in memory whose content is the input of a fuzz target.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace gpusan {

// The name is unique in the process's lifetime for each `name`. The file exists until the object is
// destroyed; its mode is 0700, so that it counts as executable.
class InputFile {
 public:
  explicit InputFile(const std::string& name)
      : path_("/dev/shm/gpusan-fuzz." + std::to_string(getpid()) + "." + name) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  // Replaces the content.
  void Write(const uint8_t* data, size_t size) const { Put(data, size, O_TRUNC); }
  // Adds to the content.
  void Append(const uint8_t* data, size_t size) const { Put(data, size, O_APPEND); }

 private:
  void Put(const uint8_t* data, size_t size, int how) const {
    const int fd = open(path_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | how, 0700);
    if (fd < 0 || write(fd, data, size) != static_cast<ssize_t>(size)) {
      std::perror(path_.c_str());  // a machine without space, not what the input did
      std::abort();
    }
    close(fd);
  }

  const std::string path_;
};

}  // namespace gpusan
