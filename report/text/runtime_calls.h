// Renames the calls of CUDA findings: the program called the runtime (cudaMemcpy), gpusan
// intercepted the driver (cuMemcpyHtoD_v2).
#pragma once

#include <string>
#include <string_view>

#include "report/text/text.h"

namespace gpusan {

// "cudaMemcpy" for "cudaMemcpy_ptds", "cudaLaunchKernel" for "__cudaLaunchKernel"; empty if
// `function` is not a function of the runtime.
std::string RuntimeCall(std::string_view function);

// The driver function that the text names; empty if it names none or more than one.
std::string DriverCallIn(std::string_view text);

// Replaces the driver functions that texts name as remedies (cuStreamSynchronize) by those of the
// runtime (cudaStreamSynchronize). For findings about calls of the runtime.
void NameRuntimeRemedies(std::string* text);

// Replaces the names of the driver's parameters (srcDevice) by those of the runtime function `call`
// (src).
void NameRuntimeArguments(std::string_view call, std::string* text);

// The runtime's name of a code of the driver ("cudaErrorInvalidValue") if `call` is a function of
// the runtime that returns it; otherwise `code`.
std::string CodeNameFor(std::string_view call, std::string_view code);

// Replaces whole words.
void ReplaceWord(std::string* text, std::string_view from, std::string_view to);

// Names the pending call in the `what` and the `fix` of a finding about `call`: replaces the driver
// function `driver`, its earlier call, by `runtime`. Tells the two apart ("the earlier
// cudaMemcpyAsync") if both are calls of one function of the runtime.
void NamePendingCall(std::string_view call, std::string_view driver, std::string_view runtime,
                     std::string* what, std::string* fix);

// Renames the calls of a finding, and the parameters that it names, after the runtime functions in
// its frames. This serves runtimes
// that are linked statically: only the symbol table of the program has their names. A kernel
// without code for the device becomes a note if the program queried the runtime about it and
// launched nothing.
void NameRuntimeCalls(TextFinding* finding);

}  // namespace gpusan
