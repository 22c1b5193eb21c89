// Remedies of findings in the words of the Python framework that made the call.
#pragma once

#include "report/text/text.h"

namespace gpusan {

// Appends to the fix of a finding of CUDA what the program calls for it in PyTorch, CuPy or Numba.
// Requires resolved frames. Leaves a finding unchanged whose call was not made by Python code, or
// by no library of these frameworks. A race of native code beside PyTorch names the function that
// returns PyTorch's stream.
void NameFrameworkRemedy(TextFinding* finding);

}  // namespace gpusan
