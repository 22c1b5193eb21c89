// Finds sections in the page about the checks.
#include "report/formats/checks_page.h"

#include <algorithm>

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
  return GPUSAN_CHECKS_URL "#" + std::string(check);
}

}  // namespace gpusan
