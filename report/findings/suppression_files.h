// The files of suppressions that a command applies.
#pragma once

#include <string>

#include "report/options/options.h"
#include "report/text/suppressions.h"

namespace gpusan {

// Adds the lines of the file that --suppressions names and of the file that is installed with
// gpusan, if it exists. Returns an empty string, or an error message as Suppressions::Load does.
std::string LoadSuppressions(const Options& options, Suppressions* suppressions);

}  // namespace gpusan
