// Expands record file names.
#include "report/record/record_name.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "report/base/time_text.h"
#include "tracker/base/text_util.h"

namespace gpusan {
namespace {

// A value of the environment or the system as a part of a file name: it can neither lead to another
// folder nor hide in a terminal.
std::string NamePart(std::string value, bool may_have_folders = false) {
  for (char& c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (c == '/' && !may_have_folders)) c = '_';
  }
  for (size_t dots = 0; (dots = value.find("..", dots)) != std::string::npos;)
    value.replace(dots, 2, "__");
  return value;
}

// Returns the text for a placeholder of one letter; nullopt for other letters.
std::optional<std::string> PartFor(char letter, const RecordNameParts& parts) {
  switch (letter) {
    case 'p':
      return std::to_string(parts.pid);
    case 'h':
      return NamePart(parts.host);
    case 'r':
      return NamePart(parts.rank);
    case 'x':
      return NamePart(parts.executable);
    case 't':
      // ISO 8601, basic form: every character of it may stand in a file name.
      return UtcText(parts.time_ns, "%Y%m%dT%H%M%SZ");
    case 'n':
      return std::to_string(parts.number);
    case '%':
      return "%";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string ExecutablePath() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : std::string();
}

RecordNameParts CurrentRecordNameParts() {
  RecordNameParts parts;
  parts.pid = static_cast<int>(getpid());
  utsname names;
  parts.host = uname(&names) == 0 ? names.nodename : "localhost";
  parts.rank = "0";
  for (const char* variable :
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    const char* rank = std::getenv(variable);
    if (rank != nullptr && *rank != '\0') {
      parts.rank = rank;
      break;
    }
  }
  const std::string executable = ExecutablePath();
  parts.executable = BaseName(executable);
  if (parts.executable.empty()) parts.executable = "unknown";
  return parts;
}

std::string AbsolutePattern(const std::string& pattern) {
  if (!pattern.empty() && pattern.front() == '/') return pattern;
  char folder[4096];
  if (getcwd(folder, sizeof(folder)) == nullptr) return pattern;
  std::string escaped;
  for (const char* c = folder; *c != '\0'; ++c) escaped += *c == '%' ? "%%" : std::string(1, *c);
  return escaped + "/" + pattern;
}

bool HasNumber(std::string_view pattern) {
  for (size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] == '%' && pattern[++i] == 'n') return true;
  }
  return false;
}

std::string ExpandRecordName(std::string_view pattern, const RecordNameParts& parts,
                             std::string* complaint) {
  std::string name;
  complaint->clear();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      name += pattern[i];
      continue;
    }
    const std::string_view rest = pattern.substr(i + 1);
    const size_t close = pattern.find('}', i);
    if (const auto part = PartFor(rest.empty() ? '\0' : rest[0], parts)) {
      name += *part;
      ++i;
    } else if (rest.starts_with("q{") && close != std::string_view::npos) {
      const char* set = std::getenv(std::string(pattern.substr(i + 3, close - i - 3)).c_str());
      // Readers of a folder do not search its sub-folders.
      const bool may_have_folders = pattern.find('/', close) != std::string_view::npos;
      name += NamePart(set != nullptr ? set : "", may_have_folders);
      i = close;
    } else {
      *complaint = "unknown '" + std::string(pattern.substr(i, 2)) + "' in record name '" +
                   std::string(pattern) + "'; known are %p %h %r %x %t %n %q{VAR} %%";
      name += '%';
    }
  }
  return name;
}

}  // namespace gpusan
