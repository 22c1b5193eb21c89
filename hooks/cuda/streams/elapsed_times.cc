// Times between events that a program asked for before the events were complete, and never got.
#include "hooks/cuda/streams/elapsed_times.h"

#include "hooks/common/base/process_state.h"
#include "hooks/common/missing_times.h"

namespace gpusan::cuda {
namespace {

constinit ProcessState<MissingTimes> g_times;
const ForkReset g_reset([] { g_times.Forget(); });

}  // namespace

void NoteElapsedTime(CuCall& call, CUresult code, const RecordedEvent& start,
                     const RecordedEvent& end) {
  bool newest = false;
  if (code == CUDA_ERROR_NOT_READY) {
    end.record.With([&](const Snapshot& point) {
      newest = !point.clock.empty();
      for (const Epoch command : point.clock.epochs())
        newest = newest && MissingTimes::IsNewest(call.tracker(), command);
    });
  }
  if (code == CUDA_SUCCESS || (code == CUDA_ERROR_NOT_READY && newest))
    g_times.Get().Note(call, code == CUDA_SUCCESS, start.handle, end.handle);
}

void ReportMissingTimes(Tracker& tracker) {
  // The driver, which knows the names of codes, may have shut down.
  g_times.Get().Report(tracker, Api::kCuda, Words(), "CUDA_ERROR_NOT_READY");
}

}  // namespace gpusan::cuda
