// The folder for temporary files.
#pragma once

#include <cstdlib>
#include <string>

namespace gpusan {

// $TMPDIR if it is an absolute path, otherwise /tmp.
inline std::string TemporaryRoot() {
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && *variable == '/' ? variable : "/tmp";
}

}  // namespace gpusan
