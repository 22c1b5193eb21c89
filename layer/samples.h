// The content of a sample: the ledger, the call sites with the most memory, and those that grow.
#pragma once

#include <cstdint>

#include "report/record/record_writer.h"
#include "tracker/tracker.h"

namespace gpusan {

// Fills the sample and reports call sites that grow. Any thread, but one sample at a time.
// `growth_after_ns` is the minimum duration of growth. `last`: the last sample of the process; it
// visits all objects regardless of the cost, and is not used to detect growth.
void TakeSample(Tracker& shadow, int64_t growth_after_ns, bool last, SampleRecord* sample);

// Reports growing call sites again with the figures of the last sample while the process ran:
// memory that is freed at the end had still grown.
void ReportGrowthAtEnd(Tracker& shadow);

// Live, peak and pending bytes of the APIs in use.
void FillLedger(Tracker& shadow, LedgerTable* ledger);

// The number of series that were dropped.
uint64_t GrowthSeriesDropped();

// Call it in the child of a fork: drops all series. Other threads may have been inside.
void ForgetSamples();

}  // namespace gpusan
