// The merged accesses of an executable graph, which its launches use (graph_plan.h).
#include <algorithm>
#include <bit>
#include <map>

#include "hooks/cuda/graphs/graph_plan.h"

namespace gpusan::cuda {
namespace {

// Separate regions of one resource that are kept; more are merged into one inexact region.
constexpr size_t kMaxParts = 6;
// Maximum of copies whose host memory is compared.
constexpr size_t kMaxHostParts = 256;

bool SamePart(const Access& a, const Access& b) {
  return a.region == b.region && a.write == b.write && a.read == b.read &&
         a.sureness == b.sureness && a.may_offset == b.may_offset;
}

// Merges two accesses into one with inexact bytes.
void Widen(Access* access, const Access& other) {
  const uint64_t begin = std::min(access->region.offset, other.region.offset);
  const uint64_t end = std::max(access->region.end(), other.region.end());
  access->region = Region::Linear(begin, end - begin);
  access->sureness = std::max({access->sureness, other.sureness, Sureness::kExtent});
  access->may_offset = true;
  access->write |= other.write;
  access->read |= other.read;
}

// Adds the bytes that another kernel may write.
void WidenWritten(PlanAccess* access, const PlanAccess& other) {
  access->bounded &= other.bounded;
  access->written.begin = std::min(access->written.begin, other.written.begin);
  access->written.end = std::max(access->written.end, other.written.end);
}

// Further host functions and events are merged into one; all of their nodes precede it.
constexpr size_t kMaxHostBits = 64;
constexpr size_t kMaxHostSets = Stream::kMaxBranches;

}  // namespace

std::vector<const PlanNode*> GraphPlan::LastNodes(size_t most, size_t* count) const {
  std::vector<uint32_t> indexes;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const CUgraphNodeType type = nodes_[i].type;
    if (nodes_[i].enabled &&
        (type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
         type == CU_GRAPH_NODE_TYPE_MEMSET))
      indexes.push_back(i);
  }
  auto number = [&](uint32_t node) { return order_.has_value() ? order_->Number(node) : node; };
  std::sort(indexes.begin(), indexes.end(),
            [&](uint32_t a, uint32_t b) { return number(a) > number(b); });
  *count = indexes.size();
  size_t flawed = 0;
  for (uint32_t i : indexes) flawed += nodes_[i].flawed();
  size_t others = most - std::min(most, flawed);
  std::vector<const PlanNode*> last;
  for (uint32_t i : indexes) {
    if (last.size() == most) break;
    if (!nodes_[i].flawed() && (others == 0 || others-- == 0)) continue;
    last.push_back(&nodes_[i]);
  }
  return last;
}

GraphPlan::Summary& GraphPlan::summary() {
  if (!merged_) Merge();
  return summary_;
}

void GraphPlan::HoldSharedBases() {
  constexpr size_t kMaxCompared = 256;  // beyond that an address counts as shared
  std::map<uintptr_t, std::vector<PlanAccess*>> by_address;
  for (PlanNode& node : nodes_) {
    if (!node.enabled) continue;
    for (PlanAccess& access : node.accesses) {
      if (access.kernel != nullptr && access.address != 0)
        by_address[access.address].push_back(&access);
    }
  }
  for (auto& [address, accesses] : by_address) {
    bool shared = accesses.size() > kMaxCompared;
    for (size_t i = 0; i < accesses.size() && !shared; ++i) {
      for (size_t j = i + 1; j < accesses.size() && !shared; ++j) {
        shared = accesses[i]->node != accesses[j]->node &&
                 !order_->Ordered(accesses[i]->node, accesses[j]->node);
      }
    }
    if (!shared) continue;
    for (PlanAccess* access : accesses) {
      // If the bytes follow from the code of the kernel, a common base does not mean that arguments
      // are offsets.
      if (access->access.sureness != Sureness::kDerived) access->access.sureness = Sureness::kHeld;
    }
  }
}

std::vector<uint64_t> GraphPlan::Divide() {
  sets_.clear();
  std::vector<uint32_t> waiters;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].runs_on_host) waiters.push_back(i);
  }
  const size_t functions = waiters.size();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].records.object != nullptr) waiters.push_back(i);
  }
  if (waiters.empty()) return {};
  std::vector<uint64_t> behind(nodes_.size());
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].accesses.empty() || !nodes_[i].enabled) continue;
    for (size_t w = 0; w < waiters.size(); ++w) {
      if (!order_.has_value() || order_->Before(i, waiters[w]))
        behind[i] |= uint64_t{1} << std::min(w, kMaxHostBits - 1);
    }
    if (behind[i] != 0 && std::find(sets_.begin(), sets_.end(), behind[i]) == sets_.end())
      sets_.push_back(behind[i]);
  }
  // An edge leads from a node to one that a subset of its functions waits for.
  std::stable_sort(sets_.begin(), sets_.end(),
                   [](uint64_t a, uint64_t b) { return std::popcount(a) > std::popcount(b); });
  // Too many sets: the last one becomes the union of the rest, which more functions then seem to
  // wait for.
  while (sets_.size() > kMaxHostSets) {
    sets_[kMaxHostSets - 1] |= sets_.back();
    sets_.pop_back();
  }
  summary_.parts = sets_.size();
  const auto parts_of = [&](size_t w) {
    uint64_t parts = 0;
    for (size_t part = 0; part < sets_.size(); ++part) {
      const uint64_t bit = sets_[part] >> std::min(w, kMaxHostBits - 1) & 1;
      parts |= bit << part;
    }
    return parts;
  };
  for (size_t w = functions; w < waiters.size(); ++w)
    summary_.records.push_back({waiters[w], parts_of(w)});
  for (size_t w = 0; w < functions; ++w) {
    Summary::HostFunction added;
    added.function = nodes_[waiters[w]].host_function;
    added.runs = 1;
    added.parts = parts_of(w);
    auto known = std::find_if(
        summary_.host_functions.begin(), summary_.host_functions.end(),
        [&](const Summary::HostFunction& other) { return other.function == added.function; });
    if (known == summary_.host_functions.end()) {
      summary_.host_functions.push_back(added);
    } else {
      ++known->runs;
      known->parts |= added.parts;
    }
  }
  OrderParts(behind);
  return behind;
}

