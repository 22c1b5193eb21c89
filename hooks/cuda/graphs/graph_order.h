// Which nodes of a graph come before which.
//
// Nodes are put into chains, each of which is totally ordered; a node knows for each chain how far
// it is behind it. A graph of one chain costs a number a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gpusan::cuda {

// Value type, not thread-safe.
class NodeOrder {
 public:
  // `nodes`: each with `before`, the indexes of those it depends on.
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
    std::vector<uint32_t> ends;  // of the chains: the last place
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

  // False where there are too many chains to keep, or a circle.
  bool known() const { return known_; }
  // Of any two nodes one comes before the other.
  bool total() const { return chains_ <= 1; }
  // Of a node in one of the orders that the edges allow.
  uint32_t Number(uint32_t node) const { return places_[node].number; }
  // One of the two comes before the other.
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
    uint32_t at = 0;  // from 1 on
    uint32_t number = 0;
  };
  std::vector<Place> places_;
  std::vector<std::vector<uint32_t>> reached_;  // by chain, the last place that is not behind it
  size_t chains_ = 0;
  bool known_ = false;
};

}  // namespace gpusan::cuda
