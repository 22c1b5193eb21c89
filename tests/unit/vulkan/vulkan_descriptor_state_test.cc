// Descriptors that are pushed or written by templates, and what sparse binds use.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

// A set layout with two uniform buffers and a combined image sampler, and a pipeline layout with
// it.
struct Layouts {
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  VkPipelineLayout pipeline = VK_NULL_HANDLE;

  Layouts(const StateScene& scene, VkDescriptorSetLayoutCreateFlags flags) {
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2, VK_SHADER_STAGE_ALL, nullptr},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, nullptr}};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.flags = flags;
    info.bindingCount = 2;
    info.pBindings = bindings;
    VK(CreateDescriptorSetLayout)(scene.device(), &info, nullptr, &set);
    VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set;
    VK(CreatePipelineLayout)(scene.device(), &layout, nullptr, &pipeline);
  }
};

VkBuffer Uniform(const StateScene& scene) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = kBufferBytes;
  info.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  VkBuffer buffer;
  VK(CreateBuffer)(scene.device(), &info, nullptr, &buffer);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory;
  VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
  VK(BindBufferMemory)(scene.device(), buffer, memory, 0);
  return buffer;
}

constexpr VkDescriptorType kUniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
constexpr VkDescriptorSetLayoutCreateFlags kPushed =
    VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;

TEST_CASE("pushed descriptors fit the layout of their set") {
  const StateScene scene;
  const Layouts layouts(scene, kPushed), bound(scene, 0);
  const VkDescriptorBufferInfo infos[3] = {{Uniform(scene), 0, VK_WHOLE_SIZE},
                                           {Uniform(scene), 0, VK_WHOLE_SIZE},
                                           {Uniform(scene), 0, VK_WHOLE_SIZE}};
  const VkDescriptorImageInfo no_sampler = {};
  const auto push = [&](VkPipelineLayout layout, uint32_t set, uint32_t binding,
                        VkDescriptorType type, uint32_t count) {
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstBinding = binding;
    write.descriptorCount = count;
    write.descriptorType = type;
    write.pBufferInfo = infos;
    write.pImageInfo = &no_sampler;
    scene.Get<PFN_vkCmdPushDescriptorSetKHR>("vkCmdPushDescriptorSetKHR")(
        scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, set, 1, &write);
    return Vuids();
  };
  Vuids();
  CHECK(push(layouts.pipeline, 0, 0, kUniform, 2) == List());
  CHECK(push(layouts.pipeline, 0, 1, kUniform, 1) == List{"VkWriteDescriptorSet-dstBinding-00316"});
  CHECK(push(layouts.pipeline, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1).front() ==
        "VkWriteDescriptorSet-descriptorType-00319");
  CHECK(push(layouts.pipeline, 0, 3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1) ==
        List{"VkWriteDescriptorSet-descriptorType-00325",
             "VkWriteDescriptorSet-descriptorType-02997"});
  CHECK(push(layouts.pipeline, 1, 0, kUniform, 1) == List{"vkCmdPushDescriptorSet-set-00364"});
  CHECK(push(bound.pipeline, 0, 0, kUniform, 1) == List{"vkCmdPushDescriptorSet-set-00365"});
}

