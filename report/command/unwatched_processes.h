// Finds running processes that use a GPU API without the gpusan library.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

// Not thread-safe. Does not find a process that ends between two calls of Look.
class UnseenProcesses {
 public:
  // `library`: the file that the processes should have loaded.
  explicit UnseenProcesses(std::string library) : library_(std::move(library)) {}

  // Inspects `root` and its descendants. Returns one line for each process that has a driver but
  // not the library loaded, in this call and in the previous one (the ICD loader loads drivers
  // before layers). Reports each process once.
  std::vector<std::string> Look(int root);

 private:
  void Look(int pid, int depth, std::vector<std::string>* found);

  std::string library_;
  std::set<int> suspected_;
  std::set<int> told_;
};

}  // namespace gpusan
