// Programs and debug files by build-id, from the servers that the variable DEBUGINFOD_URLS names.
//
// The tool debuginfod-find downloads them, and keeps them in its own cache. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

enum class DebugFile { kExecutable, kDebugInfo };

// Returns the path of the file; empty if DEBUGINFOD_URLS is not set, if the tool is not installed,
// or if no server has the file. `build_id` is lower-case hexadecimal. After a server took longer
// than the limit [30 s, or DEBUGINFOD_TIMEOUT], no further one is asked.
std::string FetchDebugFile(DebugFile kind, std::string_view build_id);

}  // namespace gpusan