TEST_CASE("descriptors name VK_NULL_HANDLE only with the feature nullDescriptor") {
  const auto push = [](const StateScene& scene, uint32_t binding, VkDescriptorType type,
                       VkDescriptorBufferInfo range) {
    const Layouts layouts(scene, kPushed);
    VkSamplerCreateInfo sampler_info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkDescriptorImageInfo image = {};
    VK(CreateSampler)(scene.device(), &sampler_info, nullptr, &image.sampler);
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = type;
    write.pBufferInfo = &range;
    write.pImageInfo = &image;
    scene.Get<PFN_vkCmdPushDescriptorSetKHR>("vkCmdPushDescriptorSetKHR")(
        scene.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layouts.pipeline, 0, 1, &write);
    return Vuids();
  };
  constexpr VkDescriptorType kCombined = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  constexpr VkDescriptorBufferInfo kNone = {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
  Vuids();
  const StateScene without;
  CHECK(push(without, 0, kUniform, kNone) == List{"VkDescriptorBufferInfo-buffer-02998"});
  CHECK(push(without, 3, kCombined, kNone) == List{"VkWriteDescriptorSet-descriptorType-02997"});
  VkPhysicalDeviceRobustness2FeaturesEXT feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
  feature.nullDescriptor = VK_TRUE;
  const StateScene with(0, &feature);
  CHECK(push(with, 0, kUniform, kNone) == List());
  CHECK(push(with, 3, kCombined, kNone) == List());
  CHECK(push(with, 0, kUniform, {VK_NULL_HANDLE, 0, 16}) ==
        List{"VkDescriptorBufferInfo-buffer-02999"});
  CHECK(push(with, 0, kUniform, {Uniform(with), 0, kBufferBytes + 1}) ==
        List{"VkDescriptorBufferInfo-range-00342"});
  const auto bind = [](const StateScene& scene, VkDeviceSize offset) {
    const VkBuffer none = VK_NULL_HANDLE;
    VK(CmdBindVertexBuffers)(scene.commands, 0, 1, &none, &offset);
    return Vuids();
  };
  CHECK(bind(with, 0) == List());
  CHECK(bind(with, 4) == List{"vkCmdBindVertexBuffers-pBuffers-04002"});
  CHECK(bind(without, 0) == List{"vkCmdBindVertexBuffers-pBuffers-04001"});
}

// A set of a pool of its own.
VkDescriptorSet AllocateSet(const StateScene& scene, VkDescriptorSetLayout layout,
                            VkDescriptorPoolCreateFlags flags = 0) {
  VkDescriptorPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.flags = flags;
  pool_info.maxSets = 1;
  VkDescriptorPool pool;
  VK(CreateDescriptorPool)(scene.device(), &pool_info, nullptr, &pool);
  VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layout;
  VkDescriptorSet set;
  VK(AllocateDescriptorSets)(scene.device(), &allocate, &set);
  return set;
}

// A set with these bindings. `chain`: of the layout. `after_bind`: for updates
// after the binding.
VkDescriptorSet MakeSet(const StateScene& scene,
                        const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                        bool after_bind = false, const void* chain = nullptr) {
  VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.pNext = chain;
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  if (after_bind) info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  VkDescriptorSetLayout layout;
  VK(CreateDescriptorSetLayout)(scene.device(), &info, nullptr, &layout);
  const VkDescriptorSet set =
      AllocateSet(scene, layout, after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0);
  Vuids();
  return set;
}

TEST_CASE("a write continues in bindings that are like the first") {
  const StateScene scene;
  const VkDescriptorBufferInfo infos[2] = {{Uniform(scene), 0, VK_WHOLE_SIZE},
                                           {Uniform(scene), 0, VK_WHOLE_SIZE}};
  const auto write = [&](VkDescriptorType second, VkShaderStageFlags stages) {
    VkWriteDescriptorSet two = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    two.dstSet = MakeSet(scene, {{0, kUniform, 1, VK_SHADER_STAGE_ALL, nullptr},
                                 {1, kUniform, 0, VK_SHADER_STAGE_VERTEX_BIT, nullptr},
                                 {2, second, 1, stages, nullptr}});
    two.descriptorCount = 2;
    two.descriptorType = kUniform;
    two.pBufferInfo = infos;
    VK(UpdateDescriptorSets)(scene.device(), 1, &two, 0, nullptr);
    return Vuids();
  };
  CHECK(write(kUniform, VK_SHADER_STAGE_ALL) == List());
  CHECK(write(kUniform, VK_SHADER_STAGE_VERTEX_BIT) ==
        List{"VkWriteDescriptorSet-descriptorCount-10776"});
  CHECK(write(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_ALL) ==
        List{"VkWriteDescriptorSet-descriptorCount-00317"});
}

TEST_CASE("an inline uniform block is written in words") {
  const StateScene scene;
  constexpr VkDescriptorType kBlock = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  const VkDescriptorSet set = MakeSet(scene, {{0, kBlock, 16, VK_SHADER_STAGE_ALL, nullptr}});
  const auto write = [&](uint32_t offset, uint32_t bytes, uint32_t data_bytes) {
    const char data[16] = {};
    VkWriteDescriptorSetInlineUniformBlock block = {
        VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK};
    block.dataSize = data_bytes;
    block.pData = data;
    VkWriteDescriptorSet one = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block};
    one.dstSet = set;
    one.dstArrayElement = offset;
    one.descriptorCount = bytes;
    one.descriptorType = kBlock;
    VK(UpdateDescriptorSets)(scene.device(), 1, &one, 0, nullptr);
    return Vuids();
  };
  CHECK(write(4, 8, 8) == List());
  CHECK(write(2, 8, 8) == List{"VkWriteDescriptorSet-descriptorType-02219"});
  CHECK(write(0, 6, 8) == List{"VkWriteDescriptorSet-descriptorType-02220",
                               "VkWriteDescriptorSet-descriptorType-02221"});
  CHECK(write(0, 8, 4) == List{"VkWriteDescriptorSet-descriptorType-02221"});
}

