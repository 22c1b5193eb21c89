// Stream capture: operations become nodes, events carry the capture from stream to stream.
#include <cuda.h>

#include <algorithm>
#include <set>

#include "graphs.h"

namespace fake {
namespace {

thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
thread_local char thread_token;

std::vector<std::shared_ptr<Capture>>& active = *new std::vector<std::shared_ptr<Capture>>;

void Join(Stream& stream, const std::shared_ptr<Capture>& capture) {
  stream.capture = capture;
  for (const StreamPtr& known : AllStreams(*stream.context.lock())) {
    if (known.get() == &stream) {
      capture->streams.push_back(known);
    }
  }
}

// Whether every node that the stream has come to lies before the origin's end.
bool Joined(const Stream& stream, const std::vector<Node*>& origin_tail) {
  std::set<const Node*> before;
  std::vector<Node*> rest = origin_tail;
  while (!rest.empty()) {
    Node* node = rest.back();
    rest.pop_back();
    if (before.insert(node).second) {
      rest.insert(rest.end(), node->dependencies.begin(), node->dependencies.end());
    }
  }
  return std::all_of(stream.capture_tail.begin(), stream.capture_tail.end(),
                     [&](Node* node) { return before.count(node) != 0; });
}

// Ends the capture of all its streams.
void Leave(const std::shared_ptr<Capture>& capture) {
  for (const std::weak_ptr<Stream>& weak : capture->streams) {
    if (StreamPtr member = weak.lock()) {
      member->capture = nullptr;
      member->capture_tail.clear();
    }
  }
  std::erase(active, capture);
  capture->over = true;
}

void DropGraph(const Capture& capture) {
  if (capture.to_graph) {
    return;
  }
  Forget(*capture.graph);
  graphs.Remove(graphs.Of(capture.graph));
}

CUresult Begin(CUstream handle, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
               const std::vector<Node*>& dependencies) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    if (stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (stream->legacy) {
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (stream->capture != nullptr) {
      return CUDA_ERROR_ILLEGAL_STATE;
    }
    auto capture = std::make_shared<Capture>();
    capture->to_graph = graph != nullptr;
    capture->graph = graph != nullptr ? graph : std::make_shared<Graph>();
    capture->mode = mode;
    capture->thread = &thread_token;
    capture->origin = stream.get();
    capture->id = NextId();
    Join(*stream, capture);
    stream->capture_tail = dependencies;
    active.push_back(capture);
    return CUDA_SUCCESS;
  });
}

CUresult End(CUstream handle, CUgraph* graph) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    if (stream == nullptr || graph == nullptr) {
      return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    std::shared_ptr<Capture> capture = stream->capture;
    *graph = nullptr;
    if (capture == nullptr) {
      return CUDA_ERROR_ILLEGAL_STATE;
    }
    if (capture->origin != stream.get()) {
      Invalidate(*capture);
      return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != &thread_token) {
      return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    }
    CUresult result = capture->invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    for (const std::weak_ptr<Stream>& weak : capture->streams) {
      StreamPtr member = weak.lock();
      if (member != nullptr && result == CUDA_SUCCESS && !Joined(*member, stream->capture_tail)) {
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
      }
    }
    Leave(capture);
    if (result != CUDA_SUCCESS) {
      DropGraph(*capture);
    } else {
      *graph = capture->to_graph ? graphs.Of(capture->graph) : graphs.Add(capture->graph);
    }
    return result;
  });
}

CUresult Info(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
              const CUgraphNode** dependencies, const CUgraphEdgeData** edges, size_t* count) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    if (stream == nullptr || status == nullptr) {
      return stream == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    if (CUresult error = CheckImplicit(*stream); error != CUDA_SUCCESS) {
      return error;
    }
    const std::shared_ptr<Capture>& capture = stream->capture;
    *status = capture == nullptr     ? CU_STREAM_CAPTURE_STATUS_NONE
              : capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                     : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
      return CUDA_SUCCESS;
    }
    if (id != nullptr) {
      *id = capture->id;
    }
    // The program may look at the graph and give it things to keep, while it is being captured.
    if (graph != nullptr) {
      *graph = capture->to_graph ? graphs.Of(capture->graph) : graphs.Add(capture->graph);
    }
    if (dependencies != nullptr) {
      *dependencies = reinterpret_cast<const CUgraphNode*>(stream->capture_tail.data());
    }
    if (edges != nullptr) {
      *edges = nullptr;
    }
    if (count != nullptr) {
      *count = stream->capture_tail.size();
    }
    return CUDA_SUCCESS;
  });
}

CUresult UpdateDependencies(CUstream handle, CUgraphNode* dependencies, size_t count,
                            unsigned flags) {
  return WithContext([&](Context&) {
    StreamPtr stream = FindStream(handle);
    if (stream == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    if (stream->capture == nullptr) {
      return CUDA_ERROR_ILLEGAL_STATE;
    }
    std::vector<Node*> list;
    for (size_t i = 0; i < count; ++i) {
      std::shared_ptr<Node> node = nodes.Find(dependencies[i]);
      if (node == nullptr || node->graph != stream->capture->graph.get()) {
        return CUDA_ERROR_INVALID_VALUE;
      }
      list.push_back(node.get());
    }
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
      stream->capture_tail.clear();
    }
    stream->capture_tail.insert(stream->capture_tail.end(), list.begin(), list.end());
    return CUDA_SUCCESS;
  });
}

}  // namespace

