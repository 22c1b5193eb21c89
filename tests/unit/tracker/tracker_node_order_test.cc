// Which nodes of a graph come before which.
#include <catch2/catch.hpp>

#include "tracker/order/node_order.h"

namespace gpusan {
namespace {

struct Node {
  std::vector<uint32_t> before;
};
using Nodes = std::vector<Node>;

TEST_CASE("a chain is ordered, whatever the order of its nodes is") {
  const NodeOrder order(Nodes{{{1}}, {{2}}, {{}}});
  REQUIRE(order.known());
  CHECK(order.Before(2, 0));
  CHECK_FALSE(order.Before(0, 2));
  CHECK(order.Ordered(0, 1));
  CHECK(order.total());
}

TEST_CASE("the branches of a diamond are not ordered, but its ends are") {
  const NodeOrder order(Nodes{{{}}, {{0}}, {{0}}, {{1, 2}}});
  REQUIRE(order.known());
  CHECK_FALSE(order.Ordered(1, 2));
  CHECK_FALSE(order.total());
  CHECK(order.Before(0, 3));
  CHECK(order.Before(1, 3));
  CHECK(order.Before(2, 3));
}

TEST_CASE("a total order stays total with further edges") {
  CHECK(NodeOrder(Nodes{{{}}, {{0}}, {{0, 1}}, {{2, 0}}}).total());
  CHECK(NodeOrder(Nodes{}).total());
}

TEST_CASE("an edge given twice is one edge") {
  const NodeOrder order(Nodes{{{}}, {{0, 0}}});
  CHECK(order.known());
  CHECK(order.Before(0, 1));
}

TEST_CASE("circles, and more branches than the limit, are unknown") {
  CHECK_FALSE(NodeOrder(Nodes{{{1}}, {{0}}}).known());
  CHECK_FALSE(NodeOrder(Nodes(1000)).known());
  CHECK(NodeOrder(Nodes(100)).known());
}

TEST_CASE("the order agrees with a search along the edges") {
  // A fixed graph that looks random: node i may depend on earlier ones.
  Nodes nodes(60);
  uint32_t state = 12345;
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    for (uint32_t before = i > 8 ? i - 8 : 0; before < i; ++before) {
      state = state * 1664525 + 1013904223;
      if (state >> 30 == 0) nodes[i].before.push_back(before);
    }
  }
  const NodeOrder order(nodes);
  REQUIRE(order.known());
  for (uint32_t target = 0; target < nodes.size(); ++target) {
    std::vector<bool> reached(nodes.size());
    std::vector<uint32_t> rest = nodes[target].before;
    while (!rest.empty()) {
      const uint32_t node = rest.back();
      rest.pop_back();
      if (reached[node]) continue;
      reached[node] = true;
      rest.insert(rest.end(), nodes[node].before.begin(), nodes[node].before.end());
    }
    for (uint32_t node = 0; node < nodes.size(); ++node) {
      if (node == target) continue;
      CAPTURE(node, target);
      CHECK(order.Before(node, target) == reached[node]);
    }
  }
}

}  // namespace
}  // namespace gpusan
