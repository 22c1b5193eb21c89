// What Vulkan calls cost, on the driver that the loader finds. vulkan.py alternates the layers.
//
// Everything recorded is correct Vulkan, so that no layer has anything to say.
#include <time.h>

#include <atomic>
#include <functional>
#include <thread>

#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "timing.h"

namespace bench {
namespace {

constexpr int kPairs = 1000;
constexpr int kSets = 256;
constexpr VkDeviceSize kBytes = 1024;

int64_t ProcessCpuNs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

VkImageCreateInfo SmallImage() {
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  return info;
}

// What one thread records with.
struct Lane {
  VkCommandPool pool;
  VkCommandBuffer commands;
  Image image = MakeImage(SmallImage());
  Buffer source = MakeStaging(kBytes);

  Lane() {
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool_info.queueFamilyIndex = family;
    OK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pool;
    allocate.commandBufferCount = 1;
    OK(vkAllocateCommandBuffers(device, &allocate, &commands));
    Start();
    const VkImageMemoryBarrier barrier =
        ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     0, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    Submit();
  }
  ~Lane() {
    vkDestroyCommandPool(device, pool, nullptr);
    Destroy(image);
    Destroy(source);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void Start() const {
    const VkCommandBufferBeginInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                           nullptr};
    OK(vkBeginCommandBuffer(commands, &info));
  }
  void RecordPair() const {
    const VkImageMemoryBarrier barrier = ImageBarrier(
        image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, nullptr, 0, nullptr, 1, &barrier);
    VkBufferImageCopy region = {};
    region.imageSubresource = kFirst;
    region.imageExtent = {16, 16, 1};
    vkCmdCopyBufferToImage(commands, source.handle, image.handle,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
  }
  void End() const { OK(vkEndCommandBuffer(commands)); }
  void Submit() const {
    End();
    VkSubmitInfo info = SubmitInfo();
    info.pCommandBuffers = &commands;
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
};

// Measures the CPU time of the process [ns per call] for batches that record `calls` calls and
// submit them. `batch`: one batch.
void MeasureSubmitted(const Options& options, const char* name, int calls,
                      const std::function<void()>& batch) {
  const auto measure = [&] {
    const int64_t begin = ProcessCpuNs();
    batch();
    return static_cast<double>(ProcessCpuNs() - begin) / calls;
  };
  if (options.switched) return MeasureSwitched(options.batches, name, "ns", measure);
  std::vector<double> values;
  for (int i = -2; i < options.batches; ++i) {
    const double value = measure();
    if (i >= 0) values.push_back(value);
  }
  PrintValues(name, "ns", values);
}

void RecordCases(const Options& options, const Lane& lane, const char* suffix) {
  const std::string record = std::string("record_pair") + suffix;
  const char* group = *suffix == '\0' ? "calls" : "live";
  if (options.Wants(record.c_str(), group)) {
    MeasureBatches(
        options, record.c_str(), kPairs, [&] { lane.Start(); }, [&] { lane.RecordPair(); },
        [&] { lane.End(); });
  }
  const std::string submitted = std::string("pair_submitted") + suffix;
  if (!options.Wants(submitted.c_str(), group)) return;
  MeasureSubmitted(options, submitted.c_str(), kPairs, [&] {
    lane.Start();
    for (int i = 0; i < kPairs; ++i) lane.RecordPair();
    lane.Submit();
  });
}

// Sets whose dispatches have outputs of their own, so that nothing is to be ordered between them.
struct Dispatches {
  Compute compute = MakeCompute();
  Buffer input = MakeBuffer(kBytes, kStorage, kHostMemory);
  std::vector<Buffer> outputs;
  VkDescriptorPool pool;
  std::vector<VkDescriptorSet> sets{kSets};

  Dispatches() {
    sets.resize(kSets);
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * kSets};
    VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool_info.maxSets = kSets;
    pool_info.poolSizeCount = 1;
    pool_info.pPoolSizes = &size;
    OK(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool));
    const std::vector<VkDescriptorSetLayout> layouts(kSets, compute.set_layout);
    VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = kSets;
    allocate.pSetLayouts = layouts.data();
    OK(vkAllocateDescriptorSets(device, &allocate, sets.data()));
    for (VkDescriptorSet set : sets) {
      outputs.push_back(MakeBuffer(kBytes, kStorage));
      Update(set, outputs.back().handle);
    }
  }
  ~Dispatches() {
    vkDestroyDescriptorPool(device, pool, nullptr);
    Destroy(compute);
    Destroy(input);
    for (const Buffer& output : outputs) Destroy(output);
  }
  Dispatches(const Dispatches&) = delete;
  Dispatches& operator=(const Dispatches&) = delete;

