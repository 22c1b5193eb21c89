// Defect below_an_earlier_value: A later submission of the queue signals a lower value of a
// timeline semaphore.
// EXPECT error sync-object-misuse vkQueueSubmit at LOWER
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pSignalSemaphores-03242
// EXPECT-PARTY earlier-command at HIGHER
// EXIT any
// Defect without_a_value: A submission has no value for its timeline semaphore.
// EXPECT error sync-object-misuse vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-VkSubmitInfo-pWaitSemaphores-03239
// MAY sticky-error
// EXIT any
// Defect past_a_pending_value: The host signals a greater value than the one that a pending
// submission will signal.
// EXPECT error sync-object-misuse vkSignalSemaphore at SIGNAL
// EXPECT-FACT vuid=VUID-VkSemaphoreSignalInfo-value-03259
// MAY sync-object-misuse
// EXIT any
// Defect without_the_feature: A timeline semaphore is created on a device without the feature
// timelineSemaphore.
// EXPECT error sync-object-misuse vkCreateSemaphore at CREATE
// EXPECT-FACT vuid=VUID-VkSemaphoreTypeCreateInfo-timelineSemaphore-03252
// EXIT any
// Fix: Each value of the timeline is greater than the values before.
#include "common/vulkan.h"
#include "common/vulkan_timeline.h"

// Fix: The values grow in the order of submission.
static void BelowAnEarlierValue() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  uint64_t value = 5;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.pNext = &values;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  // @HIGHER
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
#ifdef DEFECT_below_an_earlier_value
  value = 3;
#else
  value = 6;
#endif
  // @LOWER
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}

// Fix: A chained structure has the value.
static void WithoutAValue() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
#ifndef DEFECT_without_a_value
  const uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  info.pNext = &values;
#endif
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore);
}

// Fix: The host signals only the value that the submission waits for.
static void PastAPendingValue() {
  OpenWithTimelines();
  const VkSemaphore semaphore = MakeTimeline();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  OK(vkEndCommandBuffer(commands));
  SubmitBetween(semaphore, 1, 2);
  VkSemaphoreSignalInfo now = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
  now.semaphore = semaphore;
#ifdef DEFECT_past_a_pending_value
  now.value = 7;
#else
  now.value = 1;
#endif
  // @SIGNAL
  OK(vkSignalSemaphore(device, &now));
  OK(vkQueueWaitIdle(queue));
  Close(semaphore, a, b);
}

// Fix: The device is created with the feature.
static void WithoutTheFeature() {
  VkPhysicalDeviceTimelineSemaphoreFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
#ifndef DEFECT_without_the_feature
  features.timelineSemaphore = VK_TRUE;
#endif
  Open({.features = &features});
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  // @CREATE
  OK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
  Close(semaphore);
}

int main() {
  BelowAnEarlierValue();
  WithoutAValue();
  PastAPendingValue();
  WithoutTheFeature();
}
