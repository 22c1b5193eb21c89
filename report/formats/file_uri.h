// URIs of files (RFC 8089). Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

// Escapes the characters that RFC 3986 §3.3 does not allow in a path, and ':', which a relative
// reference must not have in its first segment (§4.2).
std::string UriPath(std::string_view path);

// The URI of the file at this absolute path.
std::string FileUri(std::string_view path);

}  // namespace gpusan
