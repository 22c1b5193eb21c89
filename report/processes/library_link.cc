// Links the folder of the library, whose manifest of the Vulkan layer is found in the same way.
#include "report/processes/library_link.h"

#include <errno.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "report/base/temporary_root.h"

namespace gpusan {
namespace {

constexpr char kSeparators[] = " \t\n:";
constexpr char kLinkName[] = "/library";

}  // namespace

LibraryLink::~LibraryLink() {
  if (folder_.empty()) return;
  unlink((folder_ + kLinkName).c_str());
  rmdir(folder_.c_str());
}

std::string LibraryLink::Open(const std::string& library) {
  path_ = library;
  if (library.find_first_of(kSeparators) == std::string::npos) return "";
  std::string folder = TemporaryRoot();
  if (folder.find_first_of(kSeparators) != std::string::npos) folder = "/tmp";
  folder += "/gpusan-library.XXXXXX";
  if (mkdtemp(folder.data()) == nullptr)
    return "cannot make a temporary folder " + folder + ": " + std::strerror(errno);
  folder_ = folder;
  const size_t slash = library.rfind('/');
  const std::string link = folder + kLinkName;
  if (symlink(library.substr(0, slash).c_str(), link.c_str()) != 0)
    return "cannot make the link " + link + ": " + std::strerror(errno);
  path_ = link + library.substr(slash);
  return "";
}

}  // namespace gpusan
