// Opens and reads files whose names are untrusted: records, options, suppressions.
//
// The name may belong to a FIFO, a device or an endless file. Only regular files are read, opening
// a file never blocks, and a reader states the maximum size.
#pragma once

#include <cstddef>
#include <string>

namespace gpusan {

// Opens a regular file for reading, close-on-exec. Returns the descriptor, which the caller closes.
// Returns -1 if it cannot be opened or is not a regular file. Then *why is a short reason without
// the path, with the remedy.
int OpenRegularFile(const std::string& path, std::string* why);

// Reads a whole regular file of at most `most` bytes into *text. Returns false, and
// sets *why as OpenRegularFile does, if that fails. Then *text is unchanged.
bool ReadRegularFile(const std::string& path, size_t most, std::string* text, std::string* why);

}  // namespace gpusan
