// Stream capture.
#include "hooks/cuda/streams/capture.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "hooks/common/base/process_state.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

struct State {
  SpinLock lock;
  std::vector<std::unique_ptr<Capture>> all;
  std::vector<Capture*> over;
  std::vector<Capture*> active;
  uint64_t last_id = 0;
};

// The call that invalidated the capture which this thread ended last.
struct Breaker {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};
constinit thread_local Breaker last_breaker;

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

State& TheState() { return g_state.Get(); }

const char* ModeName(CUstreamCaptureMode mode) {
  switch (mode) {
    case CU_STREAM_CAPTURE_MODE_GLOBAL:
      return "CU_STREAM_CAPTURE_MODE_GLOBAL";
    case CU_STREAM_CAPTURE_MODE_THREAD_LOCAL:
      return "CU_STREAM_CAPTURE_MODE_THREAD_LOCAL";
    default:
      return "CU_STREAM_CAPTURE_MODE_RELAXED";
  }
}

std::string StreamText(const Stream* stream) {
  if (stream->handle == CU_STREAM_LEGACY) return "the legacy stream";
  if (stream->handle == CU_STREAM_PER_THREAD) return "a thread's default stream";
  return absl::StrCat("stream ", HandleText(HandleOf(stream->handle)));
}

// The position of a captured stream: the nodes that its next node will depend on. The memory
// belongs to the driver.
struct CapturedPlace {
  CUgraph graph = nullptr;
  const CUgraphNode* nodes = nullptr;
  size_t count = 0;
};

CapturedPlace CapturedPlaceOf(const Stream* stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphEdgeData* edges = nullptr;
  CapturedPlace place;
  CUresult code = CUDA_ERROR_NOT_FOUND;
  if (const auto query = reinterpret_cast<decltype(&::cuStreamGetCaptureInfo)>(
          RealFunction(kSlot_cuStreamGetCaptureInfo_v3));
      query != nullptr) {
    code =
        query(stream->handle, &status, nullptr, &place.graph, &place.nodes, &edges, &place.count);
  } else if (const auto older =
                 reinterpret_cast<CUresult (*)(CUstream, CUstreamCaptureStatus*, cuuint64_t*,
                                               CUgraph*, const CUgraphNode**, size_t*)>(
                     RealFunction(kSlot_cuStreamGetCaptureInfo_v2));
             older != nullptr) {
    code = older(stream->handle, &status, nullptr, &place.graph, &place.nodes, &place.count);
  }
  if (code != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return {};
  return place;
}

// "the capture of stream #1 began, in CU_STREAM_CAPTURE_MODE_GLOBAL"
std::string BeginText(const Capture& capture) {
  return absl::StrCat("the capture of ", StreamText(capture.origin), " began, in ",
                      ModeName(capture.mode));
}

SyncMisuse MisuseOf(const Capture* capture) {
  SyncMisuse misuse;
  if (capture == nullptr) return misuse;
  misuse.capture = StreamText(capture->origin);
  misuse.site = capture->site;
  return misuse;
}

}  // namespace

constinit Observer<CuCall&, CUgraphNode> node_captured;

void BeganCapture(CuCall& call, Stream* stream, CUstreamCaptureMode mode) {
  State& state = TheState();
  const SiteId site = call.site();
  std::lock_guard lock(state.lock);
  Capture* capture;
  if (!state.over.empty()) {
    capture = state.over.back();
    state.over.pop_back();
  } else {
    capture = state.all.emplace_back(std::make_unique<Capture>()).get();
  }
  *capture = Capture();
  capture->id = ++state.last_id;
  capture->mode = mode;
  capture->origin = stream;
  capture->call = &call.info();
  capture->site = site;
  capture->streams.push_back(stream);
  state.active.push_back(capture);
  stream->capture.store(capture, std::memory_order_release);
}