  void Update(VkDescriptorSet set, VkBuffer output) const {
    const VkDescriptorBufferInfo infos[] = {{input.handle, 0, VK_WHOLE_SIZE},
                                            {output, 0, VK_WHOLE_SIZE}};
    const VkWriteDescriptorSet writes[] = {Write(set, 0, &infos[0]), Write(set, 1, &infos[1])};
    vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  }
};

void ComputeCases(const Options& options, const Lane& lane) {
  const Dispatches work;
  size_t next = 0;
  const auto start = [&] {
    next = 0;
    lane.Start();
    vkCmdBindPipeline(lane.commands, VK_PIPELINE_BIND_POINT_COMPUTE, work.compute.pipeline);
  };
  const auto dispatch = [&] {
    vkCmdBindDescriptorSets(lane.commands, VK_PIPELINE_BIND_POINT_COMPUTE, work.compute.layout, 0,
                            1, &work.sets[next++], 0, nullptr);
    vkCmdDispatch(lane.commands, 1, 1, 1);
  };
  if (options.Wants("bind_dispatch", "calls"))
    MeasureBatches(options, "bind_dispatch", kSets, start, dispatch, [&] { lane.Submit(); });
  if (options.Wants("bind_dispatch_submitted", "calls")) {
    MeasureSubmitted(options, "bind_dispatch_submitted", kSets, [&] {
      start();
      for (int i = 0; i < kSets; ++i) dispatch();
      lane.Submit();
    });
  }
  if (options.Wants("update_sets", "calls")) {
    MeasureBatches(
        options, "update_sets", kSets, [&] { next = 0; },
        [&] {
          work.Update(work.sets[next], work.outputs[next].handle);
          ++next;
        },
        [] {});
  }
}

// The same range over and over, as programs write it for each draw.
void PushCases(const Options& options, const Lane& lane) {
  if (!options.Wants("push_constants", "calls")) return;
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 64};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &layout));
  const char values[64] = {};
  MeasureBatches(
      options, "push_constants", kPairs, [&] { lane.Start(); },
      [&] { vkCmdPushConstants(lane.commands, layout, range.stageFlags, 0, range.size, values); },
      [&] { lane.End(); });
  vkDestroyPipelineLayout(device, layout, nullptr);
}

// The viewport and the scissor, as programs set them in each pass.
void DynamicStateCases(const Options& options, const Lane& lane) {
  if (!options.Wants("dynamic_state", "calls")) return;
  const VkViewport viewport = {0, 0, 64, 64, 0, 1};
  const VkRect2D scissor = {{0, 0}, {64, 64}};
  MeasureBatches(
      options, "dynamic_state", kPairs, [&] { lane.Start(); },
      [&] {
        vkCmdSetViewport(lane.commands, 0, 1, &viewport);
        vkCmdSetScissor(lane.commands, 0, 1, &scissor);
      },
      [&] { lane.End(); });
}

void ObjectCases(const Options& options, const char* suffix) {
  const std::string name = std::string("image_cycle") + suffix;
  if (!options.Wants(name.c_str(), *suffix == '\0' ? "calls" : "live")) return;
  MeasureBatches(options, name.c_str(), 200, [] { Destroy(MakeImage(SmallImage())); });
}

void SubmitCases(const Options& options) {
  if (!options.Wants("empty_submit", "calls")) return;
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
  std::vector<VkFence> fences(200);
  for (VkFence& fence : fences) OK(vkCreateFence(device, &info, nullptr, &fence));
  size_t next = 0;
  MeasureBatches(
      options, "empty_submit", static_cast<int>(fences.size()), [&] { next = 0; },
      [&] { OK(vkQueueSubmit(queue, 0, nullptr, fences[next++])); },
      [&] {
        const auto count = static_cast<uint32_t>(fences.size());
        OK(vkWaitForFences(device, count, fences.data(), VK_TRUE, ~0ull));
        OK(vkResetFences(device, count, fences.data()));
      });
  for (VkFence fence : fences) vkDestroyFence(device, fence, nullptr);
}

// CPU time of a thread that records while another one does: what waits for a spin lock shows.
void ThreadCases(const Options& options, const Lane& lane) {
  if (!options.Wants("two_threads_pair", "threads")) return;
  const Lane other;
  std::atomic<int> turn{0}, done{0};
  std::thread helper([&] {
    for (int seen = 0;;) {
      turn.wait(seen);
      seen = turn.load();
      if (seen < 0) return;
      other.Start();
      for (int i = 0; i < kPairs; ++i) other.RecordPair();
      other.End();
      done = seen;
    }
  });
  MeasureBatches(
      options, "two_threads_pair", kPairs,
      [&] {
        lane.Start();
        turn.fetch_add(1);
        turn.notify_one();
      },
      [&] { lane.RecordPair(); },
      [&] {
        lane.End();
        while (done != turn) std::this_thread::yield();
      });
  turn = -1;
  turn.notify_one();
  helper.join();
}

