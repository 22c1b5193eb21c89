// Submissions whose semaphores have stages or values that are not allowed.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;

VkSemaphore Semaphore(const StateScene& scene, bool timeline) {
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  type.initialValue = 1;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  if (timeline) info.pNext = &type;
  VkSemaphore semaphore;
  VK(CreateSemaphore)(scene.device(), &info, nullptr, &semaphore);
  return semaphore;
}

// Waits for `wait` at the stages, and signals `signal`; VK_NULL_HANDLE: none.
List Submit(const StateScene& scene, VkSemaphore wait, VkPipelineStageFlags stages,
            VkSemaphore signal, const void* values = nullptr) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = values;
  info.waitSemaphoreCount = wait != VK_NULL_HANDLE ? 1 : 0;
  info.pWaitSemaphores = &wait;
  info.pWaitDstStageMask = &stages;
  info.signalSemaphoreCount = signal != VK_NULL_HANDLE ? 1 : 0;
  info.pSignalSemaphores = &signal;
  VK(QueueSubmit)(scene.queue(), 1, &info, VK_NULL_HANDLE);
  return Vuids();
}

TEST_CASE("a submission waits at stages of its queue") {
  const StateScene scene;
  const VkSemaphore semaphore = Semaphore(scene, false);
  CHECK(Submit(scene, VK_NULL_HANDLE, 0, semaphore) == List());
  CHECK(Submit(scene, semaphore, kTransfer, semaphore) == List());
  CHECK(Submit(scene, semaphore, VK_PIPELINE_STAGE_HOST_BIT, VK_NULL_HANDLE) ==
        List{"VkSubmitInfo-pWaitDstStageMask-00078"});
  CHECK(Submit(scene, VK_NULL_HANDLE, 0, semaphore) == List());
  CHECK(Submit(scene, semaphore, VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT, VK_NULL_HANDLE) ==
        List{"VkSubmitInfo-pWaitDstStageMask-04090"});
}

TEST_CASE("a submission has a value for each timeline semaphore") {
  const StateScene scene;
  const VkSemaphore timeline = Semaphore(scene, true);
  const uint64_t one = 1, two = 2;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  CHECK(Submit(scene, timeline, kTransfer, VK_NULL_HANDLE) ==
        List{"VkSubmitInfo-pWaitSemaphores-03239"});
  CHECK(Submit(scene, timeline, kTransfer, VK_NULL_HANDLE, &values) ==
        List{"VkSubmitInfo-pNext-03240"});
  CHECK(Submit(scene, VK_NULL_HANDLE, 0, timeline, &values) == List{"VkSubmitInfo-pNext-03241"});
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &one;
  values.pSignalSemaphoreValues = &two;
  CHECK(Submit(scene, timeline, kTransfer, timeline, &values) == List());
}

TEST_CASE("a value is near those of submitted signals") {
  const StateScene scene;
  const VkSemaphore timeline = Semaphore(scene, true);
  uint64_t wait = 1, signal = 2;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait;
  values.pSignalSemaphoreValues = &signal;
  const auto submit = [&](uint64_t waited, uint64_t signaled) {
    wait = waited;
    signal = signaled;
    return Submit(scene, waited != 0 ? timeline : VK_NULL_HANDLE, kTransfer,
                  signaled != 0 ? timeline : VK_NULL_HANDLE, &values);
  };
  CHECK(submit(0, 1 + kTimelineDifference) == List());
  CHECK(submit(0, 1 + 2 * kTimelineDifference) == List());
  CHECK(submit(0, 2 + 3 * kTimelineDifference) == List{"VkSubmitInfo-pSignalSemaphores-03244"});
  CHECK(submit(3 + 4 * kTimelineDifference, 0) == List{"VkSubmitInfo-pWaitSemaphores-03243"});
  VkSemaphoreSignalInfo host = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  host.semaphore = Semaphore(scene, true);
  host.value = 2 + kTimelineDifference;
  VK(SignalSemaphore)(scene.device(), &host);
  CHECK(Vuids() == List{"VkSemaphoreSignalInfo-value-03260"});
}

TEST_CASE("a submission signals a greater value than it waits for") {
  const StateScene scene;
  const VkSemaphore timeline = Semaphore(scene, true);
  VkSemaphoreSubmitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  wait.semaphore = timeline;
  wait.value = 1;
  wait.stageMask = kTransfer;
  VkSemaphoreSubmitInfo signal = wait;
  VkSubmitInfo2 info = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.waitSemaphoreInfoCount = info.signalSemaphoreInfoCount = 1;
  info.pWaitSemaphoreInfos = &wait;
  info.pSignalSemaphoreInfos = &signal;
  signal.value = 2;
  VK(QueueSubmit2)(scene.queue(), 1, &info, VK_NULL_HANDLE);
  CHECK(Vuids() == List());
  wait.value = signal.value = 3;
  VK(QueueSubmit2)(scene.queue(), 1, &info, VK_NULL_HANDLE);
  const List vuids = Vuids();
  REQUIRE_FALSE(vuids.empty());
  CHECK(vuids[0] == "VkSubmitInfo2-semaphore-03881");
}

