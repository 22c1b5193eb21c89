// Names of objects.
#include "tracker/objects/given_names.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr size_t kMostNames = size_t{1} << 16;

struct Named {
  uint32_t generation = 0;  // of the object
  std::string name;
};
struct Names {
  SpinLock lock;  // a leaf
  std::unordered_map<const Object*, Named> of;
};
// Made by the first name, and never destroyed.
constinit std::atomic<Names*> g_names{nullptr};

Names& MakeNames() {
  Names* names = g_names.load(std::memory_order_acquire);
  if (names != nullptr) return *names;
  auto* made = new Names;
  if (g_names.compare_exchange_strong(names, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *names;
}

}  // namespace

void GiveName(const Object& object, std::string_view name) {
  Named named = {object.generation.load(std::memory_order_relaxed), std::string(name)};
  Names& names = MakeNames();
  std::lock_guard lock(names.lock);
  if (names.of.size() >= kMostNames) names.of.clear();
  names.of[&object] = std::move(named);
}

std::string GivenName(const Object& object) {
  Names* const names = g_names.load(std::memory_order_acquire);
  if (names == nullptr) return "";
  std::lock_guard lock(names->lock);
  const auto named = names->of.find(&object);
  return named != names->of.end() &&
                 named->second.generation == object.generation.load(std::memory_order_relaxed)
             ? named->second.name
             : "";
}

// Another thread of the parent may hold the lock of the old names, which are not freed.
void ForgetGivenNamesAfterFork() { g_names.store(nullptr, std::memory_order_release); }

}  // namespace gpusan
