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
  std::vector<void*> argument_pointers;  // what a query of the kernel's parameters was given
};

// What a program gave graphs to keep alive. Thread-safe.
struct UserObject;

// References to user objects, which are copied and go with their owner.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences& operator=(UserReferences other);
  ~UserReferences();
  void Take(UserObject& object, unsigned count);  // they have been counted
  bool Release(UserObject& object, unsigned count);

 private:
  std::map<UserObject*, unsigned> counts_;
};

struct Graph {
  std::vector<std::shared_ptr<Node>> nodes;
  UserReferences references;
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
  bool over = false;
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
// Makes the handles of the graph's nodes, and of the child graphs in it, valid.
void Publish(const Graph& graph);
// ... and invalid.
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
// The stream is being destroyed: a capture that began in it ends without a graph.
void DropCapture(Stream& stream);

// From the driver's description of a node. A memory allocation gets its address, which is written
// to the description.
CUresult OperationOf(CUgraphNodeParams* parameters, Operation* operation);
// From the descriptions that the functions for one type of node take.
CUgraphNodeParams DescribeKernel(const CUDA_KERNEL_NODE_PARAMS_v1& kernel);
CUgraphNodeParams DescribeKernel(const CUDA_KERNEL_NODE_PARAMS& kernel);
CUgraphNodeParams DescribeCopy(const CUDA_MEMCPY3D& copy);
CUgraphNodeParams DescribeFill(const CUDA_MEMSET_NODE_PARAMS& fill);
CUgraphNodeParams DescribeHost(const CUDA_HOST_NODE_PARAMS& host);
CUgraphNodeParams DescribeEvent(CUgraphNodeType type, CUevent event);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_GRAPHS_H_
