// What a sample of the shadow says: the ledger, the places that hold most, and what of them grows.
#pragma once

#include <cstdint>

#include "report/record/record_writer.h"
#include "tracker/tracker.h"

namespace gpusan {

// Fills the sample, and reports places that are found to grow. From any thread; one sample at a
// time. `growth_after_ns`: how long growth must have lasted.
// `last`: of the process; looks at all there is, whatever that costs, and judges no growth by it.
void TakeSample(Tracker& shadow, int64_t growth_after_ns, bool last, SampleRecord* sample);

// Reports those that were found once more, as they were when the process was sampled last while it
// ran: what it gives back as it ends had grown all the same.
void ReportGrowthAtEnd(Tracker& shadow);

// Live, peak and pending bytes of the APIs in use.
void FillLedger(Tracker& shadow, LedgerTable* ledger);

// Series that could not be kept.
uint64_t GrowthSeriesDropped();

// In the child of a fork: no series yet. Other threads may have been inside.
void ForgetSamples();

}  // namespace gpusan