// Images in one memory object, which has room for `more` others.
struct LiveImages {
  VkDeviceMemory memory;
  VkDeviceSize step;  // from one image to the next [bytes]
  std::vector<VkImage> images;

  explicit LiveImages(size_t count, size_t more = 0) : images(count) {
    const VkImageCreateInfo info = SmallImage();
    VkMemoryRequirements needs = {};
    for (VkImage& image : images) OK(vkCreateImage(device, &info, nullptr, &image));
    vkGetImageMemoryRequirements(device, images[0], &needs);
    step = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    needs.size = step * (count + more);
    memory = Allocate(needs, 0);
    for (size_t i = 0; i < count; ++i) OK(vkBindImageMemory(device, images[i], memory, step * i));
  }
  ~LiveImages() {
    for (VkImage image : images) vkDestroyImage(device, image, nullptr);
    vkFreeMemory(device, memory, nullptr);
  }
  LiveImages(const LiveImages&) = delete;
  LiveImages& operator=(const LiveImages&) = delete;
};

// Creates and binds images beside 16,384 live ones.
void BindCases(const Options& options) {
  if (!options.Wants("create_bind", "bind")) return;
  constexpr size_t kLive = 16384, kMore = 256;
  const LiveImages live(kLive, kMore);
  const VkImageCreateInfo info = SmallImage();
  VkImage images[kMore];
  size_t next = 0;
  MeasureBatches(
      options, "create_bind", kMore, [&] { next = 0; },
      [&] {
        OK(vkCreateImage(device, &info, nullptr, &images[next]));
        OK(vkBindImageMemory(device, images[next], live.memory, live.step * (kLive + next)));
        ++next;
      },
      [&] {
        for (VkImage image : images) vkDestroyImage(device, image, nullptr);
      });
}

// Frames whose timeline is signalled and never waited for; a fence tells that they are done.
void Frames(const Lane& lane, int64_t count, VkSemaphore timeline, uint64_t* value) {
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, 0};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  for (int64_t i = 0; i < count; ++i) {
    lane.Start();
    lane.RecordPair();
    lane.End();
    ++*value;
    VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = value;
    VkSubmitInfo info = SubmitInfo();
    info.pNext = &values;
    info.pCommandBuffers = &lane.commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &timeline;
    OK(vkQueueSubmit(queue, 1, &info, fence));
    OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &fence));
  }
  vkDestroyFence(device, fence, nullptr);
}

void MemoryCases(const Options& options, const Lane& lane) {
  if (options.Wants("live_bytes", "memory")) {
    { const LiveImages warm_up(1000); }
    const int64_t before = ResidentBytes();
    const LiveImages live(static_cast<size_t>(options.live));
    PrintValues(
        "live_bytes", "B",
        {static_cast<double>(ResidentBytes() - before) / static_cast<double>(options.live)});
  }
  if (options.Wants("growth_frames", "memory")) {
    VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
    VkSemaphore timeline;
    OK(vkCreateSemaphore(device, &info, nullptr, &timeline));
    uint64_t value = 0;
    Frames(lane, options.cycles / 10, timeline, &value);
    const int64_t before = ResidentBytes();
    Frames(lane, options.cycles, timeline, &value);
    PrintValues("growth_frames", "B", {static_cast<double>(ResidentBytes() - before)});
    vkDestroySemaphore(device, timeline, nullptr);
  }
}

void Run(const Options& options) {
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  features.timelineSemaphore = VK_TRUE;
  Open({.features = &features});
  {
    const Lane lane;
    RecordCases(options, lane, "");
    ComputeCases(options, lane);
    PushCases(options, lane);
    DynamicStateCases(options, lane);
    ObjectCases(options, "");
    SubmitCases(options);
    ThreadCases(options, lane);
    BindCases(options);
    if (options.Wants("record_pair_live", "live") || options.Wants("pair_submitted_live", "live") ||
        options.Wants("image_cycle_live", "live")) {
      const LiveImages live(static_cast<size_t>(options.live));
      RecordCases(options, lane, "_live");
      ObjectCases(options, "_live");
    }
    MemoryCases(options, lane);
  }
  Close();
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { bench::Run(bench::ParseOptions(argc, argv)); }
