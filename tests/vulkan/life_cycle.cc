// Starts, ends and goes wrong in the way that its argument names.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "common/vulkan.h"

static void Copy(const Buffer& from, const Buffer& to) {
  const VkBufferCopy all = {0, 0, 4096};
  vkCmdCopyBuffer(commands, from.handle, to.handle, 1, &all);
}

// Two instances with two devices each, used in turn and destroyed in another order than made.
static void SeveralOfAll() {
  constexpr int kCount = 4;
  VkInstance instances[2];
  VkDevice devices[kCount];
  VkCommandPool pools[kCount];
  VkQueue queues[kCount];
  VkCommandBuffer buffers[kCount];
  for (int i = 0; i < kCount; ++i) {
    family = 0;
    if (i % 2 == 0) {
      Open();
      instances[i / 2] = instance;
    } else {
      const float priority = 1.0f;
      VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
      queue_info.queueFamilyIndex = family;
      queue_info.queueCount = 1;
      queue_info.pQueuePriorities = &priority;
      VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
      info.queueCreateInfoCount = 1;
      info.pQueueCreateInfos = &queue_info;
      OK(vkCreateDevice(physical, &info, nullptr, &device));
      vkGetDeviceQueue(device, family, 0, &queue);
      VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
      pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
      OK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
      VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
      allocate.commandPool = pool;
      allocate.commandBufferCount = 1;
      OK(vkAllocateCommandBuffers(device, &allocate, &commands));
    }
    devices[i] = device;
    pools[i] = pool;
    queues[i] = queue;
    buffers[i] = commands;
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kCount; ++i) {
      device = devices[i];
      queue = queues[i];
      commands = buffers[i];
      const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
      Begin();
      Copy(a, b);
      Run();
      Destroy(a);
      Destroy(b);
    }
  }
  for (int i : {2, 0, 1, 3}) {
    vkDestroyCommandPool(devices[i], pools[i], nullptr);
    vkDestroyDevice(devices[i], nullptr);
    if (i == 1) vkDestroyInstance(instances[0], nullptr);
  }
  vkDestroyInstance(instances[1], nullptr);
}

// What nothing uses any more may go in any order.
static void OutOfOrder() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  Begin();
  Copy(a, b);
  Run();
  vkFreeMemory(device, a.memory, nullptr);
  vkFreeMemory(device, b.memory, nullptr);
  vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyBuffer(device, b.handle, nullptr);
  vkDestroyBuffer(device, a.handle, nullptr);
  vkDestroyBuffer(device, VK_NULL_HANDLE, nullptr);
  vkFreeMemory(device, VK_NULL_HANDLE, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
}

static void ExitWithWorkPending() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  Begin();
  Copy(a, b);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  exit(0);
}

// The device is given a destroyed buffer; if it survives, the program ends itself.
static void Crash() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  Begin();
  Copy(a, b);
  OK(vkEndCommandBuffer(commands));
  vkDestroyBuffer(device, a.handle, nullptr);
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  vkQueueWaitIdle(queue);
  raise(SIGSEGV);
}

static void Await(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// One child makes a device of its own and misuses it; another, which has a copy of what the parent
// holds, just ends. Drivers do not live on in a child, so that it makes no call.
static void Fork() {
  const pid_t child = fork();
  if (child == 0) {
    Open();
    const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
    vkUnmapMemory(device, buffer.memory);
    Destroy(buffer);
    Close();
    exit(0);
  }
  Await(child);
  Open();
  const Buffer kept = MakeBuffer(4096, kCopies, kHostMemory);
  const pid_t second = fork();
  if (second == 0) exit(0);
  Await(second);
  Destroy(kept);
  Close();
}

// The parent is done with Vulkan when its child begins.
static void ForkAgain() {
  Open();
  Close();
  const pid_t child = fork();
  if (child == 0) {
    Open();
    Close();
    exit(0);
  }
  Await(child);
}

// Structures and names that nobody knows are passed on.
static void Unknown() {
  struct Strange {
    VkStructureType type = static_cast<VkStructureType>(0x7ffffff0);
    const void* next = nullptr;
    uint64_t content[4] = {1, 2, 3, 4};
  };
  const Strange strange;
  Wanted wanted;
  wanted.instance_chain = &strange;
  wanted.features = &strange;
  Open(wanted);
  CHECK(vkGetInstanceProcAddr(instance, "vkNoSuchFunctionGPUSAN") == nullptr);
  CHECK(vkGetDeviceProcAddr(device, "vkNoSuchFunctionGPUSAN") == nullptr);
  VkBufferCreateInfo info = BufferInfo(4096);
  info.pNext = &strange;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  vkDestroyBuffer(device, buffer, nullptr);
  Close();
}

// Submits, waits, and destroys everything whatever comes back.
static void Lose() {
  Open();
  const Buffer a = MakeStaging(4096), b = MakeBuffer(4096);
  VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  Begin();
  Copy(a, b);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  const VkResult submitted = vkQueueSubmit(queue, 1, &info, fence);
  const VkResult waited =
      submitted == VK_SUCCESS ? vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX) : submitted;
  CHECK(waited == VK_ERROR_DEVICE_LOST);
  vkDestroyFence(device, fence, nullptr);
  Destroy(a);
  Destroy(b);
  Close();
}

int main(int, char** arguments) {
  const std::string what = arguments[1];
  if (what == "several") SeveralOfAll();
  if (what == "out_of_order") OutOfOrder();
  if (what == "pending_exit") ExitWithWorkPending();
  if (what == "crash") Crash();
  if (what == "fork") Fork();
  if (what == "fork_again") ForkAgain();
  if (what == "unknown") Unknown();
  if (what == "lose") Lose();
}
