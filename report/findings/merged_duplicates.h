// Removes record files whose processes are also in a merged file, so that no process counts twice.
#pragma once

#include <string>
#include <vector>

namespace gpusan {

struct WithoutCopies {
  std::vector<std::string> files;  // the files to read, in the given order
  std::vector<std::string> notes;  // one line for each removal, with the reason
};

// Leaves out files of processes, and merged files, that another merged file among `files` contains
// completely. Processes are identified by host, pid, executable and start time. A file that a
// merged file contains only in part is kept, so that nothing is lost, and a note says that its
// processes count twice. Unreadable files are kept.
WithoutCopies LeaveOutCopies(const std::vector<std::string>& files);

}  // namespace gpusan
