// Record files whose processes stand in a merged file that is read, too: they would count twice.
#pragma once

#include <string>
#include <vector>

namespace gpusan {

struct WithoutCopies {
  std::vector<std::string> files;  // to be read, in their order
  std::vector<std::string> notes;  // what was left out and why, a line each
};

// Leaves out what is in a merged file among them to the last byte: files of processes, and other
// merged files. A process is known by host, number, executable and the moment of its start. What a
// merged file has only in part is read, and a note says that it counts twice: nothing is lost.
// Files that cannot be read stay in.
WithoutCopies LeaveOutCopies(const std::vector<std::string>& files);

}  // namespace gpusan
