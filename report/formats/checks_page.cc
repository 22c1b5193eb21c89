// Finds sections in the page about the checks.
#include "report/formats/checks_page.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "report/formats/file_uri.h"

namespace gpusan {

std::string_view SectionOf(std::string_view check) {
  const std::string_view page = kChecksPage;
  const std::string heading = "\n### `" + std::string(check) + "`\n";
  const size_t at = page.find(heading);
  if (at == std::string_view::npos) return "";
  const size_t begin = page.find_first_not_of('\n', at + heading.size());
  if (begin == std::string_view::npos) return "";
  const size_t end = std::min(page.find("\n### ", begin), page.find("\n## ", begin));
  std::string_view section = page.substr(begin, end == std::string_view::npos ? end : end - begin);
  while (!section.empty() && section.back() == '\n') section.remove_suffix(1);
  return section;
}

std::string SectionUri(std::string_view check) {
  static const std::string page = [] {
    if (*GPUSAN_CHECKS_ADDRESS != '\0') return std::string(GPUSAN_CHECKS_ADDRESS);
    // Relative to the command in an installation, which may have been moved.
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto beside =
        (command.parent_path() / GPUSAN_DOC_FOLDER / "checks.md").lexically_normal();
    const bool installed = !error && std::filesystem::exists(beside, error);
    return FileUri(installed ? beside.string() : GPUSAN_FULL_DOC_FOLDER "/checks.md");
  }();
  return page + "#" + std::string(check);
}

}  // namespace gpusan
