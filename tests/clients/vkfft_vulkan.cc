// VkFFT's Vulkan backend: forward transforms against sums written out, and forward and inverse back
// to the input; its shaders are made at run time, its command buffers recorded anew for each
// transform.
// packages: libvkfft-dev libvulkan-dev glslang-dev spirv-tools
// api: vulkan
// suite: long
// attach: layer validation
// build: -DVKFFT_BACKEND=0 -I/usr/include/glslang/Include -lvulkan -Wl,--start-group -lglslang -lglslang-default-resource-limits -lSPIRV -lMachineIndependent -lGenericCodeGen -lOSDependent -lOGLCompiler -lHLSL -Wl,--end-group -lSPIRV-Tools-opt -lSPIRV-Tools -lpthread
#include <glslang/Public/resource_limits_c.h>
#include <vulkan/vulkan.h>

#include <cstring>

#include "fourier.h"
#include "glslang_c_interface.h"

// This VkFFT fills the limits of an older glslang, which has fewer of them: those of the newer one
// take their place.
struct OlderResource {
  int values[93];
  glslang_limits_t limits;
  const glslang_resource_t* operator&() const { return glslang_default_resource(); }
};
#define glslang_resource_t OlderResource
#include "vkFFT.h"
#undef glslang_resource_t

struct Device {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkFence fence;
};

struct Buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
};

static Buffer MakeBuffer(const Device& on, uint64_t bytes, VkBufferUsageFlags usage,
                         VkMemoryPropertyFlags properties) {
  Buffer made;
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = usage;
  Succeed(vkCreateBuffer(on.device, &info, nullptr, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(on.device, made.buffer, &needs);
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(on.physical, &types);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0 ||
         (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & properties) != properties)
    ++allocate.memoryTypeIndex;
  Succeed(vkAllocateMemory(on.device, &allocate, nullptr, &made.memory), "vkAllocateMemory");
  Succeed(vkBindBufferMemory(on.device, made.buffer, made.memory, 0), "vkBindBufferMemory");
  return made;
}

static void Destroy(const Device& on, const Buffer& buffer) {
  vkDestroyBuffer(on.device, buffer.buffer, nullptr);
  vkFreeMemory(on.device, buffer.memory, nullptr);
}

// Records and runs one command buffer, and waits for it.
template <typename Record>
static void Run(const Device& on, Record record) {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = on.pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands;
  Succeed(vkAllocateCommandBuffers(on.device, &allocate, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  Succeed(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  Succeed(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  Succeed(vkQueueSubmit(on.queue, 1, &submit, on.fence), "vkQueueSubmit");
  Succeed(vkWaitForFences(on.device, 1, &on.fence, VK_TRUE, ~0ull), "vkWaitForFences");
  Succeed(vkResetFences(on.device, 1, &on.fence), "vkResetFences");
  vkFreeCommandBuffers(on.device, on.pool, 1, &commands);
}

static void Order(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags wrote,
                  VkPipelineStageFlags to, VkAccessFlags reads) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = wrote;
  barrier.dstAccessMask = reads;
  vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

// Between the buffer and what the host maps.
static void Copy(const Device& on, VkBuffer from, VkBuffer to, uint64_t bytes) {
  Run(on, [&](VkCommandBuffer commands) {
    VkBufferCopy region = {0, 0, bytes};
    vkCmdCopyBuffer(commands, from, to, 1, &region);
    Order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  });
}

static void Transform(Device& on, size_t width, size_t height) {
  size_t count = width * height;
  std::vector<Complex> in = Input(count), out(count);
  uint64_t bytes = count * sizeof(Complex);
  Buffer buffer = MakeBuffer(on, bytes,
                             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  Buffer staging =
      MakeBuffer(on, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                 VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  void* mapped;
  Succeed(vkMapMemory(on.device, staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::memcpy(mapped, in.data(), bytes);
  Copy(on, staging.buffer, buffer.buffer, bytes);

  VkFFTConfiguration configuration = {};
  VkFFTApplication application = {};
  configuration.FFTdim = height > 1 ? 2 : 1;
  configuration.size[0] = width;
  configuration.size[1] = height;
  configuration.normalize = 1;
  configuration.physicalDevice = &on.physical;
  configuration.device = &on.device;
  configuration.queue = &on.queue;
  configuration.commandPool = &on.pool;
  configuration.fence = &on.fence;
  configuration.isCompilerInitialized = 1;
  configuration.bufferSize = &bytes;
  configuration.buffer = &buffer.buffer;
  Succeed(initializeVkFFT(&application, configuration), "initializeVkFFT");
  auto append = [&](int direction, const char* what) {
    Run(on, [&](VkCommandBuffer commands) {
      Order(commands, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
      VkFFTLaunchParams launch = {};
      launch.commandBuffer = &commands;
      Succeed(VkFFTAppend(&application, direction, &launch), what);
      Order(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    });
    Copy(on, buffer.buffer, staging.buffer, bytes);
    std::memcpy(out.data(), mapped, bytes);
  };
  append(-1, "forward");
  float worst = 0;
  for (size_t v = 0; v < height; v += (height + 6) / 7) {
    for (size_t u = 0; u < width; u += (width + 6) / 7) {
      worst = std::max(worst, std::abs(out[v * width + u] - Frequency(in, width, height, u, v)));
    }
  }
  append(1, "inverse");
  float back = 0;
  for (size_t i = 0; i < count; ++i) back = std::max(back, std::abs(out[i] - in[i]));
  std::printf("%zu x %zu: forward %s, inverse %s\n", width, height,
              worst < 2e-3f * std::sqrt(float(count)) ? "ok" : "WRONG",
              back < 1e-4f ? "ok" : "WRONG");
  deleteVkFFT(&application);
  Destroy(on, buffer);
  Destroy(on, staging);
}

int main() {
  Device on;
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo instance = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance.pApplicationInfo = &application;
  Succeed(vkCreateInstance(&instance, nullptr, &on.instance), "vkCreateInstance");
  uint32_t devices = 1;
  vkEnumeratePhysicalDevices(on.instance, &devices, &on.physical);
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  Succeed(vkCreateDevice(on.physical, &device, nullptr, &on.device), "vkCreateDevice");
  vkGetDeviceQueue(on.device, 0, 0, &on.queue);
  VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  Succeed(vkCreateCommandPool(on.device, &pool, nullptr, &on.pool), "vkCreateCommandPool");
  VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  Succeed(vkCreateFence(on.device, &fence, nullptr, &on.fence), "vkCreateFence");
  glslang_initialize_process();
  Transform(on, 256, 1);
  Transform(on, 1000, 1);
  Transform(on, 64, 48);
  Transform(on, 128, 128);
  glslang_finalize_process();
  vkDestroyFence(on.device, on.fence, nullptr);
  vkDestroyCommandPool(on.device, on.pool, nullptr);
  vkDestroyDevice(on.device, nullptr);
  vkDestroyInstance(on.instance, nullptr);
  return 0;
}
