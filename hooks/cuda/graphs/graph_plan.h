// What an executable graph does: its nodes, their order, and what they access.
//
// Read from the driver when a graph is instantiated, so that captures, clones, child graphs and
// changed edges need no model of their own. Launches use a merged list, one entry a resource in the
// usual case. Not thread-safe: the executable graph's lock (graphs.h) guards it.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hooks/cuda/graphs/graph_kernels.h"
#include "hooks/cuda/graphs/graph_nodes.h"
#include "hooks/cuda/graphs/graph_order.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

class GraphHostFunction;  // graph_host_functions.h

struct PlanAccess {
  WeakRef<Resource> resource;  // empty: host memory that the driver does not know
  Access access;               // in bytes of the resource's root; absolute for host memory
  uintptr_t address = 0;       // of its first byte; 0 for arrays, which are known by handle
  uint32_t node = 0;
  const Kernel* kernel = nullptr;  // whose argument the address is; nullptr: a copy's or set's
  uint32_t argument = 0;
  // The node fails without the memory. False: what looks like an address may be none.
  bool needed = true;
  bool reported = false;  // that the memory is gone
  // In a summary: 0, or one more than the index of the part that it belongs to.
  uint32_t part = 0;
};

struct PlanNode {
  CUgraphNode handle = nullptr;
  NodeOrigin origin;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  bool enabled = true;
  bool runs_on_host = false;
  // What the driver calls; nullptr though the node runs on the host: the program's own.
  GraphHostFunction* host_function = nullptr;
  bool owns_host_function = false;  // it was given to this node of the executable graph alone
  bool waits_unseen = false;        // for values in memory, semaphores of other APIs
  bool signals_unseen = false;
  bool writes_unseen = false;  // what it writes is not known
  KernelNode kernel;
  bool kernel_changed = false;   // its arguments have not been looked at since
  uint64_t null_arguments = 0;   // a bit a pointer parameter that is NULL
  std::string flaw;              // what was found about its arguments when it was launched
  bool content_judged = true;    // what they hold has been judged
  std::vector<uint32_t> before;  // nodes that it depends on
  uint32_t inner = 0;            // of a child graph: the nodes behind this one that are its own
  std::vector<PlanAccess> accesses;
  WeakRef<RecordedEvent> records, waits_for;
  uintptr_t allocates = 0, frees = 0;  // addresses
  uint64_t bytes = 0;                  // that it allocates

  bool flawed() const { return null_arguments != 0 || !flaw.empty(); }
};

// The call that made the node, or one that says that it was not seen.
NodeOrigin OriginOrNone(const PlanNode& node);

class GraphPlan {
 public:
  // What the graph is now.
  void Read(CuCall& call, CUgraph graph);
  // The same after an update: where the nodes correspond, those of the graph that was instantiated
  // still name them.
  void ReadUpdate(CuCall& call, CUgraph graph);
  // It does nothing.
  void Clear();
  // What its nodes own, which no launch that is made from now on calls.
  std::vector<GraphHostFunction*> TakeHostFunctions();
  // A launch follows that its host functions are not told of.
  void RunUnseen();
  // Nobody knows what the executable graph does any more.
  void Forget();
  // The node of the instantiated graph; nullptr where it is not known.
  PlanNode* Find(CUgraphNode node);
  // Reads what a node does from its parameters; the list of accesses is made anew. Findings are not
  // added: what is not there may be there when the graph runs.
  void SetCopy(CuCall& call, PlanNode* node, const CUDA_MEMCPY3D& copy);
  void SetFill(CuCall& call, PlanNode* node, const CUDA_MEMSET_NODE_PARAMS& fill);
  void SetKernel(CuCall& call, PlanNode* node, const CUDA_KERNEL_NODE_PARAMS& kernel);
  void SetOperations(PlanNode* node, const CUstreamBatchMemOpParams* operations, unsigned count);
  void SetEvent(CuCall& call, PlanNode* node, CUevent event, bool record);
  void SetHostFunction(PlanNode* node, GraphHostFunction* function, bool owned);
  // The nodes of the child graph do what those of the graph do, which must be built alike: they
  // keep their handles, their order, and whether they are enabled. Forgets all where they are not.
  void SetChild(CuCall& call, PlanNode* node, CUgraph graph);
  void Enable(PlanNode* node, bool enabled) {
    node->enabled = enabled;
    kernels_changed_ |= enabled && node->kernel_changed;
    Change();
  }

