// Findings of CUDA in the words of the program: it called the runtime (cudaMemcpy), gpusan saw the
// driver (cuMemcpyHtoD_v2).
#pragma once

#include <string>
#include <string_view>

#include "report/record/text.h"

namespace gpusan {

// "cudaMemcpy" of "cudaMemcpy_ptds"; empty if `function` is none of the runtime's.
std::string RuntimeCall(std::string_view function);

// The one driver function that the text names; empty if it names none or several.
std::string DriverCallIn(std::string_view text);

// Replaces whole words.
void ReplaceWord(std::string* text, std::string_view from, std::string_view to);

// Renames calls of a finding by the runtime's functions in its frames: those of a runtime that is
// linked statically, whose names only the program's symbol table has. A kernel without code for the
// device is no more than a note where the program asked the runtime about it and launched nothing.
void NameRuntimeCalls(TextFinding* finding);

}  // namespace gpusan
