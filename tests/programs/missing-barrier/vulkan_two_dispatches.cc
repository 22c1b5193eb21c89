// Defect: Two dispatches write the same bytes or texels, and nothing orders them.
// Fix: A barrier orders the dispatches, or they write different parts.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "common/vulkan_sets.h"
#include "shaders/mark.comp.h"
#include "shaders/part.comp.h"
#include "shaders/stamp.comp.h"

// Defect: Two dispatches write the same word of a buffer, and nothing orders them.
// Fix: A barrier orders the second dispatch behind the first.
// EXPECT warning missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
static void WordOfTwoDispatches() {
  const Compute compute = MakeCompute(mark_comp, sizeof(mark_comp));
  const Buffer input = MakeBuffer(256, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 256);
  vkUnmapMemory(device, input.memory);
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  Bind(compute);
  // @FIRST
  vkCmdDispatch(commands, 1, 1, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
#endif
  // @SECOND
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Destroy(input, output, compute);
}

// Defect: Two dispatches write the same bytes of a buffer, and nothing orders them. The code of the
// shader and the numbers of workgroups say which bytes these are.
// Fix: The second dispatch writes the bytes behind those of the first. That both descriptors show
// these bytes does not matter.
// EXPECT error missing-barrier vkCmdDispatch at SECOND_2
// EXPECT-PARTY earlier-access at FIRST_2
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=0 to 1023
static void BytesOfTwoDispatches() {
  const Compute first = MakeCompute(), second = MakeCompute();
  const Buffer input = MakeBuffer(2048, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 2048);
  vkUnmapMemory(device, input.memory);
  SetBuffers(first, input.handle, output.handle);
  SetBuffers(second, input.handle, output.handle);
#ifndef DEFECT
  const VkDescriptorBufferInfo rest = {output.handle, 1024, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = Write(second.set, 1, &rest);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#endif
  Begin();
  Bind(first);
  // @FIRST_2
  vkCmdDispatch(commands, 4, 1, 1);
  Bind(second);
  // @SECOND_2
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  Destroy(input, output, first, second);
}

// Defect: Two dispatches change windows of a buffer that overlap, and nothing orders them. Push
// constants choose the windows.
// Fix: The second window begins behind the first.
// EXPECT error missing-barrier vkCmdDispatch at SECOND_3
// EXPECT-PARTY earlier-access at FIRST_3
// EXPECT-FACT byte_range=400 to 911
// EXPECT-COUNT 2
static void WindowsOfTwoDispatches() {
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  uint32_t second = 128;
#ifdef DEFECT
  second = 100;
#endif
  Begin();
  Bind(windows);
  Push(windows, {0, 128});
  // @FIRST_3
  vkCmdDispatch(commands, 2, 1, 1);
  Push(windows, {second, 128});
  // @SECOND_3
  vkCmdDispatch(commands, 2, 1, 1);
  Run();
  Destroy(words, windows);
}

// Defect: Two dispatches with bases write the same tile, and nothing orders them.
// Fix: The second one begins after the last tile of the first.
// EXPECT error missing-barrier vkCmdDispatchBase at SECOND_4
// EXPECT-PARTY earlier-access at FIRST_4
// EXPECT-FACT hazard=WAW
static void TilesThatOverlap() {
  const Tiles tiles = MakeTiles(16, 16);
  Begin();
  Bind(tiles.compute);
  // @FIRST_4
  vkCmdDispatchBase(commands, 2, 0, 0, 4, 1, 1);
#ifdef DEFECT
  // @SECOND_4
  vkCmdDispatchBase(commands, 5, 0, 0, 4, 1, 1);
#else
  vkCmdDispatchBase(commands, 6, 0, 0, 4, 1, 1);
#endif
  // Of tiles that no dispatch writes.
  vkCmdFillBuffer(commands, tiles.words.handle, 10 * kTileBytes, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, tiles.words.handle, 0, 2 * kTileBytes, 0);
  Run();
  Destroy(tiles);
}

// Defect: Two dispatches store to the same texels of a storage image, and nothing orders them.
// Fix: A barrier orders the stores of the second dispatch after those of the first one.
// EXPECT warning missing-barrier vkCmdDispatch at SECOND_5
// EXPECT-PARTY earlier-access at FIRST_5
// EXPECT-FACT hazard=WAW
static void ImageStoresToTheSameTexels() {
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_R32_UINT);
  info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  const Image image = MakeImage(info);
  const VkImageView view = ViewOf(image.handle, VK_FORMAT_R32_UINT);
  const OneSet made = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  const VkPipeline pipeline = MakeComputePipeline(made.layout, stamp_comp, sizeof(stamp_comp),
                                                  VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
  const int32_t column = 13;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(column)};
  const VkSpecializationInfo constants = {1, &entry, sizeof(column), &column};
  const VkShaderModule module = MakeModule(stamp_comp, sizeof(stamp_comp));
  VkComputePipelineCreateInfo specialized = ComputeInfo(module, made.layout);
  specialized.stage.pSpecializationInfo = &constants;
  VkPipeline right;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &specialized, nullptr, &right));
  const VkDescriptorImageInfo storage = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = WriteOne(made, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  write.pImageInfo = &storage;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  const VkImageMemoryBarrier start =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_SHADER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1, &start);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 1, &made.set, 0,
                          nullptr);
  // Columns 1 to 8 of rows 0 to 3.
  // @FIRST_5
  vkCmdDispatch(commands, 2, 1, 1);
  // Other rows, and columns on the right: these need no barrier.
  vkCmdDispatchBase(commands, 0, 1, 0, 2, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 1, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, right);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
#ifdef DEFECT
  // Columns 1 to 4 of rows 0 to 3.
#else
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
#endif
  // @SECOND_5
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  vkDestroyShaderModule(device, module, nullptr);
  Destroy(pipeline, right);
  Destroy(made);
  Destroy(view, image);
}

// Defect: Two pipelines of one shader change the same part of a buffer in place, without a barrier.
// Fix: The constant of the second pipeline moves it behind the part of the first one. Both
// descriptors show the whole buffer.
// EXPECT error missing-barrier vkCmdDispatch at SECOND_6
// EXPECT-PARTY earlier-access at FIRST_6
// EXPECT-FACT byte_range=0 to 2047
// A compute pipeline that starts at a word of its buffer.
static VkPipeline MakePart(VkPipelineLayout layout, uint32_t first_word) {
  VkShaderModule module = MakeModule(part_comp, sizeof(part_comp));
  const VkSpecializationMapEntry entry = {0, 0, sizeof(first_word)};
  const VkSpecializationInfo constants = {1, &entry, sizeof(first_word), &first_word};
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout;
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, module, nullptr);
  return pipeline;
}

static void PartsByConstants() {
  const Compute compute = MakeCompute(part_comp, sizeof(part_comp));
  const Buffer all = MakeBuffer(4096, kStorage);
  SetBuffers(compute, all.handle, all.handle);
  uint32_t second_word = 512;
#ifdef DEFECT
  second_word = 0;
#endif
  const VkPipeline first = MakePart(compute.layout, 0);
  const VkPipeline second = MakePart(compute.layout, second_word);
  Begin();
  vkCmdFillBuffer(commands, all.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, first);
  // @FIRST_6
  vkCmdDispatch(commands, 8, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, second);
  // @SECOND_6
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Destroy(first, second, all, compute);
}

int main() {
  Open();
  WordOfTwoDispatches();
  BytesOfTwoDispatches();
  WindowsOfTwoDispatches();
  TilesThatOverlap();
  ImageStoresToTheSameTexels();
  PartsByConstants();
  Close();
}
