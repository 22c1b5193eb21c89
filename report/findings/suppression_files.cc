// The files of suppressions that a command applies.
#include "report/findings/suppression_files.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace gpusan {

std::string LoadSuppressions(const Options& options, Suppressions* suppressions) {
  if (!options.suppressions.empty()) {
    const std::string complaint = suppressions->Load(options.suppressions);
    if (!complaint.empty()) return complaint;
  }
  // Relative to the command in an installation; a build tree has no such file.
  std::error_code error;
  const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path =
      (command.parent_path() / GPUSAN_DATA_FOLDER / "default.supp").lexically_normal().string();
  if (error || !std::filesystem::exists(path, error)) return "";
  return suppressions->Load(path, /*is_default=*/true);
}

}  // namespace gpusan
