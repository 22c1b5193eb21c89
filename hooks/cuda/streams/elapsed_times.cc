// Times between events that a program asked for before the events were complete, and never got.
#include "hooks/cuda/streams/elapsed_times.h"

#include "hooks/common/base/process_state.h"
#include "hooks/common/missing_times.h"

namespace gpusan::cuda {
namespace {

constinit ProcessState<MissingTimes> g_times;
const ForkReset g_reset([] { g_times.Forget(); });

}  // namespace

void NoteElapsedTime(CuCall& call, CUresult code, uintptr_t start, uintptr_t end) {
  if (code == CUDA_SUCCESS || code == CUDA_ERROR_NOT_READY)
    g_times.Get().Note(call, code == CUDA_SUCCESS, start, end);
}

void ReportMissingTimes(Tracker& tracker) {
  // The driver, which knows the names of codes, may have shut down.
  g_times.Get().Report(tracker, Api::kCuda, Words(), "CUDA_ERROR_NOT_READY");
}

}  // namespace gpusan::cuda
