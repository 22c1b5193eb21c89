// Queries that their pool, the queue family or the device does not allow, and what secondary
// command buffers inherit.
#include <catch2/catch.hpp>

#include "tests/unit/vulkan/vulkan_state_scene.h"

namespace gpusan::test {
namespace {

using List = std::vector<std::string>;

// Features of the core, as a chain.
struct CoreFeatures {
  CoreFeatures() {
    features.features.inheritedQueries = VK_TRUE;
    features.features.occlusionQueryPrecise = VK_TRUE;
  }
  VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
};

// Begins and ends query 0.
List Query(const StateScene& scene, VkQueryPool pool, VkQueryControlFlags flags = 0) {
  VK(CmdBeginQuery)(scene.commands, pool, 0, flags);
  VK(CmdEndQuery)(scene.commands, pool, 0);
  return Vuids();
}

TEST_CASE("a precise query counts samples") {
  CoreFeatures core;
  const StateScene scene(0, &core.features), other;
  constexpr VkQueryControlFlags kPrecise = VK_QUERY_CONTROL_PRECISE_BIT;
  CHECK(Query(scene, scene.Queries(VK_QUERY_TYPE_OCCLUSION), kPrecise) == List());
  CHECK(Query(other, other.Queries(VK_QUERY_TYPE_OCCLUSION)) == List());
  CHECK(Query(other, other.Queries(VK_QUERY_TYPE_OCCLUSION), kPrecise) ==
        List{"vkCmdBeginQuery-queryType-00800"});
  CHECK(Query(scene,
              scene.Queries(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT),
              kPrecise) == List{"vkCmdBeginQuery-queryType-00800"});
}

TEST_CASE("a query has a type that the queue family supports") {
  const StateScene scene(1);
  constexpr VkQueryType kStatistics = VK_QUERY_TYPE_PIPELINE_STATISTICS;
  CHECK(Query(scene, scene.Queries(VK_QUERY_TYPE_OCCLUSION)) ==
        List{"vkCmdBeginQuery-queryType-00803"});
  CHECK(Query(scene, scene.Queries(kStatistics, 1,
                                   VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT)) ==
        List{"vkCmdBeginQuery-queryType-00804"});
  CHECK(Query(scene, scene.Queries(kStatistics, 1,
                                   VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT)) ==
        List{"vkCmdBeginQuery-queryType-00805"});
  CHECK(Query(scene, scene.Queries(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT)) ==
        List{"vkCmdBeginQuery-queryType-06687", "vkCmdBeginQuery-queryType-06688"});
  const VkQueryPool times = scene.Queries(VK_QUERY_TYPE_TIMESTAMP);
  VK(CmdWriteTimestamp)(scene.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, times, 0);
  CHECK(Vuids() == List{"vkCmdWriteTimestamp-timestampValidBits-00829"});
  VK(CmdWriteTimestamp2)(scene.commands, VK_PIPELINE_STAGE_2_COPY_BIT, times, 0);
  CHECK(Vuids() == List{"vkCmdWriteTimestamp2-timestampValidBits-03863"});
}

TEST_CASE("a query has a slot for each view of the subpass") {
  const StateScene scene;
  const VkQueryPool samples = scene.Queries(VK_QUERY_TYPE_OCCLUSION);
  const VkQueryPool times = scene.Queries(VK_QUERY_TYPE_TIMESTAMP);
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea.extent = {kImageSize, kImageSize};
  rendering.layerCount = 1;
  rendering.viewMask = 3;
  VK(CmdBeginRendering)(scene.commands, &rendering);
  const auto begin = [&](uint32_t query) {
    VK(CmdBeginQuery)(scene.commands, samples, query, 0);
    VK(CmdEndQuery)(scene.commands, samples, query);
    return Vuids();
  };
  const auto write = [&](uint32_t query) {
    VK(CmdWriteTimestamp)(scene.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, query);
    return Vuids();
  };
  CHECK(begin(2) == List());
  CHECK(begin(3) == List{"vkCmdBeginQuery-query-00808"});
  CHECK(write(2) == List());
  CHECK(write(3) == List{"vkCmdWriteTimestamp-query-00831"});
}

TEST_CASE("an indexed query ends with the index of its begin") {
  const StateScene scene;
  const VkQueryPool streams = scene.Queries(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
  const VkQueryPool samples = scene.Queries(VK_QUERY_TYPE_OCCLUSION);
  const auto query = [&](VkQueryPool pool, uint32_t begin, uint32_t end) {
    VK(CmdBeginQueryIndexedEXT)(scene.commands, pool, 0, 0, begin);
    VK(CmdEndQueryIndexedEXT)(scene.commands, pool, 0, end);
    return Vuids();
  };
  CHECK(query(streams, 1, 1) == List());
  CHECK(query(streams, 1, 0) == List{"vkCmdEndQueryIndexedEXT-queryType-06696"});
  CHECK(query(samples, 0, 0) == List());
  CHECK(query(samples, 1, 0) == List{"vkCmdBeginQueryIndexedEXT-queryType-06692"});
  CHECK(query(samples, 0, 1) == List{"vkCmdEndQueryIndexedEXT-queryType-06695"});
}

TEST_CASE("generated primitives need the feature of the device") {
  const auto begin = [](const StateScene& scene, uint32_t stream) {
    const VkQueryPool pool = scene.Queries(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
    VK(CmdBeginQueryIndexedEXT)(scene.commands, pool, 0, 0, stream);
    VK(CmdEndQueryIndexedEXT)(scene.commands, pool, 0, stream);
    return Vuids();
  };
  VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT};
  feature.primitivesGeneratedQuery = VK_TRUE;
  const StateScene without, with(0, &feature);
  CHECK(begin(with, 0) == List());
  CHECK(begin(with, 1) == List{"vkCmdBeginQueryIndexedEXT-queryType-06691"});
  CHECK(begin(without, 0) == List{"vkCmdBeginQueryIndexedEXT-queryType-06693"});
  feature.primitivesGeneratedQueryWithNonZeroStreams = VK_TRUE;
  const StateScene streams(0, &feature);
  CHECK(begin(streams, 1) == List());
}

TEST_CASE("the host resets queries of devices that allow it") {
  VkPhysicalDeviceHostQueryResetFeatures reset = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
  reset.hostQueryReset = VK_TRUE;
  const StateScene scene(0, &reset), other;
  VK(ResetQueryPool)(scene.device(), scene.Queries(VK_QUERY_TYPE_OCCLUSION), 0, 4);
  CHECK(Vuids() == List());
  other.Get<PFN_vkResetQueryPool>("vkResetQueryPool")(other.device(),
                                                      other.Queries(VK_QUERY_TYPE_OCCLUSION), 0, 4);
  CHECK(Vuids() == List{"vkResetQueryPool-None-02665"});
}

TEST_CASE("results have bytes of their own") {
  VkPhysicalDeviceHostQueryResetFeatures reset = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
  reset.hostQueryReset = VK_TRUE;
  const StateScene scene(0, &reset);
  const VkQueryPool samples = scene.Queries(VK_QUERY_TYPE_OCCLUSION);
  const VkQueryPool times = scene.Queries(VK_QUERY_TYPE_TIMESTAMP);
  VK(ResetQueryPool)(scene.device(), samples, 0, 4);
  VK(ResetQueryPool)(scene.device(), times, 0, 4);
  alignas(8) char data[64];
  const auto get = [&](VkQueryPool pool, uint32_t count, uint32_t at, VkDeviceSize stride,
                       VkQueryResultFlags flags) {
    VK(GetQueryPoolResults)
    (scene.device(), pool, 0, count, sizeof(data) - at, data + at, stride, flags);
    return Vuids();
  };
  constexpr VkQueryResultFlags kWords = VK_QUERY_RESULT_64_BIT;
  constexpr VkQueryResultFlags kAvailable = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  CHECK(get(samples, 4, 0, 4, 0) == List());
  CHECK(get(samples, 4, 4, 4, 0) == List());
  CHECK(get(samples, 1, 0, 0, kWords) == List());
  CHECK(get(samples, 2, 0, 16, kWords | kAvailable) == List());
  CHECK(get(samples, 2, 0, 0, 0) == List{"vkGetQueryPoolResults-queryCount-09438"});
  CHECK(get(samples, 2, 0, 8, kWords | kAvailable) == List{"vkGetQueryPoolResults-stride-08993"});
  CHECK(get(samples, 2, 2, 4, 0) == List{"vkGetQueryPoolResults-flags-02828"});
  CHECK(get(samples, 2, 0, 6, 0) == List{"vkGetQueryPoolResults-flags-02828"});
  CHECK(get(samples, 2, 4, 8, kWords) == List{"vkGetQueryPoolResults-flags-00815"});
  CHECK(get(times, 1, 0, 8, kWords) == List());
  CHECK(get(times, 1, 0, 8, kWords | VK_QUERY_RESULT_PARTIAL_BIT) ==
        List{"vkGetQueryPoolResults-queryType-09439"});
  const VkBuffer buffer = scene.Buffer();
  VK(CmdCopyQueryPoolResults)(scene.commands, times, 0, 2, buffer, 0, 8, kWords);
  CHECK(Vuids() == List());
  VK(CmdCopyQueryPoolResults)
  (scene.commands, times, 0, 2, buffer, 0, 8, kWords | VK_QUERY_RESULT_PARTIAL_BIT);
  CHECK(Vuids() == List{"vkCmdCopyQueryPoolResults-queryType-09439"});
}

VkCommandBufferInheritanceInfo Inheritance(VkBool32 occlusion = VK_FALSE,
                                           VkQueryControlFlags flags = 0) {
  VkCommandBufferInheritanceInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  info.occlusionQueryEnable = occlusion;
  info.queryFlags = flags;
  return info;
}

// A secondary command buffer, which begins and ends query 0 of the pool if there is one.
VkCommandBuffer Secondary(const StateScene& scene, const VkCommandBufferInheritanceInfo& info,
                          VkQueryPool pool = VK_NULL_HANDLE) {
  const VkCommandBuffer secondary = scene.Allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  scene.Begin(secondary, &info);
  if (pool != VK_NULL_HANDLE) {
    VK(CmdBeginQuery)(secondary, pool, 0, 0);
    VK(CmdEndQuery)(secondary, pool, 0);
  }
  VK(EndCommandBuffer)(secondary);
  return secondary;
}

TEST_CASE("a secondary command buffer inherits the queries that are active") {
  CoreFeatures core;
  const StateScene scene(0, &core.features);
  const VkQueryPool samples = scene.Queries(VK_QUERY_TYPE_OCCLUSION);
  const auto execute = [](const StateScene& in, VkCommandBuffer secondary, VkQueryPool pool,
                          VkQueryControlFlags flags) {
    in.Begin(in.commands);
    in.Get<PFN_vkCmdBeginQuery>("vkCmdBeginQuery")(in.commands, pool, 0, flags);
    in.Get<PFN_vkCmdExecuteCommands>("vkCmdExecuteCommands")(in.commands, 1, &secondary);
    in.Get<PFN_vkCmdEndQuery>("vkCmdEndQuery")(in.commands, pool, 0);
    in.Get<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(in.commands);
    return Vuids();
  };
  constexpr VkQueryControlFlags kPrecise = VK_QUERY_CONTROL_PRECISE_BIT;
  CHECK(execute(scene, Secondary(scene, Inheritance(VK_TRUE)), samples, 0) == List());
  CHECK(execute(scene, Secondary(scene, Inheritance(VK_TRUE, kPrecise)), samples, kPrecise) ==
        List());
  CHECK(execute(scene, Secondary(scene, Inheritance()), samples, 0) ==
        List{"vkCmdExecuteCommands-commandBuffer-00102"});
  CHECK(execute(scene, Secondary(scene, Inheritance(VK_TRUE)), samples, kPrecise) ==
        List{"vkCmdExecuteCommands-commandBuffer-00103"});
  CHECK(execute(scene,
                Secondary(scene, Inheritance(VK_TRUE), scene.Queries(VK_QUERY_TYPE_OCCLUSION)),
                samples, 0) == List{"vkCmdExecuteCommands-pCommandBuffers-00105"});
  const StateScene other;
  CHECK(execute(other, Secondary(other, Inheritance(VK_TRUE)),
                other.Queries(VK_QUERY_TYPE_OCCLUSION),
                0) == List{"vkCmdExecuteCommands-commandBuffer-00101"});
}

TEST_CASE("a secondary command buffer inherits precise queries if it inherits queries") {
  CoreFeatures core;
  const StateScene scene(0, &core.features), other;
  constexpr VkQueryControlFlags kPrecise = VK_QUERY_CONTROL_PRECISE_BIT;
  Secondary(scene, Inheritance(VK_TRUE, kPrecise));
  CHECK(Vuids() == List());
  Secondary(scene, Inheritance(VK_FALSE, kPrecise));
  CHECK(Vuids() == List{"vkBeginCommandBuffer-commandBuffer-00052"});
  Secondary(other, Inheritance(VK_TRUE, kPrecise));
  CHECK(Vuids() == List{"vkBeginCommandBuffer-commandBuffer-00052"});
}

TEST_CASE("a secondary command buffer is executed once, by a primary one") {
  const StateScene scene;
  const VkCommandBuffer secondary = Secondary(scene, Inheritance());
  const VkCommandBuffer twice[] = {secondary, secondary};
  VK(CmdExecuteCommands)(scene.commands, 1, twice);
  CHECK(Vuids() == List());
  VK(CmdExecuteCommands)(scene.commands, 1, twice);
  CHECK(Vuids() == List{"vkCmdExecuteCommands-pCommandBuffers-00092"});
  scene.Begin(scene.commands);
  VK(CmdExecuteCommands)(scene.commands, 2, twice);
  CHECK(Vuids() == List{"vkCmdExecuteCommands-pCommandBuffers-00093"});
  scene.Begin(scene.commands);
  const VkCommandBuffer nested = scene.Allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  const VkCommandBufferInheritanceInfo inheritance = Inheritance();
  scene.Begin(nested, &inheritance);
  VK(CmdExecuteCommands)(nested, 1, &secondary);
  CHECK(Vuids() == List{"vkCmdExecuteCommands-commandBuffer-09375"});
  // VkPhysicalDeviceNestedCommandBufferFeaturesEXT, which the headers may lack.
  struct {
    VkStructureType type = static_cast<VkStructureType>(1000451000);
    void* next = nullptr;
    VkBool32 nested = VK_TRUE, rendering = VK_TRUE, simultaneous = VK_TRUE;
  } feature;
  const StateScene nests(0, &feature);
  const VkCommandBuffer inner = Secondary(nests, inheritance);
  const VkCommandBuffer outer = nests.Allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  nests.Begin(outer, &inheritance);
  nests.Get<PFN_vkCmdExecuteCommands>("vkCmdExecuteCommands")(outer, 1, &inner);
  CHECK(Vuids() == List());
  feature.simultaneous = VK_FALSE;
  const StateScene less(0, &feature);
  const VkCommandBuffer shared = less.Allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  less.Begin(shared, &inheritance, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  less.Get<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(shared);
  const VkCommandBuffer around = less.Allocate(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  less.Begin(around, &inheritance);
  less.Get<PFN_vkCmdExecuteCommands>("vkCmdExecuteCommands")(around, 1, &shared);
  CHECK(Vuids() == List{"vkCmdExecuteCommands-nestedCommandBufferSimultaneousUse-09378"});
}

}  // namespace
}  // namespace gpusan::test
