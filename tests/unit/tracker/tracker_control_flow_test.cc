// Dominators, and what ControlFlow derives from them, against their definitions on random graphs.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "tracker/model/control_flow.h"
#include "tracker/model/dominators.h"

namespace gpusan {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;

// The nodes that a path from `root` reaches without passing `without`.
std::vector<bool> Reach(const Edges& edges, uint32_t root, uint32_t without) {
  std::vector<bool> reached(edges.size());
  std::vector<uint32_t> open;
  if (root != without) open.push_back(root);
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (reached[node]) continue;
    reached[node] = true;
    for (const uint32_t next : edges[node]) {
      if (next != without) open.push_back(next);
    }
  }
  return reached;
}

Edges RandomGraph(std::mt19937* random) {
  const uint32_t count = 2 + (*random)() % 9;
  Edges edges(count);
  for (std::vector<uint32_t>& successors : edges) {
    for (uint32_t left = (*random)() % 3; left != 0; --left)
      successors.push_back((*random)() % count);
  }
  return edges;
}

TEST_CASE("dominators match their definition") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Edges edges = RandomGraph(&random);
    const auto count = static_cast<uint32_t>(edges.size());
    const std::vector<uint32_t> dominators = ImmediateDominators(edges, 0);
    const std::vector<bool> reachable = Reach(edges, 0, count);
    CHECK(dominators[0] == 0u);
    for (uint32_t node = 1; node < count; ++node) {
      if (!reachable[node]) {
        CHECK(dominators[node] == kNoDominator);
        continue;
      }
      // The dominators of a node are its immediate one and the dominators of that.
      for (uint32_t by = 0; by < count; ++by) {
        if (by == node) continue;
        uint32_t above = node;
        do {
          above = dominators[above];
        } while (above != by && above != 0);
        const bool passes = !Reach(edges, 0, by)[node];
        CHECK((above == by) == passes);
      }
    }
  }
}

TEST_CASE("control flow matches the definition of paths") {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const Edges edges = RandomGraph(&random);
    const auto count = static_cast<uint32_t>(edges.size());
    const ControlFlow flow(edges);
    REQUIRE(flow.known());
    for (uint32_t by = 0; by < count; ++by) {
      const std::vector<bool> around = Reach(edges, 0, by);
      for (uint32_t block = 0; block < count; ++block) {
        CHECK(flow.Dominates(by, block) != around[block]);
        const std::vector<bool> behind = Reach(edges, block, by);
        bool ends = false;
        for (uint32_t end = 0; end < count; ++end) ends |= behind[end] && edges[end].empty();
        CHECK(flow.Follows(by, block) != ends);
      }
    }
  }
}

TEST_CASE("outer loops come first") {
  // 0 -> 1 -> 2 -> 3, with ways back from 2 to 2 and from 3 to 1; 4 is the end.
  const ControlFlow flow({{1}, {2}, {2, 3}, {1, 4}, {}});
  REQUIRE(flow.loops().size() == 2u);
  CHECK(flow.loops()[0].header == 1u);
  CHECK(flow.loops()[0].latch == 3u);
  CHECK(flow.loops()[1].header == 2u);
  CHECK(flow.loops()[1].latch == 2u);
}

TEST_CASE("a function of too many blocks is unknown") {
  CHECK_FALSE(ControlFlow(Edges(601)).known());
  CHECK_FALSE(ControlFlow(Edges()).known());
}

}  // namespace
}  // namespace gpusan
