// A finding as text from inside the process: symbols as the dynamic loader knows them, no files and
// lines.
#pragma once

#include "report/record/frame_source.h"
#include "report/record/text.h"
#include "tracker/model/finding.h"

namespace gpusan {

// Takes the loader's lock; call it with no lock of our own held. `frames` may be null.
TextFinding DescribeInProcess(const Finding& finding, const FrameSource* frames);

}  // namespace gpusan