TEST_CASE("a mutable descriptor has a type of its list") {
  const StateScene scene;
  constexpr VkDescriptorType kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_VALVE;
  constexpr VkDescriptorType kTypes[] = {kUniform, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE};
  const VkMutableDescriptorTypeListVALVE list = {2, kTypes};
  VkMutableDescriptorTypeCreateInfoVALVE lists = {
      VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_VALVE};
  lists.mutableDescriptorTypeListCount = 1;
  lists.pMutableDescriptorTypeLists = &list;
  const std::vector<VkDescriptorSetLayoutBinding> bindings = {
      {0, kMutable, 1, VK_SHADER_STAGE_ALL, nullptr}};
  const VkDescriptorBufferInfo range = {scene.Buffer(), 0, VK_WHOLE_SIZE};
  const auto write = [&](VkDescriptorSet set, VkDescriptorType type) {
    VkWriteDescriptorSet one = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    one.dstSet = set;
    one.descriptorCount = 1;
    one.descriptorType = type;
    one.pBufferInfo = &range;
    VK(UpdateDescriptorSets)(scene.device(), 1, &one, 0, nullptr);
    return Vuids().front();
  };
  constexpr VkDescriptorType kStorage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const VkDescriptorSet listed = MakeSet(scene, bindings, false, &lists);
  // The buffer has another usage, which shows that the type fits.
  CHECK(write(listed, kUniform) == "VkWriteDescriptorSet-descriptorType-00330");
  CHECK(write(listed, kStorage) == "VkWriteDescriptorSet-dstSet-04611");
  CHECK(write(MakeSet(scene, bindings), kStorage) == "VkWriteDescriptorSet-descriptorType-00331");
}

TEST_CASE("a list of types fits a mutable binding") {
  const StateScene scene;
  constexpr VkDescriptorType kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_VALVE;
  constexpr VkDescriptorType kImage = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  const auto create = [&](VkDescriptorType type, const std::vector<VkDescriptorType>& types) {
    const VkMutableDescriptorTypeListVALVE list = {static_cast<uint32_t>(types.size()),
                                                   types.data()};
    VkMutableDescriptorTypeCreateInfoVALVE lists = {
        VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_VALVE};
    lists.mutableDescriptorTypeListCount = 1;
    lists.pMutableDescriptorTypeLists = &list;
    const VkDescriptorSetLayoutBinding binding = {0, type, 1, VK_SHADER_STAGE_ALL, nullptr};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            &lists};
    info.bindingCount = 1;
    info.pBindings = &binding;
    VkDescriptorSetLayout layout;
    VK(CreateDescriptorSetLayout)(scene.device(), &info, nullptr, &layout);
    return Vuids();
  };
  const auto broken = [](const char* end) {
    return List{std::string("VkMutableDescriptorTypeListEXT-") + end};
  };
  CHECK(create(kMutable, {kUniform, kImage}) == List());
  CHECK(create(kUniform, {}) == List());
  CHECK(create(kUniform, {kUniform}) == broken("descriptorTypeCount-04599"));
  CHECK(create(kMutable, {}) == broken("descriptorTypeCount-04597"));
  CHECK(create(kMutable, {kUniform, kUniform}) == broken("pDescriptorTypes-04598"));
  CHECK(create(kMutable, {kImage, kMutable}) == broken("pDescriptorTypes-04600"));
  CHECK(create(kMutable, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC}) ==
        broken("pDescriptorTypes-04601"));
  CHECK(create(kMutable, {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC}) ==
        broken("pDescriptorTypes-04602"));
  CHECK(create(kMutable, {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK}) ==
        broken("pDescriptorTypes-04603"));
}

