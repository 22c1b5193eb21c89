// Opens and reads files whose names are untrusted: records, options, suppressions.
//
// The name may belong to a FIFO, a device or an endless file. Only regular files are read, opening
// a file never blocks, and a reader states the maximum size.
#pragma once

#include <cstddef>
#include <string>

namespace gpusan {

// Opens a regular file for reading, close-on-exec. Returns the descriptor, which the caller closes.
// Returns -1 when it cannot be opened or is no regular file; then *why says it in a few words,
// without the path, and what to do about it.
int OpenRegularFile(const std::string& path, std::string* why);

// Reads a whole regular file of at most `most` bytes into *text. Returns false when that fails;
// then *why is as above and *text is unchanged.
bool ReadRegularFile(const std::string& path, size_t most, std::string* text, std::string* why);

}  // namespace gpusan
