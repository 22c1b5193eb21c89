// How `gpusan run` recognises its processes.
#include "report/record/attach_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "report/base/privileges.h"
#include "report/base/safe_write.h"
#include "report/record/record_name.h"

namespace gpusan {

void AppendAttachLog() {
  if (RunsWithRaisedPrivileges()) return;
  const char* path = std::getenv(kAttachLogVariable);
  if (path == nullptr || *path == '\0') return;
  IoGuard guard;
  // Links are followed: the command names a file in memory by its link in /proc.
  const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return;
  struct stat status = {};
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
    WriteAll(fd, std::to_string(getpid()) + " " + ExecutablePath() + "\n");
  close(fd);
}

}  // namespace gpusan