  // Before a launch: looks at the arguments of kernel nodes that have changed, and adds findings
  // for those that point nowhere they could.
  void LookAtKernels(CuCall& call);

  // Of all enabled nodes together, up to date with the last change.
  struct Summary {
    struct HostFunction {
      GraphHostFunction* function = nullptr;  // as in PlanNode; all of those are one
      uint32_t runs = 0;                      // nodes
      uint64_t parts = 0;                     // a bit a part that is complete when it is called
    };
    std::vector<HostFunction> host_functions;
    // Nodes that the same host functions are behind are a part; those that none is behind are in
    // none. A part comes before those that the same functions and fewer are behind.
    size_t parts = 0;
    // A bit a part that nodes of this one are behind, without those that others of them are behind.
    std::vector<uint64_t> behind;
    bool waits_unseen = false;
    bool signals_unseen = false;
    bool writes_unseen = false;
    std::vector<PlanAccess> accesses;  // merged by resource
    std::vector<uint32_t> events;      // nodes that record or wait for events
    std::vector<uint32_t> memory;      // nodes that allocate or free what outlives a launch
  };
  Summary& summary();
  const PlanNode& node(uint32_t index) const { return nodes_[index]; }
  // Of what it does; later ones differ, also when it has become another graph's.
  uint64_t version() const { return version_; }
  void Change() {
    merged_ = false;
    ++version_;
  }
  // Kernels, copies and fills, what may run last first: at most `most`, and rather those with
  // flaws. `*count`: all there are.
  std::vector<const PlanNode*> LastNodes(size_t most, size_t* count) const;

  // Reports reads of bytes that nothing has written, and pairs of nodes that no edges order and
  // that access the same bytes, as far as both are certain. Once for each change.
  void Judge(CuCall& call);
  // The resource of an access that is to be made now. Memory that was freed and given out again is
  // what the address means; adds a finding, once, if there is none.
  Resource* Resolve(CuCall& call, PlanAccess* access);

 private:
  void ReadGraph(CuCall& call, CUgraph graph, int64_t parent);
  void ReadNode(CuCall& call, PlanNode* node);
  // The nodes from `begin` on, which are a child graph's, and those of `graph` are of one type and
  // order, pair by pair.
  bool IsBuiltAs(const GraphPlan& graph, uint32_t begin) const;
  void ReadEdges(CUgraph graph, const std::vector<CUgraphNode>& handles,
                 const std::vector<uint32_t>& entries, const std::vector<uint32_t>& exits);
  void Add(PlanNode* node, const Side& side, bool write);
  void Merge();
  // The parts of the graph: for each node the set of host functions behind it, as `sets_` has them.
  std::vector<uint64_t> Divide();
  void OrderParts(const std::vector<uint64_t>& behind);
  uint32_t PartOf(const std::vector<uint64_t>& behind, uint32_t node) const;
  // Kernels that nothing orders and that are given the same address may each keep to its own part:
  // their accesses then count for lifetime alone.
  void HoldSharedBases();
  void JudgeContent(CuCall& call);
  void JudgeKernelContent(CuCall& call, const std::set<const Resource*>& written);
  void JudgeOrder(CuCall& call);

  std::vector<PlanNode> nodes_;
  std::optional<NodeOrder> order_;  // empty: not known
  bool order_known_ = true;
  bool kernels_changed_ = false;
  size_t last_found_ = 0;  // changes come in the order of the nodes
  bool merged_ = false;
  bool judged_ = false;
  uint64_t version_ = 0;
  Summary summary_;
  std::vector<uint64_t> sets_;  // by part
};

}  // namespace gpusan::cuda
