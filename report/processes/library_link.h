// A path of the library that environment variables can name.
#pragma once

#include <string>

namespace gpusan {

// LD_PRELOAD and the lists that API loaders read separate their entries by blanks and colons. A
// library whose path contains one is named through a link to its folder. The link is in a folder
// that only this user can use, and which the destructor removes. Not thread-safe.
class LibraryLink {
 public:
  LibraryLink() = default;
  ~LibraryLink();
  LibraryLink(const LibraryLink&) = delete;
  LibraryLink& operator=(const LibraryLink&) = delete;

  // Creates the link if the path `library` needs one. Returns an empty string, or an error message
  // of one line.
  std::string Open(const std::string& library);

  // `library`, or a path of the same file through the link.
  const std::string& path() const { return path_; }
  bool used() const { return !folder_.empty(); }

  // Leaves the link there, for processes that outlive the command.
  void Keep() { folder_.clear(); }

 private:
  std::string path_;
  std::string folder_;  // of the link; empty: no link to remove
};

}  // namespace gpusan
