// Debug labels that programs put around commands: their numbers, and the stack of open labels.
#include "hooks/vulkan/call/labels.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::vulkan {
namespace {

// A label number consists of the slot, the slot's use count, and a bit for inserted labels.
constexpr uint32_t kSlotBits = 13;
constexpr uint32_t kSlots = 1u << kSlotBits;
constexpr uint32_t kUses = 1u << 18;
constexpr LabelId kPoint = LabelId{1} << 31;
constexpr size_t kMaxName = 200;

class Table {
 public:
  LabelId Intern(std::string_view name) {
    name = name.substr(0, kMaxName);
    std::lock_guard lock(lock_);
    const auto known = by_name_.find(name);
    if (known != by_name_.end()) return NumberOf(known->second);
    const uint32_t slot = next_++ % kSlots;
    if (slot == slots_.size()) slots_.emplace_back();
    Slot& taken = slots_[slot];
    if (taken.uses != 0) by_name_.erase(taken.name);
    taken.name = by_name_.emplace(name, slot).first;
    taken.uses = taken.uses % (kUses - 1) + 1;
    return NumberOf(slot);
  }
  std::string Name(LabelId label) {
    const uint32_t slot = label % kSlots;
    std::lock_guard lock(lock_);
    if (slot >= slots_.size() || NumberOf(slot) != (label & ~kPoint)) return "";
    return slots_[slot].name->first;
  }

 private:
  using Names = std::map<std::string, uint32_t, std::less<>>;
  struct Slot {
    Names::iterator name;
    uint32_t uses = 0;
  };
  LabelId NumberOf(uint32_t slot) const { return slots_[slot].uses << kSlotBits | slot; }

  SpinLock lock_;
  Names by_name_;
  std::vector<Slot> slots_;
  uint32_t next_ = 0;
};

constinit std::atomic<Table*> g_table{nullptr};

Table& TheTable() {
  Table* table = g_table.load(std::memory_order_acquire);
  if (table != nullptr) return *table;
  auto* made = new Table;
  if (g_table.compare_exchange_strong(table, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *table;
}

}  // namespace

LabelId InternLabel(std::string_view name, bool point) {
  return TheTable().Intern(name) | (point ? kPoint : 0);
}

std::string LabelName(LabelId label) { return label != kNoLabel ? TheTable().Name(label) : ""; }

std::string LabelPhrase(LabelId label) {
  const std::string name = LabelName(label);
  if (name.empty()) return "";
  return absl::StrCat((label & kPoint) != 0 ? " behind label '" : " in label '", name, "'");
}

void ForgetLabels() { g_table.store(nullptr, std::memory_order_release); }

}  // namespace gpusan::vulkan
