// A finding as text inside the process: with the symbols of the dynamic loader, without files and
// lines.
#pragma once

#include "report/record/frame_source.h"
#include "report/text/text.h"
#include "tracker/model/finding.h"

namespace gpusan {

// Takes the lock of the loader: the caller must hold no lock of gpusan. `frames` may be null.
// Thread-safe.
TextFinding DescribeInProcess(const Finding& finding, const FrameSource* frames);

}  // namespace gpusan
