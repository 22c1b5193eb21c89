// Combines what processes logged and what was seen of them.
#include "report/processes/lost_processes.h"

#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "report/processes/inspect.h"
#include "report/record/attach_log.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// Whether the environment that the process started with contains the entry.
bool StartedWith(const std::string& folder, const std::string& entry) {
  std::ifstream file(folder + "/environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (size_t at = text.find(entry); at != std::string::npos; at = text.find(entry, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == '\0';
    if (begins && (at + entry.size() == text.size() || text[at + entry.size()] == '\0'))
      return true;
  }
  return false;
}

// Whether the file is the tool of glibc that lists shared libraries. It is always linked statically
// and calls no GPU API; Python starts it in ctypes.util.find_library.
bool IsLinkerTool(const std::string& file) {
  for (const char* tool :
       {"/sbin/ldconfig", "/usr/sbin/ldconfig", "/sbin/ldconfig.real", "/usr/sbin/ldconfig.real"}) {
    if (file == tool) return true;
  }
  return false;
}

}  // namespace

void ProcessLog::Read() {
  std::ifstream log(path_);
  log.seekg(offset_);
  for (std::string line; std::getline(log, line) && !log.eof();) {
    offset_ += static_cast<long long>(line.size()) + 1;
    std::istringstream words(line);
    std::string word, what;
    int pid = 0;
    if (!(words >> word >> pid)) continue;
    std::getline(words >> std::ws, what);
    if (word == kLogAttached) {
      attached_[pid] = what;
      executed_.erase(pid);
    } else if (word == kLogExec) {
      executed_[pid] = what;
    } else if (word == kLogFailed) {
      executed_.erase(pid);
    } else if (word == kLogSpawned) {
      spawned_[pid] = what;  // written by the parent, perhaps after lines of the child
    } else if (word == kLogShell) {
      ++shells_[what];
    }
  }
}

std::map<int, std::string> ProcessLog::Lost() const {
  std::map<int, std::string> lost = executed_;
  for (const auto& [pid, file] : spawned_) {
    if (attached_.count(pid) == 0) lost.emplace(pid, file);
  }
  return lost;
}

std::map<int, std::string> ProcessesOfRun(const std::string& run, const std::set<int>& except) {
  std::map<int, std::string> found;
  const std::string entry = std::string(kRunVariable) + "=" + run;
  DIR* stream = opendir("/proc");
  if (stream == nullptr) return found;
  while (const dirent* item = readdir(stream)) {
    char* end = nullptr;
    const int pid = static_cast<int>(std::strtol(item->d_name, &end, 10));
    if (pid <= 0 || *end != '\0' || except.count(pid) != 0) continue;
    const std::string folder = "/proc/" + std::to_string(pid);
    if (!StartedWith(folder, entry)) continue;
    char path[4096];
    const ssize_t length = readlink((folder + "/exe").c_str(), path, sizeof(path));
    if (length > 0) found[pid] = std::string(path, static_cast<size_t>(length));
  }
  closedir(stream);
  return found;
}

std::vector<std::string> LostPrograms(const ProcessLog& log,
                                      const std::map<int, std::string>& polled) {
  constexpr size_t kMost = 10;
  std::map<std::string, size_t> processes;  // by program
  const std::map<int, std::string> lost = log.Lost();
  for (const auto& [pid, file] : lost) ++processes[file];
  for (const auto& [pid, file] : polled) {
    if (lost.count(pid) == 0 && !log.Attached(pid, file)) ++processes[file];
  }
  std::vector<std::string> lines;
  for (const auto& [file, count] : processes) {
    if (IsLinkerTool(file)) continue;
    std::string line = file.find('/') != std::string::npos ? InspectProgram(file).warning : "";
    if (line.empty()) line = file + " was started without gpusan's variables in its environment";
    if (count > 1) line += " (" + CountText(count, "process", "processes") + ")";
    lines.push_back("NOT ATTACHED: " + line + "; its calls were not checked");
  }
  // Only the first word: arguments may be secrets.
  for (const auto& [command, count] : log.shells()) {
    lines.push_back(
        "NOT ATTACHED: a shell was started without gpusan's variables in its environment" +
        (count > 1 ? " (" + CountText(count, "time", "times") + ")" : std::string()) +
        "; the calls of its programs were not checked: " + command.substr(0, command.find(' ')));
  }
  if (lines.size() > kMost) {
    const size_t more = lines.size() - kMost;
    lines.resize(kMost);
    lines.push_back("NOT ATTACHED: " + CountText(more, "more program", "more programs"));
  }
  return lines;
}

}  // namespace gpusan