void Invalidate(Capture& capture) { capture.invalidated = true; }

CUresult CheckImplicit(Stream& stream) {
  ContextPtr context = stream.context.lock();
  if (!stream.legacy || active.empty() || context == nullptr) {
    return CUDA_SUCCESS;
  }
  for (const StreamPtr& blocking : BlockingStreams(*context)) {
    if (blocking->capture != nullptr) {
      Invalidate(*blocking->capture);
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
  }
  return CUDA_SUCCESS;
}

CUresult CheckUnsafe() {
  CUresult result = CUDA_SUCCESS;
  for (const std::shared_ptr<Capture>& capture : active) {
    const bool mine = capture->thread == &thread_token &&
                      capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
                      thread_mode != CU_STREAM_CAPTURE_MODE_RELAXED;
    const bool global = capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                        thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (mine || global) {
      Invalidate(*capture);
      result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  }
  return result;
}

CUresult CaptureOperation(Stream& stream, Operation operation, Node** node) {
  Capture& capture = *stream.capture;
  if (capture.invalidated) {
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  Node* added = nullptr;
  CUresult error = AddNode(*capture.graph, std::move(operation), stream.capture_tail, &added);
  if (error == CUDA_SUCCESS) {
    stream.capture_tail = {added};
    if (node != nullptr) {
      *node = added;
    }
  }
  return error;
}

void DropCapture(Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr || capture->origin != &stream) {
    return;
  }
  Leave(capture);
  stream.capture = nullptr;
  DropGraph(*capture);
}

CUresult CaptureRecord(Stream& stream, const EventPtr& event, unsigned flags) {
  if (stream.capture->invalidated) {
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  if (flags == CU_EVENT_RECORD_EXTERNAL) {
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
    operation.event = event;
    return CaptureOperation(stream, operation);
  }
  event->recorded = true;
  event->record = nullptr;
  event->capture = stream.capture;
  event->nodes = stream.capture_tail;
  return CUDA_SUCCESS;
}

CUresult CaptureWait(Stream& stream, const EventPtr& event, unsigned flags) {
  if (flags == CU_EVENT_WAIT_EXTERNAL) {
    if (stream.capture == nullptr) {
      return CUDA_ERROR_ILLEGAL_STATE;
    }
    Operation operation;
    operation.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    operation.event = event;
    return CaptureOperation(stream, operation);
  }
  std::shared_ptr<Capture> theirs = event->capture;
  if (stream.capture != nullptr && stream.capture->invalidated) {
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  if (theirs == nullptr) {  // a wait for work outside
    Invalidate(*stream.capture);
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (std::find(active.begin(), active.end(), theirs) == active.end()) {
    return CUDA_ERROR_CAPTURED_EVENT;  // its capture is over
  }
  if (stream.legacy) {
    Invalidate(*theirs);
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (stream.capture != nullptr && stream.capture != theirs) {
    Invalidate(*stream.capture);
    Invalidate(*theirs);
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (stream.capture == nullptr) {
    Join(stream, theirs);
  }
  for (Node* node : event->nodes) {
    if (std::find(stream.capture_tail.begin(), stream.capture_tail.end(), node) ==
        stream.capture_tail.end()) {
      stream.capture_tail.push_back(node);
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace fake

using namespace fake;

extern "C" {

CUresult CUDAAPI cuStreamBeginCapture(CUstream stream) {
  return Begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL, nullptr, {});
}
CUresult CUDAAPI cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return Begin(stream, mode, nullptr, {});
}
CUresult CUDAAPI cuStreamBeginCaptureToGraph(CUstream stream, CUgraph handle,
                                             const CUgraphNode* dependencies,
                                             const CUgraphEdgeData*, size_t count,
                                             CUstreamCaptureMode mode) {
  std::shared_ptr<Graph> graph;
  std::vector<Node*> list;
  {
    std::lock_guard<std::mutex> hold(lock);
    graph = graphs.Find(handle);
    for (size_t i = 0; i < count; ++i) {
      list.push_back(nodes.Find(dependencies[i]).get());
    }
  }
  const bool known = std::find(list.begin(), list.end(), nullptr) == list.end();
  return graph == nullptr || !known ? CUDA_ERROR_INVALID_VALUE : Begin(stream, mode, graph, list);
}
CUresult CUDAAPI cuStreamEndCapture(CUstream stream, CUgraph* graph) { return End(stream, graph); }

CUresult CUDAAPI cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return Info(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status,
                                        cuuint64_t* id) {
  return Info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status,
                                           cuuint64_t* id, CUgraph* graph,
                                           const CUgraphNode** dependencies, size_t* count) {
  return Info(stream, status, id, graph, dependencies, nullptr, count);
}
CUresult CUDAAPI cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* status,
                                           cuuint64_t* id, CUgraph* graph,
                                           const CUgraphNode** dependencies,
                                           const CUgraphEdgeData** edges, size_t* count) {
  return Info(stream, status, id, graph, dependencies, edges, count);
}
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies,
                                                   size_t count, unsigned int flags) {
  return UpdateDependencies(stream, dependencies, count, flags);
}
CUresult CUDAAPI cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                                      const CUgraphEdgeData*, size_t count,
                                                      unsigned int flags) {
  return UpdateDependencies(stream, dependencies, count, flags);
}
CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (mode == nullptr || *mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::swap(*mode, thread_mode);
  return CUDA_SUCCESS;
}

}  // extern "C"