void GraphPlan::OrderParts(const std::vector<uint64_t>& behind) {
  summary_.behind.assign(sets_.size(), 0);
  if (sets_.size() < 2 || !order_.has_value()) return;
  std::vector<uint32_t> sorted(nodes_.size());
  for (uint32_t i = 0; i < sorted.size(); ++i) sorted[order_->Number(i)] = i;
  std::vector<uint64_t> reached(nodes_.size());  // the parts that precede each node
  for (uint32_t node : sorted) {
    for (uint32_t before : nodes_[node].before) {
      const uint32_t part = PartOf(behind, before);
      reached[node] |= reached[before] | (part != 0 ? uint64_t{1} << (part - 1) : 0);
    }
    if (const uint32_t part = PartOf(behind, node); part != 0)
      summary_.behind[part - 1] |= reached[node] & ~(uint64_t{1} << (part - 1));
  }
  const std::vector<uint64_t> all = summary_.behind;
  for (uint64_t& parts : summary_.behind) {
    for (size_t i = 0; i < all.size(); ++i) {
      if ((parts >> i & 1) != 0) parts &= ~all[i];
    }
  }
}

uint32_t GraphPlan::PartOf(const std::vector<uint64_t>& behind, uint32_t node) const {
  if (behind.empty() || behind[node] == 0) return 0;
  const auto found = std::find(sets_.begin(), sets_.end(), behind[node]);
  return static_cast<uint32_t>(std::min<size_t>(found - sets_.begin() + 1, sets_.size()));
}

void GraphPlan::Merge() {
  summary_ = Summary();
  merged_ = true;
  checked_ = false;
  if (order_.has_value() && !order_->total()) HoldSharedBases();
  const std::vector<uint64_t> behind = Divide();
  std::map<std::pair<const Resource*, uint32_t>, std::vector<PlanAccess>> parts;
  std::vector<uintptr_t> freed;
  for (const PlanNode& node : nodes_) {
    if (node.frees != 0 && node.enabled) freed.push_back(node.frees);
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const PlanNode& node = nodes_[i];
    if (!node.enabled) continue;
    summary_.waits_unseen |= node.waits_unseen;
    summary_.signals_unseen |= node.signals_unseen;
    summary_.writes_unseen |= node.writes_unseen;
    summary_.values.insert(summary_.values.end(), node.values.begin(), node.values.end());
    if (node.waits_for.object != nullptr) summary_.waits.push_back(i);
    // Memory that is allocated and freed within the graph belongs to the graph alone.
    const bool inner_allocation =
        node.allocates != 0 && std::find(freed.begin(), freed.end(), node.allocates) != freed.end();
    bool inner_free = false;
    if (node.frees != 0) {
      for (const PlanNode& other : nodes_) inner_free |= other.allocates == node.frees;
    }
    if ((node.allocates != 0 && !inner_allocation) || (node.frees != 0 && !inner_free))
      summary_.memory.push_back(i);
    const uint32_t part = PartOf(behind, i);
    for (const PlanAccess& access : node.accesses) {
      std::vector<PlanAccess>& known = parts[{access.resource.object, part}];
      bool placed = false;
      for (PlanAccess& part : known) {
        if (!SamePart(part.access, access.access)) continue;
        part.needed |= access.needed;
        WidenWritten(&part, access);
        placed = true;
        break;
      }
      if (placed || known.size() >= kMaxHostParts) continue;
      if (known.size() >= kMaxParts && access.resource.object != nullptr) {
        const bool first = known.back().access.region.offset <= access.access.region.offset;
        if (!first) known.back().address = access.address;
        WidenWritten(&known.back(), access);
        Widen(&known.back().access, access.access);
      } else {
        known.push_back(access);
        known.back().part = part;
      }
    }
  }
  // Ordered by part, nodes without a part last; then by node, so that findings come in that order.
  for (auto& [resource, known] : parts) {
    for (PlanAccess& part : known) summary_.accesses.push_back(part);
  }
  std::stable_sort(summary_.accesses.begin(), summary_.accesses.end(),
                   [](const PlanAccess& a, const PlanAccess& b) {
                     return std::pair(a.part - 1, a.node) < std::pair(b.part - 1, b.node);
                   });
}

}  // namespace gpusan::cuda
