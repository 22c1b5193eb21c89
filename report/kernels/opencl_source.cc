// Build options and predefined macros of OpenCL programs.
#include "report/kernels/opencl_source.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace gpusan {
namespace {

// Splits at blanks; quotes and backslashes protect them.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word.push_back(c);
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word.push_back(text[++i]);
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word.push_back(c);
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

// The number 100 * major + 10 * minor in "OpenCL 1.2 ..." or "OpenCL C 1.2 ..."; 0: none.
int VersionOf(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 >= text.size()) return 0;
  const char major = text[dot - 1], minor = text[dot + 1];
  if (std::isdigit(static_cast<unsigned char>(major)) == 0 ||
      std::isdigit(static_cast<unsigned char>(minor)) == 0)
    return 0;
  return (major - '0') * 100 + (minor - '0') * 10;
}

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view NameAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsNamePart(text[end])) ++end;
  return text.substr(at, end - at);
}

// Calls `visit(directive, rest)` for each preprocessor line.
template <typename Visitor>
void ForEachDirective(const std::string& text, Visitor visit) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    size_t at = line.find_first_not_of(" \t");
    if (at == std::string_view::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string_view::npos) continue;
    const std::string_view directive = NameAt(line, at);
    visit(directive, line.substr(at + directive.size()));
  }
}

// Without line continuations.
std::string Joined(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
    } else if (text[i] == '\\' && i + 2 < text.size() && text[i + 1] == '\r' &&
               text[i + 2] == '\n') {
      i += 2;
    } else {
      joined.push_back(text[i]);
    }
  }
  return joined;
}

bool HasWord(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

// Whether a condition gives the same answer for each default version of the language from 1.2 on,
// which is what drivers of today take without -cl-std: "__OPENCL_C_VERSION__ < 120" does.
bool SameFromVersion12(std::string_view condition) {
  constexpr std::string_view kName = "__OPENCL_C_VERSION__";
  for (size_t at = condition.find(kName); at != std::string_view::npos;
       at = condition.find(kName, at + 1)) {
    std::string_view rest = condition.substr(at + kName.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with(">=") && (!rest.starts_with("<") || rest.starts_with("<="))) return false;
    rest.remove_prefix(rest[0] == '<' ? 1 : 2);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::string_view number = NameAt(rest, 0);
    if (number != "100" && number != "110" && number != "120") return false;
  }
  return true;
}

// Names that only implementations define.
bool IsReserved(std::string_view name) {
  return name.starts_with("__") || name.starts_with("cl_") || name.starts_with("CL_VERSION_") ||
         name.starts_with("FP_FAST_") || name.starts_with("POCL") || name.starts_with("NV_") ||
         (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])));
}

}  // namespace

ClangOptions TranslateOptions(const OpenClProgram& program) {
  ClangOptions result;
  const std::vector<std::string> words = Words(program.options);
  std::string language;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto with_value = [&](char letter) {
      if (word.size() < 2 || word[0] != '-' || word[1] != letter) return false;
      std::string value = word.substr(2);
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      if (value.empty() || value[0] == '-') {
        result.understood = false;
        return true;
      }
      if (letter == 'D') result.defined.push_back(value.substr(0, value.find_first_of("=(")));
      result.arguments.push_back(std::string("-") + letter + value);
      return true;
    };
    if (with_value('D') || with_value('I') || with_value('U')) continue;
    if (word.starts_with("-cl-std=")) {
      language = word.substr(8);
      result.names_language = true;
    } else if (word == "-cl-single-precision-constant" || word == "-cl-denorms-are-zero" ||
               word == "-cl-fast-relaxed-math" || word == "-cl-mad-enable" ||
               word == "-cl-no-signed-zeros" || word == "-cl-finite-math-only" ||
               word == "-cl-unsafe-math-optimizations") {
      result.arguments.push_back(word);
    } else if (word.starts_with("-include") || word.starts_with("-imacros") ||
               word.starts_with("-x") || word.starts_with("@") || word == "-create-library" ||
               (word.starts_with("-i") && word != "-ignore")) {
      result.understood = false;
    }
    // Others do not change what the program accesses: warnings, debug information, tuning.
  }
  if (!result.names_language) {
    // OpenCL 3.0 §5.8.6.5: without the option, the highest OpenCL C 1.x of the device.
    const int version = VersionOf(program.language);
    language = version == 0 || version >= 120 ? "CL1.2" : version == 110 ? "CL1.1" : "CL1.0";
  }
  static constexpr std::string_view kLanguages[] = {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"};
  if (std::find(std::begin(kLanguages), std::end(kLanguages), language) == std::end(kLanguages))
    result.understood = false;
  result.arguments.push_back("-cl-std=" + language);
  return result;
}

bool AgreeOnMacros(const OpenClProgram& program, const ClangOptions& options,
                   const std::vector<std::string_view>& texts,
                   std::vector<std::string>* arguments) {
  std::set<std::string, std::less<>> defined(options.defined.begin(), options.defined.end());
  std::set<std::string, std::less<>> tested;
  bool default_language = VersionOf(program.language) >= 120;
  for (const std::string_view text : texts) {
    ForEachDirective(Joined(text), [&](std::string_view directive, std::string_view rest) {
      if (directive == "define") {
        const size_t at = rest.find_first_not_of(" \t");
        if (at != std::string_view::npos) defined.emplace(NameAt(rest, at));
      } else if (directive == "if" || directive == "ifdef" || directive == "ifndef" ||
                 directive.starts_with("elif")) {
        default_language = default_language && SameFromVersion12(rest);
        for (size_t i = 0; i < rest.size(); ++i) {
          if (!IsNameStart(rest[i]) || (i > 0 && IsNamePart(rest[i - 1]))) continue;
          const std::string_view name = NameAt(rest, i);
          if (IsReserved(name)) tested.emplace(name);
          i += name.size() - 1;
        }
      }
    });
  }
  const int version = VersionOf(program.device_version);
  if (version != 0) arguments->push_back("-D__OPENCL_VERSION__=" + std::to_string(version));
  for (const std::string& name : tested) {
    if (defined.find(name) != defined.end()) continue;
    if (name == "__ENDIAN_LITTLE__" || name == "__FAST_RELAXED_MATH__") continue;
    if (name == "__OPENCL_VERSION__" && version != 0) continue;
    if (name == "__OPENCL_C_VERSION__" && (options.names_language || default_language)) continue;
    if (name.starts_with("CL_VERSION_") && version != 0) {
      const std::string number = name.substr(11);
      if (number.size() != 3) return false;
      const int of = (number[0] - '0') * 100 + (number[2] - '0') * 10;
      arguments->push_back(of <= version ? "-D" + name + "=" + std::to_string(of) : "-U" + name);
    } else if (name.starts_with("cl_")) {
      arguments->push_back(HasWord(program.extensions, name) ? "-D" + name + "=1" : "-U" + name);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace gpusan
