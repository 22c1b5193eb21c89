// Dominators of a graph, by Cooper, Harvey and Kennedy.
#include "tracker/model/dominators.h"

#include <algorithm>
#include <cstddef>

namespace gpusan {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

// The reachable nodes, most predecessors first. Without recursion, since graphs may be deep.
std::vector<uint32_t> ReversePostorder(const Edges& successors, uint32_t root) {
  struct Visit {
    uint32_t node;
    size_t next = 0;
  };
  std::vector<uint32_t> order;
  std::vector<bool> seen(successors.size());
  std::vector<Visit> stack{{root}};
  seen[root] = true;
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.next == successors[visit.node].size()) {
      order.push_back(visit.node);
      stack.pop_back();
      continue;
    }
    const uint32_t next = successors[visit.node][visit.next++];
    if (seen[next]) continue;
    seen[next] = true;
    stack.push_back({next});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

std::vector<uint32_t> ImmediateDominators(const Edges& successors, uint32_t root) {
  const std::vector<uint32_t> order = ReversePostorder(successors, root);
  // Nodes by their place in the order.
  std::vector<uint32_t> place(successors.size(), kNoDominator);
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  Edges before(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    for (const uint32_t next : successors[order[i]]) before[place[next]].push_back(i);
  }
  std::vector<uint32_t> above(order.size(), kNoDominator);
  above[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < order.size(); ++i) {
      uint32_t common = kNoDominator;
      for (uint32_t from : before[i]) {
        if (above[from] == kNoDominator) continue;
        if (common == kNoDominator) common = from;
        while (common != from) {
          uint32_t& later = common > from ? common : from;
          later = above[later];
        }
      }
      changed |= above[i] != common;
      above[i] = common;
    }
  }
  std::vector<uint32_t> dominators(successors.size(), kNoDominator);
  for (uint32_t i = 0; i < order.size(); ++i) dominators[order[i]] = order[above[i]];
  return dominators;
}

}  // namespace gpusan
