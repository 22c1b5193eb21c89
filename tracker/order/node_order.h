// The order of the nodes of a graph, or of the commands of a command buffer.
//
// Nodes are divided into chains; each chain is totally ordered. A node stores for each chain the
// last node that precedes it. A graph of one chain costs one number for each node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gpusan {

// Value type, not thread-safe.
class NodeOrder {
 public:
  // `nodes`: each has `before`, the indexes of the nodes that it depends on.
  template <typename Nodes>
  explicit NodeOrder(const Nodes& nodes) : places_(nodes.size()), reached_(nodes.size()) {
    const size_t count = nodes.size();
    std::vector<uint32_t> waiting(count), next;
    std::vector<std::vector<uint32_t>> after(count);
    for (uint32_t i = 0; i < count; ++i) {
      waiting[i] = static_cast<uint32_t>(nodes[i].before.size());
      for (uint32_t before : nodes[i].before) after[before].push_back(i);
      if (waiting[i] == 0) next.push_back(i);
    }
    std::vector<uint32_t> ends;  // for each chain, its last position
    uint32_t done = 0;
    for (; done < next.size(); ++done) {
      const uint32_t node = next[done];
      std::vector<uint32_t>& reached = reached_[node];
      Place& place = places_[node];
      place.number = done;
      bool placed = false;
      for (uint32_t before : nodes[node].before) {
        const std::vector<uint32_t>& theirs = reached_[before];
        if (reached.size() < theirs.size()) reached.resize(theirs.size());
        for (size_t chain = 0; chain < theirs.size(); ++chain)
          reached[chain] = std::max(reached[chain], theirs[chain]);
        const Place& behind = places_[before];
        if (!placed && ends[behind.chain] == behind.at) {
          place.chain = behind.chain;
          placed = true;
        }
      }
      if (!placed) {
        if (ends.size() == kMaxChains) return;
        place.chain = static_cast<uint32_t>(ends.size());
        ends.push_back(0);
      }
      place.at = ++ends[place.chain];
      if (reached.size() <= place.chain) reached.resize(place.chain + 1);
      reached[place.chain] = place.at;
      for (uint32_t later : after[node]) {
        if (--waiting[later] == 0) next.push_back(later);
      }
    }
    known_ = done == count;
    chains_ = ends.size();
  }

  // False if there are too many chains to store, or a cycle.
  bool known() const { return known_; }
  // True if the nodes are totally ordered.
  bool total() const { return chains_ <= 1; }
  // Returns the position of a node in one of the orders that the edges permit.
  uint32_t Number(uint32_t node) const { return places_[node].number; }
  // True if one of the two nodes precedes the other.
  bool Ordered(uint32_t a, uint32_t b) const { return Before(a, b) || Before(b, a); }
  bool Before(uint32_t a, uint32_t b) const {
    const Place& place = places_[a];
    const std::vector<uint32_t>& reached = reached_[b];
    return place.chain < reached.size() && reached[place.chain] >= place.at;
  }

 private:
  static constexpr size_t kMaxChains = 256;
  struct Place {
    uint32_t chain = 0;
    uint32_t at = 0;  // starts at 1
    uint32_t number = 0;
  };
  std::vector<Place> places_;
  // for each chain, the last position that precedes the node or is its own
  std::vector<std::vector<uint32_t>> reached_;
  size_t chains_ = 0;
  bool known_ = false;
};

}  // namespace gpusan
