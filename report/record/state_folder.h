// The user's folder for records of processes without an option for the record file.
#pragma once

#include <string>

namespace gpusan {

// $XDG_STATE_HOME/gpusan or $HOME/.local/state/gpusan, made with mode 0700 if it does not exist.
// Empty if neither variable is an absolute path, in a process with raised privileges, or if the
// folder cannot be made or belongs to another user.
std::string StateFolder();

}  // namespace gpusan
