// The rows of failure_clauses.def as two parallel arrays.
#include "hooks/opencl/words/failure_clauses.h"

#include <cstddef>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/opencl/words/extension_types.h"

namespace gpusan::opencl {
namespace {

constexpr ClauseRow kRows[] = {
#define CLAUSE(entry, code, section, text, argument) {#entry, code},
#define ANY_CLAUSE(code, section, text, argument) {"", code},
#include "hooks/opencl/words/failure_clauses.def"
};

constexpr Clause kClauses[] = {
#define CLAUSE(entry, code, section, text, argument) {argument, text, section},
#define ANY_CLAUSE(code, section, text, argument) {argument, text, section},
#include "hooks/opencl/words/failure_clauses.def"
};

constexpr size_t kCount = std::size(kRows);
static_assert(kCount == std::size(kClauses));

// The rows of one entry point and code are adjacent (the unit test checks it). Failed calls are
// rare, so a linear scan suffices.
absl::Span<const Clause> Find(const char* entry_point, cl_int code) {
  for (size_t first = 0; first < kCount; ++first) {
    if (kRows[first].code != code || std::strcmp(kRows[first].entry_point, entry_point) != 0)
      continue;
    size_t last = first + 1;
    while (last < kCount && kRows[last].code == code &&
           std::strcmp(kRows[last].entry_point, entry_point) == 0) {
      ++last;
    }
    return absl::MakeConstSpan(kClauses + first, last - first);
  }
  return {};
}

// "none" if there is no such core function; no row has that name.
const char* CoreNameOf(const char* entry_point) {
#define EXTENSION(name, type, core, treatment) \
  if (std::strcmp(entry_point, #name) == 0) return #core;
#include "hooks/opencl/extension_entry_points.def"
  return "none";
}

}  // namespace

absl::Span<const Clause> ClausesFor(const char* entry_point, cl_int code) {
  absl::Span<const Clause> found = Find(entry_point, code);
  if (found.empty()) found = Find(CoreNameOf(entry_point), code);
  return found.empty() ? Find("", code) : found;
}

std::string ClauseText(const Clause& clause) {
  const bool core = std::string_view(clause.section).substr(0, 2) == "\xC2\xA7";  // "§" in UTF-8
  return absl::StrCat(clause.text, core ? " (OpenCL 3.0 " : " (", clause.section, ")");
}

absl::Span<const ClauseRow> AllClauseRows() { return kRows; }
absl::Span<const Clause> AllClauses() { return kClauses; }

}  // namespace gpusan::opencl