struct LimitedBinding {
  VkDescriptorType type;
  uint32_t count;
  VkShaderStageFlags stages;
  VkDescriptorSetLayoutCreateFlags flags = 0;
};
constexpr VkDescriptorType kDynamic = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;

// The findings of a pipeline layout with one set for each binding.
std::vector<std::string> CreateLayout(const StateScene& scene,
                                      const std::vector<LimitedBinding>& sets,
                                      const std::vector<VkPushConstantRange>& ranges = {}) {
  std::vector<VkDescriptorSetLayout> layouts;
  for (const LimitedBinding& of : sets) {
    const VkDescriptorSetLayoutBinding binding = {0, of.type, of.count, of.stages, nullptr};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.flags = of.flags;
    info.bindingCount = 1;
    info.pBindings = &binding;
    layouts.emplace_back();
    VK(CreateDescriptorSetLayout)(scene.device(), &info, nullptr, &layouts.back());
  }
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<uint32_t>(layouts.size());
  info.pSetLayouts = layouts.data();
  info.pushConstantRangeCount = static_cast<uint32_t>(ranges.size());
  info.pPushConstantRanges = ranges.data();
  VkPipelineLayout layout;
  VK(CreatePipelineLayout)(scene.device(), &info, nullptr, &layout);
  return Vuids();
}

TEST_CASE("a pipeline layout stays within the limits of descriptors with dynamic offsets") {
  const std::vector<LimitedBinding> most = {{kDynamic, 8, VK_SHADER_STAGE_VERTEX_BIT},
                                            {kDynamic, 16, VK_SHADER_STAGE_FRAGMENT_BIT}};
  std::vector<LimitedBinding> more = most;
  ++more[0].count;
  SECTION("without the feature that replaces the limits") {
    const StateScene scene;
    CHECK(CreateLayout(scene, most) == List());
    CHECK(CreateLayout(scene, more) == List{"VkPipelineLayoutCreateInfo-descriptorType-03030"});
    for (LimitedBinding& binding : more) binding.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    CHECK(CreateLayout(scene, more) == List{"VkPipelineLayoutCreateInfo-descriptorType-03032"});
  }
  SECTION("with VK_KHR_maintenance7") {
    struct {
      VkStructureType type = static_cast<VkStructureType>(1000562000);
      void* next = nullptr;
      VkBool32 enabled = VK_TRUE;
    } features;
    const StateScene scene(0, &features);
    CHECK(CreateLayout(scene, more) == List());
  }
}

TEST_CASE("a pipeline layout stays within the limits of the device") {
  const StateScene scene;
  const auto create = [&](const std::vector<LimitedBinding>& sets,
                          const std::vector<VkPushConstantRange>& ranges = {}) {
    return CreateLayout(scene, sets, ranges);
  };
  constexpr VkShaderStageFlags kVertex = VK_SHADER_STAGE_VERTEX_BIT;
  constexpr VkShaderStageFlags kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
  const auto broken = [](const char* end) {
    return List{std::string("VkPipelineLayoutCreateInfo-descriptorType-") + end};
  };
  CHECK(create({{kUniform, 16, kVertex}, {kUniform, 8, kFragment}}) == List());
  CHECK(create({{kUniform, 16, kVertex}, {kUniform, 1, kVertex}}) == broken("03017"));
  CHECK(create({{kUniform, 16, kVertex}, {kDynamic, 1, kVertex}}) == broken("03017"));
  CHECK(create({{kUniform, 16, kVertex}, {kUniform, 9, kFragment}}) == broken("03029"));
  CHECK(create({{kUniform, 16, kVertex}, {kDynamic, 9, kFragment}}) == List());
  constexpr auto kLate = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
  CHECK(create({{kUniform, 16, kVertex}, {kUniform, 16, kVertex, kLate}}) == List());
  CHECK(create({{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 17, kFragment}}) ==
        List{"VkPipelineLayoutCreateInfo-descriptorType-03016",
             "VkPipelineLayoutCreateInfo-descriptorType-06939"});
  const std::vector<LimitedBinding> nine(9, LimitedBinding{kUniform, 1, kVertex});
  CHECK(create(nine) == List{"VkPipelineLayoutCreateInfo-setLayoutCount-00286"});

  CHECK(create({}, {{kVertex, 0, 128}, {kFragment, 64, 64}}) == List());
  CHECK(create({}, {{kVertex, 0, 132}}) == List{"VkPushConstantRange-size-00298"});
  CHECK(create({}, {{kVertex, 128, 4}}) == List{"VkPushConstantRange-offset-00294"});
  CHECK(create({}, {{kVertex, 2, 4}}) == List{"VkPushConstantRange-offset-00295"});
  CHECK(create({}, {{kVertex, 0, 0}}) == List{"VkPushConstantRange-size-00296"});
  CHECK(create({}, {{kVertex, 0, 6}}) == List{"VkPushConstantRange-size-00297"});
  CHECK(create({}, {{kVertex, 0, 16}, {kVertex | kFragment, 16, 16}}) ==
        List{"VkPipelineLayoutCreateInfo-pPushConstantRanges-00292"});
}

