// Finds the processes of a run that gpusan is not attached to.
//
// Sources: the log to which processes with gpusan write the programs that they start
// (report/record/attach_log.h), and a look at the descendants of the program now and then. A
// process that was started by another one without gpusan and ends between two looks is not found.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

// The content of the log. Not thread-safe.
class ProcessLog {
 public:
  // `path` is the log. Reads nothing.
  explicit ProcessLog(std::string path) : path_(std::move(path)) {}

  // Reads the lines that were appended since the last call.
  void Read();

  // Whether the library was ever loaded into this process.
  bool Attached(int pid) const { return attached_.count(pid) != 0; }

  // Whether it was loaded into that executable of the process. It was not if the process executed
  // the file without a function that gpusan intercepts.
  bool Attached(int pid, const std::string& executable) const {
    const auto found = attached_.find(pid);
    // The log cuts long names, and has '?' for control characters.
    return found != attached_.end() && (found->second == executable || found->second.size() > 900 ||
                                        found->second.find('?') != std::string::npos);
  }

  // Programs that run, or ran, without gpusan. The key is the process.
  std::map<int, std::string> Lost() const;
  // Commands of shells that were started without gpusan, and how often.
  const std::map<std::string, size_t>& shells() const { return shells_; }

 private:
  std::string path_;
  long long offset_ = 0;
  std::map<int, std::string> attached_;  // the executable that loaded it last
  std::map<int, std::string> executed_;  // and the library was not loaded since
  std::map<int, std::string> spawned_;
  std::map<std::string, size_t> shells_;
};

// Running processes of the run with this name, by their environment (attach_log.h), except
// `except`. The values are the paths of their executables.
std::map<int, std::string> ProcessesOfRun(const std::string& run, const std::set<int>& except);

// One line for each program that gpusan was not attached to, without line feeds: its file, the
// reason, the number of processes. `polled` are processes without the library that were seen while
// the program ran. Leaves ldconfig out, which calls no GPU API.
std::vector<std::string> LostPrograms(const ProcessLog& log,
                                      const std::map<int, std::string>& polled);

}  // namespace gpusan
