// How `gpusan run` recognises its processes.
#include "report/record/attach_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "report/base/privileges.h"
#include "report/base/safe_write.h"
#include "report/record/record_name.h"

namespace gpusan {

void AppendToLog(const char* path, const char* word, int pid, const char* what) {
  IoGuard guard;
  char line[1024];
  size_t size = 0;
  const auto add = [&](char c) {
    if (size + 1 < sizeof(line)) line[size++] = c;
  };
  for (; *word != '\0'; ++word) add(*word);
  add(' ');
  char digits[16];
  int count = 0;
  for (unsigned rest = static_cast<unsigned>(pid); count == 0 || rest > 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0) add(digits[--count]);
  if (what != nullptr) {
    add(' ');
    for (; *what != '\0'; ++what) add(static_cast<unsigned char>(*what) < ' ' ? '?' : *what);
  }
  line[size++] = '\n';
  // Links are followed: the command names a file in memory by its link in /proc.
  const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return;
  struct stat status = {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    WriteAll(fd, std::string_view(line, size));
  close(fd);
}

void AppendAttachLog() {
  if (RunsWithRaisedPrivileges()) return;
  const char* path = std::getenv(kAttachLogVariable);
  if (path == nullptr || *path == '\0') return;
  AppendToLog(path, kLogAttached, getpid(), ExecutablePath().c_str());
}

}  // namespace gpusan
