// Finds running processes without the gpusan library.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

// Not thread-safe. Does not find a process that ends between two calls of Inspect.
class UnwatchedProcesses {
 public:
  // `library`: the file that the processes should have loaded.
  explicit UnwatchedProcesses(std::string library) : library_(std::move(library)) {}

  // Inspects `root`, its descendants, and processes that were descendants in an earlier call.
  // Returns one line for each process that has a driver but not the library loaded, in this call
  // and in the previous one (the ICD loader loads drivers before layers). Reports each process
  // once.
  std::vector<std::string> Inspect(int root);

  // Processes that had not loaded the library in two consecutive calls: the paths of their
  // executables, or their names where the paths cannot be read.
  const std::map<int, std::string>& without() const { return without_; }

 private:
  void Inspect(int pid, int depth, std::vector<std::string>* found);

  std::string library_;
  std::set<int> suspected_;
  std::set<int> reported_;
  std::map<int, std::string> starting_;  // without the library in one call
  std::map<int, std::string> without_;
  std::set<int> seen_;     // in this call
  std::set<int> running_;  // descendants of the root in an earlier call
};

}  // namespace gpusan