TEST_CASE("descriptors are copied between sets with the same kind of updates") {
  const StateScene scene;
  const auto copy = [&](bool from, bool to) {
    const std::vector<VkDescriptorSetLayoutBinding> bindings = {
        {0, kUniform, 1, VK_SHADER_STAGE_ALL, nullptr}};
    VkCopyDescriptorSet one = {VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET};
    one.srcSet = MakeSet(scene, bindings, from);
    one.dstSet = MakeSet(scene, bindings, to);
    one.descriptorCount = 1;
    VK(UpdateDescriptorSets)(scene.device(), 0, nullptr, 1, &one);
    return Vuids();
  };
  CHECK(copy(false, false) == List());
  CHECK(copy(true, true) == List());
  CHECK(copy(true, false) ==
        List{"VkCopyDescriptorSet-srcSet-01918", "VkCopyDescriptorSet-srcSet-01920"});
  CHECK(copy(false, true) ==
        List{"VkCopyDescriptorSet-srcSet-01919", "VkCopyDescriptorSet-srcSet-01921"});
}

TEST_CASE("an error is reported before the driver is called, which may crash") {
  const StateScene scene;
  const Layouts layouts(scene, 0);
  const VkDescriptorSet set = AllocateSet(scene, layouts.set);
  const VkDescriptorBufferInfo range = {Uniform(scene), 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = 1;  // the layout has no such binding
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  write.pBufferInfo = &range;
  Vuids();
  List before;
  AtUpdate([&] { before = Vuids(); });
  VK(UpdateDescriptorSets)(scene.device(), 1, &write, 0, nullptr);
  AtUpdate({});
  CHECK(before == List{"VkWriteDescriptorSet-dstBinding-00316"});
  CHECK(Vuids() == List());
}

TEST_CASE("the entries of an update template fit the layout of the set") {
  const StateScene scene;
  const Layouts layouts(scene, 0);
  const VkDescriptorSet set = AllocateSet(scene, layouts.set);
  const VkDescriptorBufferInfo data[3] = {{Uniform(scene), 0, VK_WHOLE_SIZE},
                                          {Uniform(scene), 0, VK_WHOLE_SIZE},
                                          {Uniform(scene), 0, VK_WHOLE_SIZE}};
  const auto update = [&](uint32_t binding, VkDescriptorType type, uint32_t first, uint32_t count) {
    const VkDescriptorUpdateTemplateEntry entry = {binding, first, count, type, 0, sizeof(data[0])};
    VkDescriptorUpdateTemplateCreateInfo info = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO};
    info.descriptorUpdateEntryCount = 1;
    info.pDescriptorUpdateEntries = &entry;
    info.descriptorSetLayout = layouts.set;
    VkDescriptorUpdateTemplate made;
    VK(CreateDescriptorUpdateTemplate)(scene.device(), &info, nullptr, &made);
    VK(UpdateDescriptorSetWithTemplate)(scene.device(), set, made, data);
    return Vuids();
  };
  Vuids();
  CHECK(update(0, kUniform, 0, 2) == List());
  CHECK(update(2, kUniform, 0, 1) == List{"VkDescriptorUpdateTemplateEntry-dstBinding-00354"});
  CHECK(update(0, kUniform, 1, 3) == List{"VkDescriptorUpdateTemplateEntry-dstArrayElement-00355"});
  CHECK(update(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 0, 2) ==
        List{"vkUpdateDescriptorSetWithTemplate-pData-01685"});
}

