// Stream capture.
#include "hooks/cuda/streams/capture.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "hooks/common/process_state.h"
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
  if (const auto ask = reinterpret_cast<decltype(&::cuStreamGetCaptureInfo)>(
          RealFunction(kSlot_cuStreamGetCaptureInfo_v3));
      ask != nullptr) {
    code = ask(stream->handle, &status, nullptr, &place.graph, &place.nodes, &edges, &place.count);
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

SyncMisuse MisuseOf(const Capture* capture) {
  SyncMisuse misuse;
  if (capture == nullptr) return misuse;
  misuse.role = "capture";
  misuse.party = absl::StrCat("the capture of ", StreamText(capture->origin), " began");
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
    const auto ask = GPUSAN_CU_REAL(cuStreamIsCapturing);
    if (ask != nullptr && ask(stream->handle, &status) == CUDA_SUCCESS &&
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
  const std::string name = StreamText(stream);
  switch (code) {
    case CUDA_ERROR_STREAM_CAPTURE_UNMATCHED:
      if (capture == nullptr) return;
      misuse.what = absl::StrCat("the capture that ", name, " takes part in began in ",
                                 StreamText(capture->origin));
      misuse.why = "a capture ends in the stream in which it began (cuStreamEndCapture)";
      misuse.fix = absl::StrCat("let ", StreamText(capture->origin), " wait for an event of ", name,
                                ", and end the capture there");
      break;
    case CUDA_ERROR_STREAM_CAPTURE_UNJOINED: {
      if (capture == nullptr) return;
      std::string others;
      {
        std::lock_guard lock(TheState().lock);
        for (const Stream* member : capture->streams) {
          if (member != capture->origin)
            absl::StrAppend(&others, others.empty() ? "" : ", ", StreamText(member));
        }
      }
      misuse.what =
          absl::StrCat("the capture ends while other streams have captured work that ", name,
                       " does not wait for; ", others.empty() ? "" : "joined by: ", others);
      misuse.why =
          "every stream that an event brought into a capture must be joined back into the stream "
          "in which the capture began before it ends (CUDA programming guide, cross-stream "
          "dependencies and events)";
      misuse.fix = absl::StrCat("record an event behind the last work of each of them and let ",
                                name, " wait for it (cuStreamWaitEvent) before the end");
      break;
    }
    case CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD:
      if (capture == nullptr) return;
      misuse.what = absl::StrCat("the capture of ", name,
                                 " is ended by a different thread than the one that began it");
      misuse.why = absl::StrCat("a capture that was begun with ", ModeName(capture->mode),
                                " ends in the thread that began it (cuStreamEndCapture)");
      misuse.fix = "end it in the same thread, or begin it with CU_STREAM_CAPTURE_MODE_RELAXED";
      break;
    case CUDA_ERROR_ILLEGAL_STATE:
      misuse.what = capture == nullptr ? absl::StrCat(name, " is not being captured")
                                       : absl::StrCat(name, " is being captured already");
      misuse.why =
          "a capture begins in a stream that is not being captured, and ends once "
          "(cuStreamBeginCapture, cuStreamEndCapture)";
      misuse.fix = "pair each begin with one end on the same stream";
      break;
    default:
      return;
  }
  rules::OnSyncMisuse(misuse, call);
}

void ExplainWaitForCapture(CuCall& call, Stream* stream) {
  Capture* capture = stream->capture.load(std::memory_order_acquire);
  if (capture == nullptr) return;
  SyncMisuse misuse = MisuseOf(capture);
  misuse.object = stream->queue;
  misuse.what = absl::StrCat("the host queries or waits for ", StreamText(stream),
                             " while it is being captured, which makes the capture invalid");
  misuse.why =
      "captured work has not been submitted and cannot complete (CUDA programming "
      "guide, stream capture, prohibited and unhandled operations)";
  misuse.fix = "end the capture, launch the graph, and wait for the stream of the launch";
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
  const std::string name = ObjectText(event, call.words());
  switch (code) {
    case CUDA_ERROR_INVALID_VALUE:  // the driver's answer once the capture is over
      if (capture == nullptr) return;
      [[fallthrough]];
    case CUDA_ERROR_CAPTURED_EVENT:
      misuse.what = absl::StrCat(name, " was last recorded in a captured stream");
      misuse.why =
          "such an event represents a position in the graph, not submitted work: outside "
          "its capture it can be neither waited for nor queried";
      misuse.fix =
          "record the event in a stream that is not captured, or use another one; to record it "
          "when "
          "the graph runs, pass CU_EVENT_RECORD_EXTERNAL";
      break;
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION: {
      Capture* theirs =
          stream != nullptr ? stream->capture.load(std::memory_order_acquire) : nullptr;
      const SyncMisuse from = MisuseOf(theirs);
      misuse.role = from.role, misuse.party = from.party, misuse.site = from.site;
      misuse.what = absl::StrCat("captured work waits for ", name,
                                 ", which was recorded outside the capture");
      misuse.why = "no dependency may lead from a graph that is being captured to work outside it";
      misuse.fix =
          "order the launch of the graph behind the event instead, or pass CU_EVENT_WAIT_EXTERNAL "
          "to "
          "make the wait a node of the graph";
      break;
    }
    case CUDA_ERROR_STREAM_CAPTURE_MERGE:
      misuse.what =
          absl::StrCat(name, " was recorded in a different capture than the one that waits for it");
      misuse.why = "two captures cannot become one";
      misuse.fix =
          "capture both parts from one stream, or launch the two graphs one behind the other";
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
          "while a stream is being captured it can be neither queried nor waited for by the host, "
          "and "
          "calls that might wait for the device are refused: to every thread by a capture in "
          "global "
          "mode, to its own thread by one in thread-local mode (CUDA programming guide, stream "
          "capture, prohibited and unhandled operations)";
      breaks = true;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
      why =
          "work in the legacy stream waits for all blocking streams and they for it, and one of "
          "them "
          "is being captured: the capture cannot depend on it (cuStreamBeginCapture); use a "
          "non-blocking stream or one that is captured too";
      breaks = true;
      break;
    case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
      why = "an earlier call invalidated the capture; it can only be ended";
      break;
    case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
    case CUDA_ERROR_STREAM_CAPTURE_MERGE:
      why = "the call would have made the capture depend on work outside it";
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
  failure->party = absl::StrCat("the capture of ", StreamText(capture->origin), " began, in ",
                                ModeName(capture->mode));
  failure->party_site = capture->site;
}

}  // namespace gpusan::cuda
