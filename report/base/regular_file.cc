// Opens and reads files whose names are untrusted: records, options, suppressions.
#include "report/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace gpusan {
namespace {

std::string Reason(int error) {
  char text[256];
  return strerror_r(error, text, sizeof(text));
}

const char* KindOf(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

int OpenRegularFile(const std::string& path, std::string* why) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) {
    *why = Reason(errno);
    return -1;
  }
  struct stat status = {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) return fd;
  *why = S_ISDIR(status.st_mode)
             ? Reason(EISDIR)
             : std::string(KindOf(status.st_mode)) + ", not a regular file; name a regular file";
  close(fd);
  return -1;
}

bool ReadRegularFile(const std::string& path, size_t most, std::string* text, std::string* why) {
  const int fd = OpenRegularFile(path, why);
  if (fd < 0) return false;
  std::string bytes;
  char chunk[4096];
  ssize_t count = 0;
  int error = 0;
  while (bytes.size() <= most && (count = read(fd, chunk, sizeof(chunk))) != 0) {
    if (count > 0) bytes.append(chunk, static_cast<size_t>(count));
    if (count >= 0 || errno == EINTR) continue;
    error = errno;
    break;
  }
  close(fd);
  if (error != 0) {
    *why = Reason(error);
    return false;
  }
  if (bytes.size() > most) {
    *why = "larger than " + std::to_string(most) + " bytes; shorten it";
    return false;
  }
  *text = std::move(bytes);
  return true;
}

}  // namespace gpusan
