// The user's folder for records of processes without an option for the record file.
#include "report/record/state_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "report/base/privileges.h"
#include "report/base/safe_write.h"

namespace gpusan {
namespace {

std::string Path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/gpusan";
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.local/state/gpusan" : "";
}

}  // namespace

std::string StateFolder() {
  if (RunsWithRaisedPrivileges()) return "";
  std::string path = Path();
  if (path.empty() || MakeParentFolders(path) != 0) return "";
  mkdir(path.c_str(), 0700);
  struct stat status = {};
  const bool own = lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                   status.st_uid == geteuid() && (status.st_mode & 022) == 0;
  return own ? path : "";
}

}  // namespace gpusan
