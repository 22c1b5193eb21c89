// The plan of an executable graph: its nodes, their order, and their accesses.
//
// The plan is read from the driver at instantiation, so that captures, clones, child graphs and
// changed edges need no model of their own. Launches use a merged list, usually with one entry for
// each resource. Not thread-safe: guarded by the executable graph's lock (graphs.h).
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hooks/cuda/graphs/graph_kernels.h"
#include "hooks/cuda/graphs/graph_nodes.h"
#include "hooks/cuda/streams/contexts.h"
#include "hooks/cuda/streams/external_waits.h"
#include "tracker/order/node_order.h"

namespace gpusan::cuda {

class GraphHostFunction;  // graph_host_functions.h

struct PlanAccess {
  WeakRef<Resource> resource;  // empty: host memory that the driver does not know
  Access access;               // in bytes of the root resource; absolute addresses for host memory
  uintptr_t address = 0;       // of the first byte; 0 for arrays, which are identified by handle
  uint32_t node = 0;
  // the kernel whose argument holds the address; nullptr: a copy or set
  const Kernel* kernel = nullptr;
  uint32_t argument = 0;
  // True if the node fails without the memory. False if the value may not be an address.
  bool needed = true;
  bool reported = false;  // a finding says that the memory was freed
  // Of a kernel, in bytes of the root resource: it gives no values to other bytes. `bounded` false:
  // it may write the whole resource.
  bool bounded = false;
  ByteRange written;
  // In a summary: the index of its part plus one; 0: no part.
  uint32_t part = 0;
};

struct PlanNode {
  CUgraphNode handle = nullptr;
  NodeOrigin origin;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  bool enabled = true;
  bool runs_on_host = false;
  // The function that the driver calls; nullptr for nodes on the host: the program's own.
  GraphHostFunction* host_function = nullptr;
  bool owns_host_function = false;  // only this node of the executable graph uses host_function
  bool waits_unseen = false;        // waits for values in memory or semaphores of other APIs
  bool signals_unseen = false;
  bool writes_unseen = false;           // writes unknown memory
  std::vector<MemoryOperation> values;  // that the node writes to memory
  KernelNode kernel;
  bool kernel_changed = false;   // the arguments have changed since LookAtKernels
  bool library_changed = false;  // a node of its library call (NodeOrigin::uses) has changed
  uint64_t null_arguments = 0;   // one bit for each pointer parameter that is NULL
  std::string flaw;              // the findings about its arguments at the launch
  bool stale = false;            // a finding says that the node uses what no longer exists
  bool content_checked = true;   // the content of its memory has been checked
  std::vector<uint32_t> before;  // nodes that it depends on
  uint32_t inner = 0;  // for a child graph node: the number of following nodes that belong to it
  std::vector<PlanAccess> accesses;
  std::vector<OwnUse> own;  // certain accesses of memory that the graph allocates
  WeakRef<RecordedEvent> records, waits_for;
  uintptr_t allocates = 0, frees = 0;  // addresses
  uint64_t bytes = 0;                  // that the node allocates

  bool flawed() const { return null_arguments != 0 || !flaw.empty(); }
};

// Returns the call that created the node, or a placeholder for calls that gpusan did not see.
NodeOrigin OriginOrNone(const PlanNode& node);

class GraphPlan {
 public:
  // Reads the graph as it is now.
  void Read(CuCall& call, CUgraph graph);
  // As Read, after an update: where the nodes correspond, the nodes of the originally instantiated
  // graph keep naming them.
  void ReadUpdate(CuCall& call, CUgraph graph);
  // Makes the plan empty.
  void Clear();
  // Returns the replacements that the nodes own and that no later launch calls.
  std::vector<GraphHostFunction*> TakeHostFunctions();
  // Announces a launch whose calls of host functions are not counted.
  void RunUnseen();
  // Makes the plan unknown.
  void Forget();
  // Returns the node for a node of the instantiated graph; nullptr if it is unknown.
  PlanNode* Find(CUgraphNode node);
  // Reads the accesses of a node from its parameters and rebuilds the list of accesses. Adds no
  // findings: memory that does not exist now may exist when the graph runs.
  void SetCopy(CuCall& call, PlanNode* node, const CUDA_MEMCPY3D& copy);
  void SetFill(CuCall& call, PlanNode* node, const CUDA_MEMSET_NODE_PARAMS& fill);
  void SetKernel(CuCall& call, PlanNode* node, const CUDA_KERNEL_NODE_PARAMS& kernel);
  void SetOperations(PlanNode* node, const CUstreamBatchMemOpParams* operations, unsigned count);
  void SetEvent(CuCall& call, PlanNode* node, CUevent event, bool record);
  void SetHostFunction(PlanNode* node, GraphHostFunction* function, bool owned);
  // Gives the nodes of the child graph the parameters of the nodes of `graph`, which must have the
  // same structure: handles, order and enabled state stay. Makes the plan unknown if the structures
  // differ.
  void SetChild(CuCall& call, PlanNode* node, CUgraph graph);
  void Enable(PlanNode* node, bool enabled) {
    node->enabled = enabled;
    kernels_changed_ |= (enabled && node->kernel_changed) || node->origin.uses != nullptr;
    unloads_ = 0;
    Change();
  }