TEST_CASE("a semaphore is exported as a type that its creation names") {
  const StateScene scene;
  const auto exported = [&](VkExternalSemaphoreHandleTypeFlags named,
                            VkExternalSemaphoreHandleTypeFlagBits type, bool signaled) {
    VkExportSemaphoreCreateInfo types = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
    types.handleTypes = named;
    VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    if (named != 0) info.pNext = &types;
    VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
    get.handleType = type;
    VK(CreateSemaphore)(scene.device(), &info, nullptr, &get.semaphore);
    if (signaled) Submit(scene, VK_NULL_HANDLE, 0, get.semaphore);
    int descriptor = -1;
    VK(GetSemaphoreFdKHR)(scene.device(), &get, &descriptor);
    return Vuids();
  };
  constexpr auto kOpaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  constexpr auto kSync = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  CHECK(exported(kOpaque, kOpaque, false) == List());
  CHECK(exported(kOpaque | kSync, kSync, true) == List());
  CHECK(exported(0, kOpaque, false) == List{"VkSemaphoreGetFdInfoKHR-handleType-01132"});
  CHECK(exported(kSync, kOpaque, false) == List{"VkSemaphoreGetFdInfoKHR-handleType-01132"});
  CHECK(exported(kSync, kSync, false) == List{"VkSemaphoreGetFdInfoKHR-handleType-03254"});
}

TEST_CASE("a fence is exported as a type that its creation names") {
  const StateScene scene;
  const auto exported = [&](VkExternalFenceHandleTypeFlags named,
                            VkExternalFenceHandleTypeFlagBits type, bool signaled, bool submitted) {
    VkExportFenceCreateInfo types = {VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO};
    types.handleTypes = named;
    VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (named != 0) info.pNext = &types;
    if (signaled) info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    VkFenceGetFdInfoKHR get = {VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR};
    get.handleType = type;
    VK(CreateFence)(scene.device(), &info, nullptr, &get.fence);
    if (submitted) VK(QueueSubmit)(scene.queue(), 0, nullptr, get.fence);
    int descriptor = -1;
    VK(GetFenceFdKHR)(scene.device(), &get, &descriptor);
    return Vuids();
  };
  constexpr auto kOpaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
  constexpr auto kSync = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  CHECK(exported(kOpaque, kOpaque, false, false) == List());
  CHECK(exported(kSync, kSync, true, false) == List());
  CHECK(exported(kSync, kSync, false, true) == List());
  CHECK(exported(0, kOpaque, false, false) == List{"VkFenceGetFdInfoKHR-handleType-01453"});
  CHECK(exported(kSync, kSync, false, false) == List{"VkFenceGetFdInfoKHR-handleType-01454"});
}

TEST_CASE("a timeline semaphore is no sync file") {
  const StateScene scene;
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkExportSemaphoreCreateInfo types = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, &type};
  types.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &types};
  VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  get.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  VK(CreateSemaphore)(scene.device(), &info, nullptr, &get.semaphore);
  int descriptor = -1;
  VK(GetSemaphoreFdKHR)(scene.device(), &get, &descriptor);
  CHECK(Vuids() == List{"VkSemaphoreGetFdInfoKHR-handleType-03253"});
}

TEST_CASE("a sync file is a signal that is submitted with all that it depends on") {
  const StateScene scene;
  const VkSemaphore timeline = Semaphore(scene, true);
  VkExportSemaphoreCreateInfo types = {VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  types.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &types};
  VkSemaphoreGetFdInfoKHR get = {VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR};
  get.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  VK(CreateSemaphore)(scene.device(), &info, nullptr, &get.semaphore);
  const uint64_t two = 2;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &two;
  CHECK(Submit(scene, timeline, kTransfer, get.semaphore, &values) == List());
  int descriptor = -1;
  SECTION("the signal of the timeline is missing") {
    VK(GetSemaphoreFdKHR)(scene.device(), &get, &descriptor);
    CHECK(Vuids() == List{"VkSemaphoreGetFdInfoKHR-handleType-03254"});
  }
  SECTION("the host signals the timeline first") {
    VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = timeline;
    signal.value = two;
    VK(SignalSemaphore)(scene.device(), &signal);
    VK(GetSemaphoreFdKHR)(scene.device(), &get, &descriptor);
    CHECK(Vuids() == List());
  }
}

