// The page about the checks (manifests/docs/checks.md), as text in the command. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace gpusan {

extern const char kChecksPage[];

// The section of the page about this check, in Markdown and without its heading; empty if it has
// none.
std::string_view SectionOf(std::string_view check);

// The address of that section: an absolute URI.
std::string SectionUri(std::string_view check);

}  // namespace gpusan
