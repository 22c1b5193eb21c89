// The texels that copies have written of subresources without other content.
#include "hooks/vulkan/objects/partial_content.h"

#include <algorithm>
#include <utility>

namespace gpusan::vulkan {
namespace {

using Box = PartialContent::Box;

uint64_t TexelsOf(const Box& box) {
  return uint64_t{box.extent[0]} * box.extent[1] * box.extent[2];
}

uint64_t EndOf(const Box& box, int axis) { return uint64_t{box.origin[axis]} + box.extent[axis]; }

bool Overlap(const Box& a, const Box& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.origin[axis] >= EndOf(b, axis) || b.origin[axis] >= EndOf(a, axis)) return false;
  }
  return true;
}

// Returns some texels of `box` that none of the boxes from `next` on covers.
std::optional<Box> Uncovered(Box box, const std::vector<Box>& boxes, size_t next) {
  if (TexelsOf(box) == 0) return std::nullopt;
  while (next < boxes.size() && !Overlap(box, boxes[next])) ++next;
  if (next == boxes.size()) return box;
  const Box& covering = boxes[next];
  // Cuts off what lies in front of the covering box, and after it, in each dimension.
  for (int axis = 0; axis < 3; ++axis) {
    if (box.origin[axis] < covering.origin[axis]) {
      Box front = box;
      front.extent[axis] = covering.origin[axis] - box.origin[axis];
      if (std::optional<Box> found = Uncovered(front, boxes, next + 1)) return found;
      box.extent[axis] -= front.extent[axis];
      box.origin[axis] = covering.origin[axis];
    }
    if (EndOf(box, axis) > EndOf(covering, axis)) {
      Box behind = box;
      behind.origin[axis] = static_cast<uint32_t>(EndOf(covering, axis));
      behind.extent[axis] = static_cast<uint32_t>(EndOf(box, axis) - EndOf(covering, axis));
      if (std::optional<Box> found = Uncovered(behind, boxes, next + 1)) return found;
      box.extent[axis] -= behind.extent[axis];
    }
  }
  return std::nullopt;
}

}  // namespace

void PartialContent::Erase(size_t index) {
  boxes_ -= entries_[index].boxes.size();
  entries_[index] = std::move(entries_.back());
  entries_.pop_back();
}

void PartialContent::Write(uint32_t mip, uint32_t layer, const Box& box, const Box& level,
                           bool first) {
  size_t index = 0;
  while (index < entries_.size() && (entries_[index].mip != mip || entries_[index].layer != layer))
    ++index;
  if (index == entries_.size()) {
    if (!first || boxes_ >= kMostBoxes) return;
    entries_.push_back({mip, layer, 0, {}});
  } else if (first) {
    boxes_ -= entries_[index].boxes.size();
    entries_[index].boxes.clear();
    entries_[index].texels = 0;
  }
  Entry& entry = entries_[index];
  if (!entry.boxes.empty() && !Uncovered(box, entry.boxes, 0)) return;
  if (boxes_ >= kMostBoxes) return Erase(index);
  entry.boxes.push_back(box);
  ++boxes_;
  entry.texels += TexelsOf(box);
  if (entry.texels >= TexelsOf(level) && !Uncovered(level, entry.boxes, 0)) Erase(index);
}

void PartialContent::Forget(const ImagePart& part) {
  for (size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].mip - part.first_mip < part.mips &&
        entries_[i].layer - part.first_layer < part.layers)
      Erase(i);
  }
}

std::optional<Box> PartialContent::FindUnwritten(uint32_t mip, uint32_t layer,
                                                 const Box& box) const {
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry& one) { return one.mip == mip && one.layer == layer; });
  return entry != entries_.end() ? Uncovered(box, entry->boxes, 0) : std::nullopt;
}

}  // namespace gpusan::vulkan
