// Processes that use OpenCL without gpusan in them, found from outside while they run.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpusan {

// Not thread-safe. A process that ends between two looks is not found.
class UnseenProcesses {
 public:
  // `library`: the file that should be in them.
  explicit UnseenProcesses(std::string library) : library_(std::move(library)) {}

  // Looks at `root` and its descendants. Returns a line for each process that has an OpenCL driver
  // loaded and not the library, in this look and the one before (the ICD loader loads drivers
  // before layers); each process once.
  std::vector<std::string> Look(int root);

 private:
  void Look(int pid, int depth, std::vector<std::string>* found);

  std::string library_;
  std::set<int> suspected_;
  std::set<int> told_;
};

}  // namespace gpusan
