// The origin of graph nodes: the call that created each of them.
//
// The structure of graphs is read from the driver at instantiation. Thread-safe.
#pragma once

#include <cuda.h>

#include <memory>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/libraries/captured_uses.h"

namespace gpusan::cuda {

struct NodeOrigin {
  const CallInfo* call = nullptr;  // static; nullptr: unknown
  SiteId site = kUnknownSite;
  // A kernel node that a library call added: the accesses of the call, and the index of the node
  // among its kernel nodes. The last one makes the accesses.
  std::shared_ptr<const CapturedUses> uses;
  size_t part = 0;
};

// Records the call as the origin of the node, unless the node has an origin. In a library call, the
// origin is the library call.
void NoteNode(CuCall& call, CUgraphNode node);
// Records the call as the origin of a node that it created.
void NoteNewNode(CuCall& call, CUgraphNode node);
NodeOrigin OriginOf(CUgraphNode node);
// Drops the origins of the graph's nodes and of its child graphs' nodes; before the graph is
// destroyed.
void ForgetNodesOf(CUgraph graph);
void ForgetNode(CUgraphNode node);
// Copies the origins from the nodes of a graph, and of its child graphs, to those of a clone.
void CopyOrigins(CUgraph original, CUgraph copy);
// As CopyOrigins, for the copy in a child graph node that was just added. A moved child graph is
// not copied.
void CopyOriginsOfChild(CUgraph child, CUgraphNode node);
// Returns the nodes that the driver lists; empty if the query fails.
std::vector<CUgraphNode> NodesOf(CUgraph graph);

}  // namespace gpusan::cuda
