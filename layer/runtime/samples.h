// The content of a sample: the ledger, the call sites with the most memory, and growing call sites.
#pragma once

#include <cstdint>

#include "report/record/record_writer.h"
#include "tracker/tracker.h"

namespace gpusan {

// Fills the sample and reports call sites that grow. `growth_after_ns` is the minimum duration of
// growth [ns]. `last` marks the last sample of the process, which visits all objects regardless of
// the cost and is not used to detect growth. May run on any thread, but only one sample at a time.
void TakeSample(Tracker& shadow, int64_t growth_after_ns, bool last, SampleRecord* sample);

// Reports growing call sites again, with the values of the last sample before the end of the
// process: the program may free at its end the memory that has grown.
void ReportGrowthAtEnd(Tracker& shadow);

// Writes the live, peak and pending-release bytes of the APIs in use to `ledger`.
void FillLedger(Tracker& shadow, LedgerTable* ledger);

// Returns the number of series of values that were dropped.
uint64_t GrowthSeriesDropped();

// Drops all series. Call it in the child of a fork. Takes no lock and frees no memory, because
// another thread of the parent may have been inside.
void ForgetSamples();

}  // namespace gpusan
