// The HTML form.
#include "report/formats.h"

namespace gpusan {

std::string WriteHtml(Collector*, Output*) { return ""; }

}  // namespace gpusan
