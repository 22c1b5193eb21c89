// Semaphores that presentations wait for.
#include "hooks/vulkan/submission/present_semaphores.h"

#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/base/spin_lock.h"
#include "tracker/rules/events/present_wait.h"

namespace gpusan::vulkan {
namespace {

struct Waited {
  WeakRef<PlainObject> semaphore;
  VkSwapchainKHR swapchain;
  uint32_t image;
  const CallInfo* call;
  SiteId site;
};

// Older ones are dropped.
constexpr size_t kMostWaited = 64;

struct Table {
  SpinLock lock;
  std::vector<Waited> waited;
};

constinit ProcessState<Table> g_table;
const ForkReset g_reset([] { g_table.Forget(); });

// Precondition: the table is locked.
template <typename Predicate>
void Erase(Table& table, Predicate predicate) {
  std::erase_if(table.waited, predicate);
  present_semaphores.store(static_cast<uint32_t>(table.waited.size()), std::memory_order_relaxed);
}

}  // namespace

void NotePresentSemaphores(VkCall& call, const VkPresentInfoKHR& info) {
  if (info.pNext != nullptr || info.swapchainCount != 1) return;
  Table& table = g_table.Get();
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    auto* semaphore = static_cast<PlainObject*>(call.tracker().objects().Find(
        Api::kVulkan, ObjectKind::kSemaphore, HandleOf(info.pWaitSemaphores[i])));
    if (semaphore == nullptr) continue;
    const SiteId site = call.site();
    std::lock_guard lock(table.lock);
    const size_t known = table.waited.size();
    Erase(table, [&](const Waited& one) {
      return one.semaphore.get() == semaphore ||
             (known >= kMostWaited && &one == &table.waited.front());
    });
    table.waited.push_back({WeakRef<PlainObject>(semaphore), info.pSwapchains[0],
                            info.pImageIndices[0], &call.info(), site});
    present_semaphores.store(static_cast<uint32_t>(table.waited.size()), std::memory_order_relaxed);
  }
}

void ForgetPresentSemaphores(VkSwapchainKHR swapchain, uint32_t index) {
  if (present_semaphores.load(std::memory_order_relaxed) == 0) return;
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  Erase(table, [&](const Waited& one) { return one.swapchain == swapchain && one.image == index; });
}

void ForgetAllPresentSemaphores() {
  if (present_semaphores.load(std::memory_order_relaxed) == 0) return;
  Table& table = g_table.Get();
  std::lock_guard lock(table.lock);
  Erase(table, [](const Waited&) { return true; });
}

void CheckPresentSemaphores(VkCall& call, const Batch& batch, const char* vuid) {
  Table& table = g_table.Get();
  for (const Batch::Semaphore& signal : batch.signals) {
    if (signal.state->timeline || signal.state->foreign) continue;
    rules::PresentWait wait;
    {
      std::lock_guard lock(table.lock);
      Erase(table, [&](const Waited& one) {
        if (one.semaphore.get() != signal.object) return false;
        wait = {signal.object, one.call, one.site, one.image, vuid};
        return true;
      });
    }
    if (wait.presented != nullptr && wait.semaphore->live()) rules::OnPresentWait(wait, call);
  }
}

}  // namespace gpusan::vulkan
