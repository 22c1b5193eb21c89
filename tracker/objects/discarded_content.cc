// The last calls that discarded the content of resources. Memory is bounded.
#include "tracker/objects/discarded_content.h"

#include <iterator>
#include <mutex>
#include <new>

#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

struct Entry {
  WeakRef<const Resource> root;
  DiscardingCall by;
};
constinit SpinLock g_lock;  // a leaf
constinit Entry g_entries[64];
constinit size_t g_next = 0;  // the entry that is replaced next

}  // namespace

void DiscardContent(Resource& root, const CallInfo& call, SiteId site) {
  root.init.Reset();
  std::lock_guard lock(g_lock);
  for (Entry& entry : g_entries) {
    if (entry.root.get() != &root) continue;
    entry.by = {&call, site};
    return;
  }
  g_entries[g_next] = {WeakRef<const Resource>(&root), {&call, site}};
  g_next = (g_next + 1) % std::size(g_entries);
}

DiscardingCall DiscardedBy(const Resource& root) {
  std::lock_guard lock(g_lock);
  for (const Entry& entry : g_entries) {
    if (entry.root.get() == &root) return entry.by;
  }
  return {};
}

void ForgetDiscardsAfterFork() {
  new (&g_lock) SpinLock;  // another thread may have held it during the fork
  for (Entry& entry : g_entries) entry = {};
}

}  // namespace gpusan