List Import(const StateScene& scene, VkSemaphore semaphore,
            VkExternalSemaphoreHandleTypeFlagBits type, VkSemaphoreImportFlags flags) {
  VkImportSemaphoreFdInfoKHR info = {VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR};
  info.semaphore = semaphore;
  info.handleType = type;
  info.flags = flags;
  info.fd = -1;
  VK(ImportSemaphoreFdKHR)(scene.device(), &info);
  return Vuids();
}

TEST_CASE("a wait restores the payload behind a temporary import") {
  const StateScene scene;
  constexpr auto kSync = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  constexpr auto kOpaque = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  const VkSemaphore semaphore = Semaphore(scene, false);
  const List none, lacking = {"vkQueueSubmit-pWaitSemaphores-03238"};
  const auto wait = [&] { return Submit(scene, semaphore, kTransfer, VK_NULL_HANDLE); };
  SECTION("one wait for each sync file") {
    CHECK(Import(scene, semaphore, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) == none);
    CHECK(wait() == none);
    CHECK(wait() == lacking);
    VK(QueueWaitIdle)(scene.queue());
    CHECK(Import(scene, semaphore, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) == none);
    CHECK(wait() == none);
  }
  SECTION("the own payload is signaled") {
    CHECK(Submit(scene, VK_NULL_HANDLE, 0, semaphore) == none);
    VK(QueueWaitIdle)(scene.queue());
    CHECK(Import(scene, semaphore, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) == none);
    CHECK(wait() == none);
    CHECK(wait() == none);
  }
  SECTION("the import is for good") {
    CHECK(Import(scene, semaphore, kOpaque, 0) == none);
    CHECK(wait() == none);
    CHECK(wait() == none);
    VK(QueueWaitIdle)(scene.queue());
    CHECK(Import(scene, semaphore, kSync, VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) == none);
    CHECK(wait() == none);
    CHECK(wait() == none);
  }
  SECTION("a sync file is imported for good") {
    CHECK(Import(scene, semaphore, kSync, 0) ==
          List{"VkImportSemaphoreFdInfoKHR-handleType-07307"});
  }
}

TEST_CASE("a reset restores the payload behind a temporary import") {
  const StateScene scene;
  VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkImportFenceFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR};
  VK(CreateFence)(scene.device(), &info, nullptr, &import.fence);
  const auto import_as = [&](VkExternalFenceHandleTypeFlagBits type, VkFenceImportFlags flags,
                             int descriptor) {
    import.handleType = type;
    import.flags = flags;
    import.fd = descriptor;
    VK(ImportFenceFdKHR)(scene.device(), &import);
    return Vuids();
  };
  const auto submit = [&] {
    VK(QueueSubmit)(scene.queue(), 0, nullptr, import.fence);
    return Vuids();
  };
  const auto reset = [&] { VK(ResetFences)(scene.device(), 1, &import.fence); };
  constexpr auto kOpaque = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT;
  constexpr auto kSync = VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  constexpr auto kOnce = VK_FENCE_IMPORT_TEMPORARY_BIT;
  const List none;
  SECTION("a temporary import") {
    CHECK(import_as(kOpaque, kOnce, 3) == none);
    CHECK(submit() == none);
    CHECK(submit() == none);
    reset();
    CHECK(submit() == none);
    CHECK(submit() == List{"vkQueueSubmit-fence-00064"});
  }
  SECTION("a second import before the reset") {
    CHECK(import_as(kOpaque, kOnce, 3) == none);
    CHECK(import_as(kSync, kOnce, 3) == none);
    reset();
    CHECK(submit() == none);
    CHECK(submit() == List{"vkQueueSubmit-fence-00064"});
  }
  SECTION("an import for good") {
    CHECK(import_as(kOpaque, 0, 3) == none);
    CHECK(import_as(kOpaque, kOnce, 3) == none);
    reset();
    CHECK(submit() == none);
    CHECK(submit() == none);
  }
  SECTION("a sync file that is signaled") {
    CHECK(import_as(kSync, kOnce, -1) == none);
    CHECK(submit() == List{"vkQueueSubmit-fence-00063"});
  }
  SECTION("a sync file for good") {
    CHECK(import_as(kSync, 0, 3) == List{"VkImportFenceFdInfoKHR-handleType-07306"});
  }
  SECTION("an import into a fence in use") {
    CHECK(submit() == none);
    CHECK(import_as(kOpaque, 0, 3) == List{"vkImportFenceFdKHR-fence-01463"});
  }
}

}  // namespace
}  // namespace gpusan::test
