// Writes the texts of a process.
#include "report/record/text_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/safe_write.h"
#include "report/record/record_name.h"

namespace gpusan {

void TextOutput::Set(const std::string& pattern, const std::string& color) {
  pattern_ = pattern.empty() || pattern == "stderr" ? "" : AbsolutePattern(pattern);
  color_ = color;
}

TextStyle TextOutput::Style() const {
  return StyleFor(pattern_.empty() ? STDERR_FILENO : -1, color_);
}

void TextOutput::Write(std::string_view text) const {
  IoGuard guard;
  int error = 1;
  if (!pattern_.empty()) {
    std::string complaint;
    const std::string path = ExpandRecordName(pattern_, CurrentRecordNameParts(), &complaint);
    const int fd =
        open(path.c_str(),
             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, 0600);
    struct stat status = {};
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) error = WriteAll(fd, text);
    if (fd >= 0) close(fd);
  }
  if (error != 0) WriteAll(STDERR_FILENO, text);
}

}  // namespace gpusan