void EndedCapture(Stream* stream, CUresult code) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr) return;
  if (code != CUDA_SUCCESS) {
    // Some failures end the capture, others do not.
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const auto query = GPUSAN_CU_REAL(cuStreamIsCapturing);
    if (query != nullptr && query(stream->handle, &status) == CUDA_SUCCESS &&
        status != CU_STREAM_CAPTURE_STATUS_NONE)
      return;
  }
  State& state = TheState();
  std::lock_guard lock(state.lock);
  if (capture->id == 0) return;
  last_breaker = {capture->broken_by, capture->broken_at};
  for (Stream* member : capture->streams) member->capture.store(nullptr, std::memory_order_release);
  capture->streams.clear();
  capture->id = 0;
  state.active.erase(std::remove(state.active.begin(), state.active.end(), capture),
                     state.active.end());
  state.over.push_back(capture);
}

bool AnyCapture() {
  State& state = TheState();
  std::lock_guard lock(state.lock);
  return !state.active.empty();
}

void LeaveCapture(Stream* stream) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr) return;
  State& state = TheState();
  std::lock_guard lock(state.lock);
  auto& streams = capture->streams;
  streams.erase(std::remove(streams.begin(), streams.end(), stream), streams.end());
  stream->capture.store(nullptr, std::memory_order_release);
  // A capture without its origin stream can never end.
  if (capture->origin != stream || capture->id == 0) return;
  for (Stream* member : streams) member->capture.store(nullptr, std::memory_order_release);
  streams.clear();
  capture->id = 0;
  state.active.erase(std::remove(state.active.begin(), state.active.end(), capture),
                     state.active.end());
  state.over.push_back(capture);
}

void RecordedInCapture(Stream* stream, RecordedEvent* event) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr) return;
  event->native_id = capture->id;
  event->native.store(capture, std::memory_order_release);
  event->record.Reset();
}

void JoinedCapture(CuCall& call, Stream* stream, const RecordedEvent& event) {
  auto* capture = static_cast<Capture*>(event.native.load(std::memory_order_acquire));
  if (capture == nullptr) return;
  {
    State& state = TheState();
    std::lock_guard lock(state.lock);
    if (capture->id == 0 || capture->id != event.native_id) return;
    if (stream->capture.load(std::memory_order_relaxed) == nullptr) {
      capture->streams.push_back(stream);
      stream->capture.store(capture, std::memory_order_release);
    }
  }
  (void)call;
}

CUgraph CapturedGraph(Stream* stream) { return CapturedPlaceOf(stream).graph; }

void NoteCapturedNodes(CuCall& call, Stream* stream) {
  const CapturedPlace place = CapturedPlaceOf(stream);
  for (size_t i = 0; i < place.count; ++i) node_captured(call, place.nodes[i]);
}

// --- explanations

void ExplainEndOfCapture(CuCall& call, Stream* stream, CUresult code) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  SyncMisuse misuse = MisuseOf(capture);
  misuse.object = stream->handle == CU_STREAM_LEGACY ? nullptr : stream->queue;
  misuse.name = StreamText(stream);
  switch (code) {
    case CUDA_ERROR_STREAM_CAPTURE_UNMATCHED:
      if (capture == nullptr) return;
      misuse.fault = SyncMisuse::Fault::kCaptureEndsElsewhere;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_UNJOINED: {
      if (capture == nullptr) return;
      misuse.fault = SyncMisuse::Fault::kCaptureUnjoined;
      std::lock_guard lock(TheState().lock);
      for (const Stream* member : capture->streams) {
        if (member != capture->origin)
          absl::StrAppend(&misuse.others, misuse.others.empty() ? "" : ", ", StreamText(member));
      }
      break;
    }
    case CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD:
      if (capture == nullptr) return;
      misuse.fault = SyncMisuse::Fault::kCaptureWrongThread;
      misuse.mode = ModeName(capture->mode);
      break;
    case CUDA_ERROR_ILLEGAL_STATE:
      misuse.fault = capture == nullptr ? SyncMisuse::Fault::kNotCaptured
                                        : SyncMisuse::Fault::kAlreadyCaptured;
      break;
    default:
      return;
  }
  rules::OnSyncMisuse(misuse, call);
}