TEST_CASE("device memory and buffers of a pending sparse bind are in use") {
  const StateScene scene;
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
  info.size = 4096;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer;
  VK(CreateBuffer)(scene.device(), &info, nullptr, &buffer);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 4096;
  VkDeviceMemory memory[2];
  for (VkDeviceMemory& one : memory) VK(AllocateMemory)(scene.device(), &allocate, nullptr, &one);
  const auto bind = [&](VkDeviceMemory to) {
    VkSparseMemoryBind page = {};
    page.size = 4096;
    page.memory = to;
    const VkSparseBufferMemoryBindInfo pages = {buffer, 1, &page};
    VkBindSparseInfo binds = {VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    binds.bufferBindCount = 1;
    binds.pBufferBinds = &pages;
    VK(QueueBindSparse)(scene.queue(), 1, &binds, VK_NULL_HANDLE);
  };
  Vuids();
  bind(memory[0]);
  VK(QueueWaitIdle)(scene.queue());
  bind(VK_NULL_HANDLE);
  VK(FreeMemory)(scene.device(), memory[0], nullptr);
  CHECK(Vuids() == List());
  bind(memory[1]);
  VK(FreeMemory)(scene.device(), memory[1], nullptr);
  CHECK(Vuids() == List{"vkFreeMemory-memory-00677"});
  VK(DestroyBuffer)(scene.device(), buffer, nullptr);
  CHECK(Vuids() == List{"vkDestroyBuffer-buffer-00922"});
}

// A sparse buffer of two pages, and a command buffer that fills the first one.
struct SparsePages {
  static constexpr VkDeviceSize kPage = 2048;

  SparsePages() {
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    info.size = 2 * kPage;
    info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VK(CreateBuffer)(scene.device(), &info, nullptr, &buffer);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = kPage;
    VK(AllocateMemory)(scene.device(), &allocate, nullptr, &memory);
    VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VK(CreateSemaphore)(scene.device(), &semaphore, nullptr, &bound);
    scene.Begin(scene.commands);
    VK(CmdFillBuffer)(scene.commands, buffer, 0, kPage, 0);
    VK(EndCommandBuffer)(scene.commands);
    Vuids();
  }

  void Bind(VkDeviceSize offset, bool signals) const {
    VkSparseMemoryBind page = {};
    page.resourceOffset = offset;
    page.size = kPage;
    page.memory = memory;
    const VkSparseBufferMemoryBindInfo pages = {buffer, 1, &page};
    VkBindSparseInfo binds = {VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
    binds.bufferBindCount = 1;
    binds.pBufferBinds = &pages;
    binds.signalSemaphoreCount = signals;
    binds.pSignalSemaphores = &bound;
    VK(QueueBindSparse)(scene.queue(), 1, &binds, VK_NULL_HANDLE);
  }
  // Submits the fill, and waits for the queue.
  void Fill(bool waits) const {
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.waitSemaphoreCount = waits;
    submit.pWaitSemaphores = &bound;
    submit.pWaitDstStageMask = &stage;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &scene.commands;
    VK(QueueSubmit)(scene.queue(), 1, &submit, VK_NULL_HANDLE);
    Wait();
  }
  void Wait() const { VK(QueueWaitIdle)(scene.queue()); }

  StateScene scene;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkSemaphore bound = VK_NULL_HANDLE;
};

TEST_CASE("a command that writes a page waits for the bind of the page by a semaphore") {
  const SparsePages pages;
  pages.Bind(0, false);
  pages.Fill(false);
  CHECK(Vuids() == List{"?"});
  pages.Bind(0, true);
  pages.Fill(true);
  CHECK(Vuids() == List());
}

TEST_CASE("a bind of another page, and one that the host has waited for, are no race") {
  const SparsePages pages;
  pages.Bind(SparsePages::kPage, false);
  pages.Fill(false);
  CHECK(Vuids() == List());
  pages.Bind(0, false);
  pages.Wait();
  pages.Fill(false);
  CHECK(Vuids() == List());
}

}  // namespace
}  // namespace gpusan::test
