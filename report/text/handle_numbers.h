// Replaces the addresses in the texts of a finding by short numbers: "buffer #1" for "buffer
// 0x5581".
#pragma once

#include "report/text/text.h"

namespace gpusan {

// Numbers the resources of the finding, and other handles and pointers that its texts name, within
// each kind in the order in which they appear. The first mention of a resource also gets the name
// that the program gave it: "buffer #3 "vertices"". Replaces them in `what`, `why`, `fix` and the
// texts of the parties, so that equal findings of two runs have equal texts. Stores in `handles`
// which address each number stands for. Call it once per finding. Thread-safe for different
// findings.
void NumberHandles(TextFinding* finding);

}  // namespace gpusan
