// Graphs, their executable form and stream capture.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_GRAPHS_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_GRAPHS_H_

#include <cuda.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "operations.h"
#include "state.h"

namespace fake {

struct Node {
  Operation operation;
  Graph* graph = nullptr;
  std::vector<Node*> dependencies;
  const Node* origin = nullptr;  // the node that this one was cloned from
  bool enabled = true;
};

struct Graph {
  std::vector<std::shared_ptr<Node>> nodes;
  bool is_child = false;  // owned by a node
};

constexpr int kBranches = 4;

struct GraphExec {
  std::shared_ptr<Graph> graph;  // a copy of its own
  std::weak_ptr<Context> context;
  Lane lanes[kBranches];
  TaskPtr last;  // the end of the last launch
  unsigned long long flags = 0;
};

struct Capture {
  std::shared_ptr<Graph> graph;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  const void* thread = nullptr;
  Stream* origin = nullptr;
  std::vector<std::weak_ptr<Stream>> streams;
  bool invalidated = false;
  uint64_t id = 0;
  bool to_graph = false;  // cuStreamBeginCaptureToGraph: the graph is the program's
};

extern Handles<CUgraph, Graph>& graphs;
extern Handles<CUgraphNode, Node>& nodes;
extern Handles<CUgraphExec, GraphExec>& graph_execs;

// Adds a node and makes its handle valid. CUDA_ERROR_INVALID_VALUE when a dependency is not of the
// graph.
CUresult AddNode(Graph& graph, Operation operation, const std::vector<Node*>& dependencies,
                 Node** node);
// A deep copy. `originals` gets the copies by what they were made from.
std::shared_ptr<Graph> Clone(const Graph& graph, std::map<const Node*, Node*>* copies);
// Makes the handles of the graph's nodes invalid.
void Forget(Graph& graph);
// The nodes in an order that their edges allow; empty when there is a cycle.
std::vector<Node*> Ordered(const Graph& graph);
// Submits one launch.
CUresult LaunchGraph(GraphExec& exec, Stream& stream);

// Memory of an allocation node: it has its address at once and can be used once the node has run.
CUresult AllocateForGraph(Context& context, size_t bytes, CUdeviceptr* pointer);

// The stream is being captured: the operation becomes a node.
CUresult CaptureOperation(Stream& stream, Operation operation, Node** node = nullptr);
CUresult CaptureRecord(Stream& stream, const EventPtr& event, unsigned flags);
CUresult CaptureWait(Stream& stream, const EventPtr& event, unsigned flags);
// The capture can only be ended from here on.
void Invalidate(Capture& capture);

// From and to the driver's descriptions of nodes.
CUresult KernelOperation(const CUDA_KERNEL_NODE_PARAMS& parameters, Operation* operation);
CUresult CopyOperation(const CUDA_MEMCPY3D* parameters, Operation* operation);
CUresult FillOperation(const CUDA_MEMSET_NODE_PARAMS* parameters, Operation* operation);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_GRAPHS_H_
