// Where the nodes of graphs come from: the call that made each of them.
//
// The structure of graphs is the driver's; it is asked when a graph is instantiated. Thread-safe.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

struct NodeOrigin {
  const CallInfo* call = nullptr;  // static; nullptr: not seen
  SiteId site = kUnknownSite;
};

// The node is the call's doing, unless another call's is known to have made it.
void NoteNode(CuCall& call, CUgraphNode node);
// The call has just made it.
void NoteNewNode(CuCall& call, CUgraphNode node);
NodeOrigin OriginOf(CUgraphNode node);
// Before the graph is destroyed, and with it its nodes and those of child graphs.
void ForgetNodesOf(CUgraph graph);
void ForgetNode(CUgraphNode node);
// The nodes of the copy come from where the original's do, those of child graphs too.
void CopyOrigins(CUgraph original, CUgraph copy);
// The same for the node that a child graph has just been added by. A moved child is the same graph.
void CopyOriginsOfChild(CUgraph child, CUgraphNode node);
// What the driver says; empty where it cannot tell.
std::vector<CUgraphNode> NodesOf(CUgraph graph);

}  // namespace gpusan::cuda