  // Before a launch: resolves the arguments of kernel nodes that have changed, and adds findings
  // for invalid pointers.
  void LookAtKernels(CuCall& call);

  // All enabled nodes merged, valid until the next change.
  struct Summary {
    struct HostFunction {
      // as in PlanNode; nodes with the same function are merged
      GraphHostFunction* function = nullptr;
      uint32_t runs = 0;   // number of nodes
      uint64_t parts = 0;  // one bit for each part that is complete when the function is called
    };
    std::vector<HostFunction> host_functions;
    struct Record {
      uint32_t node = 0;   // that records an event
      uint64_t parts = 0;  // one bit for each part that is complete when the event is
    };
    std::vector<Record> records;
    // Nodes that the same set of host functions and events waits for form a part; nodes that none
    // waits for are in no part. A part precedes the parts that a proper subset of the set waits
    // for.
    size_t parts = 0;
    // One bit for each part that directly precedes this one.
    std::vector<uint64_t> behind;
    bool waits_unseen = false;
    bool signals_unseen = false;
    bool writes_unseen = false;
    std::vector<PlanAccess> accesses;  // merged by resource
    std::vector<MemoryOperation> values;
    std::vector<uint32_t> waits;   // nodes that wait for events
    std::vector<uint32_t> memory;  // nodes that allocate or free memory which outlives a launch
  };
  Summary& summary();
  const PlanNode& node(uint32_t index) const { return nodes_[index]; }
  // The version of the plan; differs after each change and when the object is reused for another
  // graph.
  uint64_t version() const { return version_; }
  void Change() {
    merged_ = false;
    ++version_;
  }
  // Returns at most `most` kernels, copies and fills, the likely last ones first, and those with
  // flaws preferred. `*count`: the number of all of them.
  std::vector<const PlanNode*> LastNodes(size_t most, size_t* count) const;

  // Reports kernels of unloaded modules, and values that go to freed memory. Call it at each
  // launch.
  void CheckLifetimes(CuCall& call);
  // Reports reads of bytes that nothing has written, and unordered pairs of nodes that access the
  // same bytes, where both accesses are certain. Reports once after each change.
  void Check(CuCall& call);
  // Returns the resource of an access that happens now. If memory was freed and allocated again,
  // the address means the new resource. Adds one finding if there is none.
  Resource* Resolve(CuCall& call, PlanAccess* access);

 private:
  void ReadGraph(CuCall& call, CUgraph graph, int64_t parent);
  void ReadNode(CuCall& call, PlanNode* node);
  void SetAllocation(CuCall& call, PlanNode* node, const CUDA_MEM_ALLOC_NODE_PARAMS& params);
  // True if the nodes from `begin` on, which belong to a child graph, and those of `graph` have the
  // same types and order.
  bool IsBuiltAs(const GraphPlan& graph, uint32_t begin) const;
  void ReadEdges(CUgraph graph, const std::vector<CUgraphNode>& handles,
                 const std::vector<uint32_t>& entries, const std::vector<uint32_t>& exits);
  void Add(PlanNode* node, const Side& side, bool write);
  // Makes LookAtKernels read all nodes of a library call again if one of them differs from the node
  // that the call added, or if the call failed. Then the accesses of the call are not known.
  void LookAtLibraries();
  // Adds the accesses of the library call to its last node.
  void AddLibraryUses(CuCall& call, PlanNode* node);
  // Returns whether the address lies in memory that a node allocates. The driver knows such an
  // address only while the memory outlives a launch.
  bool IsOwn(uintptr_t address) const;
  void Merge();
  // Divides the graph into parts: returns for each node the set of host functions and events that
  // wait for it, as a bit mask.
  std::vector<uint64_t> Divide();
  void OrderParts(const std::vector<uint64_t>& behind);
  uint32_t PartOf(const std::vector<uint64_t>& behind, uint32_t node) const;
  // Unordered kernels that get the same address may each use a part of its own: limits their
  // accesses to checks of lifetime.
  void HoldSharedBases();
  void CheckContent(CuCall& call);
  // Reports certain writes of mapped memory that no device may write now.
  void CheckProtection(CuCall& call);
  void CheckKernelContent(CuCall& call, const std::set<const Resource*>& written);
  void CheckOrder(CuCall& call);
  // Reports uses of memory that a node allocates, unless they come before the node that frees it.
  void CheckOwnMemory(CuCall& call);
  // Reports that the node uses the object, which has been released, once.
  void ReportStale(CuCall& call, PlanNode* node, const Object* object, uintptr_t address);

  std::vector<PlanNode> nodes_;
  std::vector<AddressRange> own_;   // that the nodes allocate
  std::optional<NodeOrder> order_;  // empty: unknown
  bool order_known_ = true;
  bool kernels_changed_ = false;
  uint32_t unloads_ = 0;   // the unloads of modules that CheckLifetimes has seen
  size_t last_found_ = 0;  // changes come in the order of the nodes
  bool merged_ = false;
  bool checked_ = false;
  uint64_t version_ = 0;
  Summary summary_;
  std::vector<uint64_t> sets_;  // indexed by part
};

}  // namespace gpusan::cuda
