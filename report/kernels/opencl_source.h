// What of an OpenCL program decides how clang must be called, so that it compiles what the driver
// compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/record/summary_service.h"

namespace gpusan {

// The build options of a program as arguments of clang.
struct ClangOptions {
  bool understood = true;  // false: an option may change the program in a way that clang lacks
  bool names_language = false;
  std::vector<std::string> arguments;
  std::vector<std::string> defined;  // names of macros that the options define
};
ClangOptions TranslateOptions(const OpenClProgram& program);

// Drivers predefine macros that clang does not have, and the reverse. This looks at the macros on
// which conditional directives of `texts` (the source and the files that it includes) depend.
// Appends to *arguments the definitions that make clang agree with the device. Returns false if a
// directive depends on a macro whose value is not known.
bool AgreeOnMacros(const OpenClProgram& program, const ClangOptions& options,
                   const std::vector<std::string_view>& texts, std::vector<std::string>* arguments);

}  // namespace gpusan
