// Trace events, as Perfetto and chrome://tracing read them: a process a process, a counter a ledger
// figure, an instant a finding.
#include "report/formats.h"

namespace gpusan {

std::string WriteTrace(Collector*, Output*) { return ""; }

}  // namespace gpusan
