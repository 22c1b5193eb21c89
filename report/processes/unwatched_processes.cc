// Reads /proc/PID/maps and the children of each process.
#include "report/processes/unwatched_processes.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "report/text/gpu_drivers.h"

namespace gpusan {
namespace {

constexpr int kMaxDepth = 16;

// The path in a line of maps, without "(deleted)".
std::string_view MappedFile(std::string_view line) {
  const size_t slash = line.find('/');
  if (slash == std::string_view::npos) return {};
  std::string_view path = line.substr(slash);
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.size() > kDeleted.size() && path.substr(path.size() - kDeleted.size()) == kDeleted) {
    path.remove_suffix(kDeleted.size());
  }
  return path;
}

// The path of the executable; its name if the path cannot be read, which is so in a set-user-id
// program. Empty if the process has ended.
std::string ExecutableOf(const std::string& folder) {
  char path[4096];
  const ssize_t length = readlink((folder + "/exe").c_str(), path, sizeof(path));
  if (length > 0) return std::string(path, static_cast<size_t>(length));
  if (errno == ENOENT) return "";  // a zombie, or no process
  std::string name;
  std::ifstream file(folder + "/comm");
  std::getline(file, name);
  return name;
}

}  // namespace

std::vector<std::string> UnwatchedProcesses::Inspect(int root) {
  std::vector<std::string> found;
  seen_.clear();
  Inspect(root, 0, &found);
  // A daemon is no longer a descendant.
  for (const int pid : std::set<int>(running_)) {
    if (seen_.count(pid) == 0) Inspect(pid, 0, &found);
  }
  running_ = seen_;
  return found;
}

void UnwatchedProcesses::Inspect(int pid, int depth, std::vector<std::string>* found) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const std::string executable = ExecutableOf(folder);
  if (executable.empty()) return;  // it has ended
  seen_.insert(pid);
  if (reported_.count(pid) == 0) {
    std::string drivers[kApiCount];  // by Api
    bool has_device[kApiCount] = {};
    bool is_in = false;
    std::ifstream maps(folder + "/maps");
    for (std::string line; !is_in && std::getline(maps, line);) {
      const std::string_view file = MappedFile(line);
      if (file == library_) is_in = true;
      if (const ApiInfo* api = ApiOfDriver(file); api != nullptr) {
        std::string& driver = drivers[static_cast<int>(api->api)];
        if (driver.empty()) driver = file;
      }
      for (const ApiInfo& api : kApis)
        has_device[static_cast<int>(api.api)] |= IsDeviceOf(api, file);
    }
    const auto used = std::find_if(std::begin(kApis), std::end(kApis), [&](const ApiInfo& api) {
      const int at = static_cast<int>(api.api);
      return !drivers[at].empty() && (api.device.empty() || has_device[at]);
    });
    if (is_in) {
      starting_.erase(pid);
      without_.erase(pid);
    } else if (const auto known = starting_.find(pid);
               known != starting_.end() && known->second == executable) {
      without_[pid] = executable;
    } else {
      starting_[pid] = executable;
    }
    if (is_in || used == std::end(kApis)) {
      suspected_.erase(pid);
    } else if (!suspected_.insert(pid).second) {
      reported_.insert(pid);
      found->push_back("process " + std::to_string(pid) + " uses " + used->human + " (" +
                       drivers[static_cast<int>(used->api)] +
                       ") and gpusan is NOT ATTACHED to it; its calls are not checked");
    }
  }
  if (depth == kMaxDepth) return;
  std::ifstream children(folder + "/task/" + std::to_string(pid) + "/children");
  for (int child = 0; children >> child;) Inspect(child, depth + 1, found);
}

}  // namespace gpusan