void ExplainLostCapture(CuCall& call, Stream* stream) {
  const Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr || capture->origin != stream || CapturedPlaceOf(stream).count == 0) return;
  SyncMisuse misuse = MisuseOf(capture);
  misuse.fault = SyncMisuse::Fault::kCaptureLost;
  misuse.object = stream->queue;
  misuse.name = StreamText(stream);
  rules::OnSyncMisuse(misuse, call);
}

void ExplainWaitForCapture(CuCall& call, Stream* stream) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr) return;
  SyncMisuse misuse = MisuseOf(capture);
  misuse.object = stream->queue;
  misuse.fault = SyncMisuse::Fault::kWaitsForCaptured;
  misuse.name = StreamText(stream);
  {
    const SiteId site = call.site();
    std::lock_guard lock(TheState().lock);
    if (capture->broken_by == nullptr) {
      capture->broken_by = &call.info();
      capture->broken_at = site;
    }
  }
  rules::OnSyncMisuse(misuse, call);
}

void ExplainCapturedEvent(CuCall& call, const RecordedEvent& event, const Stream* stream,
                          CUresult code) {
  auto* capture = static_cast<Capture*>(event.native.load(std::memory_order_acquire));
  const bool goes_on = capture != nullptr && capture->id != 0 && capture->id == event.native_id;
  SyncMisuse misuse = MisuseOf(goes_on ? capture : nullptr);
  misuse.object = &event;
  switch (code) {
    case CUDA_ERROR_INVALID_VALUE:  // the driver's answer once the capture is over
      if (capture == nullptr) return;
      [[fallthrough]];
    case CUDA_ERROR_CAPTURED_EVENT:
      misuse.fault = SyncMisuse::Fault::kCapturedEvent;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION: {
      Capture* theirs =
          stream != nullptr ? stream->capture.load(std::memory_order_acquire) : nullptr;
      misuse = MisuseOf(theirs);
      misuse.object = &event;
      misuse.fault = SyncMisuse::Fault::kRecordedOutside;
      break;
    }
    case CUDA_ERROR_STREAM_CAPTURE_MERGE:
      misuse.fault = SyncMisuse::Fault::kOtherCapture;
      break;
    default:
      return;
  }
  rules::OnSyncMisuse(misuse, call);
}

void ExplainCaptureFailure(CuCall& call, Failure* failure) {
  const char* why = nullptr;
  bool breaks = false;
  switch (static_cast<CUresult>(failure->code)) {
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
      why =
          "while a stream is captured, the host must not query it or wait for it, and the driver "
          "rejects calls that might wait for the device: calls of all threads in global mode, "
          "those of the capturing thread in thread-local mode (CUDA programming guide, stream "
          "capture, prohibited and unhandled operations)";
      breaks = true;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
      why =
          "the legacy stream waits for all blocking streams, and one of them is being captured: "
          "a capture cannot depend on work in the legacy stream (cuStreamBeginCapture); use a "
          "non-blocking stream, or a stream that is captured too";
      breaks = true;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
      why = "an earlier call invalidated the capture; the program can only end it";
      break;
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
    case CUDA_ERROR_STREAM_CAPTURE_MERGE:
      why = "the call would make the capture depend on work outside of it";
      breaks = true;
      break;
    default:
      return;
  }
  failure->clauses = why;
  State& state = TheState();
  const SiteId site = call.site();
  std::lock_guard lock(state.lock);
  Capture* capture = state.active.empty() ? nullptr : state.active.back();
  if (!breaks) {
    const Breaker breaker =
        capture != nullptr ? Breaker{capture->broken_by, capture->broken_at} : last_breaker;
    failure->tolerated = breaker.call != nullptr;  // the other call was reported
  }
  if (capture == nullptr) return;
  if (breaks && capture->broken_by == nullptr) {
    capture->broken_by = &call.info();
    capture->broken_at = site;
  }
  failure->role = "capture";
  failure->party = BeginText(*capture);
  failure->party_site = capture->site;
}

}  // namespace gpusan::cuda
