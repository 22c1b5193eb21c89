// Shaders as their SPIR-V tells what they use, and SPIR-V that is no such thing.
#include "hooks/vulkan/spirv/spirv_reader.h"

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <iterator>
#include <vector>

#include "catch2/catch.hpp"
#include "choose.frag.h"
#include "corner.vert.h"
#include "elements.comp.h"
#include "layered.frag.h"
#include "mark.comp.h"
#include "parts.comp.h"
#include "pick.comp.h"
#include "scale.comp.h"
#include "shade.vert.h"
#include "show.frag.h"
#include "stamp.comp.h"
#include "swap.frag.h"
#include "texels.comp.h"
#include "through.frag.h"
#include "through.vert.h"
#include "weigh.frag.h"

namespace gpusan::vulkan {
namespace {

// In a block of just that size, so that a sanitizer sees what is read behind it.
ShaderModule Read(const std::vector<uint32_t>& words) {
  const std::vector<uint32_t> exact(words.begin(), words.end());
  return ReadShaderModule(exact.data(), exact.size());
}
std::vector<uint32_t> Mark() { return {std::begin(mark_comp), std::end(mark_comp)}; }
std::vector<uint32_t> Elements() { return {std::begin(elements_comp), std::end(elements_comp)}; }
std::vector<uint32_t> Pick() { return {std::begin(pick_comp), std::end(pick_comp)}; }
std::vector<uint32_t> Scale() { return {std::begin(scale_comp), std::end(scale_comp)}; }
std::vector<uint32_t> Parts() { return {std::begin(parts_comp), std::end(parts_comp)}; }
std::vector<uint32_t> Show() { return {std::begin(show_frag), std::end(show_frag)}; }
std::vector<uint32_t> Swap() { return {std::begin(swap_frag), std::end(swap_frag)}; }

TEST_CASE("The buffers of a shader have the kinds of its accesses") {
  const ShaderModule module = Read(Scale());
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(main != nullptr);
  REQUIRE(main->bindings.size() == 2);
  CHECK(main->bindings[0].binding == 0);
  CHECK(main->bindings[0].reads);
  CHECK_FALSE(main->bindings[0].writes);
  CHECK(main->bindings[0].kinds == kStorageBuffers);
  CHECK(main->bindings[1].binding == 1);
  CHECK_FALSE(main->bindings[1].reads);
  CHECK(main->bindings[1].writes);
  CHECK(module.Find("main", VK_SHADER_STAGE_FRAGMENT_BIT) == nullptr);
  CHECK(module.Find("other", VK_SHADER_STAGE_COMPUTE_BIT) == nullptr);
}

TEST_CASE("Bytes that every invocation writes are known") {
  const ShaderModule module = Read(Mark());
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(main != nullptr);
  REQUIRE(main->bindings.size() == 2);
  CHECK(main->bindings[0].written.empty());
  REQUIRE(main->bindings[1].written.size() == 1);
  CHECK(main->bindings[1].written[0].offset == 0);
  CHECK(main->bindings[1].written[0].width == 4);
  // The index of its only write is no constant.
  const ShaderModule scale = Read(Scale());
  for (const EntryPoint& entry : scale.entry_points) {
    for (const ShaderBinding& binding : entry.bindings) CHECK(binding.written.empty());
  }
}

TEST_CASE("Texels that the invocations write are known") {
  const ShaderModule module = Read({std::begin(stamp_comp), std::end(stamp_comp)});
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(main != nullptr);
  REQUIRE(main->bindings.size() == 1);
  REQUIRE(main->bindings[0].texels.size() == 1);
  const ShaderTexels& texels = main->bindings[0].texels[0];
  CHECK(texels.coordinates == 2);
  // Columns from the second one on, and rows, for workgroups of 4 x 4 invocations.
  CHECK((texels.at[0].first == 1 && texels.at[0].size == 4 && texels.at[0].axis == 0));
  CHECK((texels.at[1].first == 0 && texels.at[1].size == 4 && texels.at[1].axis == 1));
  // They are no bytes.
  CHECK(main->bindings[0].written.empty());
}

TEST_CASE("Vertex inputs are integers or floating-point numbers") {
  const ShaderModule module = Read({std::begin(shade_vert), std::end(shade_vert)});
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_VERTEX_BIT);
  REQUIRE(main != nullptr);
  CHECK(main->inputs == 7);
  CHECK(main->float_inputs == 7);
  CHECK(main->integer_inputs == 0);
}

TEST_CASE("The components that a stage passes to the next one are known") {
  const ShaderModule first = Read({std::begin(through_vert), std::end(through_vert)});
  const ShaderModule second = Read({std::begin(through_frag), std::end(through_frag)});
  const StageInterface& given = first.Find("main", VK_SHADER_STAGE_VERTEX_BIT)->interface;
  const StageInterface& read = second.Find("main", VK_SHADER_STAGE_FRAGMENT_BIT)->interface;
  CHECK(given.outputs_known);
  CHECK(given.outputs.size() == 15);
  CHECK(read.inputs.size() == 15);
  for (const StageComponent& input : read.inputs) {
    const StageComponent* output = given.FindOutput(input.slot);
    REQUIRE(output != nullptr);
    CHECK((output->bits == 32 && !output->integer));
  }
  // The array is at locations 1 and 2, and has no second component.
  CHECK(given.FindOutput(4 * 2) != nullptr);
  CHECK(given.FindOutput(4 * 2 + 1) == nullptr);
  CHECK(given.FindOutput(4 * 7) == nullptr);
}

TEST_CASE("The elements of an array that constant indices name are known") {
  const ShaderModule module = Read(Elements());
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(main != nullptr);
  REQUIRE(main->bindings.size() == 2);
  const ShaderBinding &read = main->bindings[0], &written = main->bindings[1];
  CHECK((read.element == 1 && read.reads && !read.writes && !read.array));
  CHECK((written.element == 2 && !written.reads && written.writes && !written.array));
  CHECK(read.kinds == kStorageBuffers);
  // The index is no constant.
  const ShaderModule pick = Read(Pick());
  const EntryPoint* any = pick.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(any != nullptr);
  REQUIRE(any->bindings.size() == 1);
  CHECK((any->bindings[0].element == ShaderBinding::kAll && any->bindings[0].array));
}

TEST_CASE("An input attachment is read") {
  const ShaderModule module = Read(Swap());
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_FRAGMENT_BIT);
  REQUIRE(main != nullptr);
  REQUIRE(main->bindings.size() == 1);
  CHECK(main->bindings[0].reads);
  CHECK_FALSE(main->bindings[0].writes);
  CHECK(main->bindings[0].kinds == kInputAttachments);
}

TEST_CASE("An interlock orders the fragments of a pixel") {
  const ShaderModule module = Read({std::begin(layered_frag), std::end(layered_frag)});
  const EntryPoint* entry = module.Find("main", VK_SHADER_STAGE_FRAGMENT_BIT);
  REQUIRE(entry != nullptr);
  REQUIRE(entry->bindings.size() == 1);
  CHECK(entry->bindings[0].reads);
  CHECK(entry->bindings[0].writes);
  CHECK(entry->bindings[0].interlocked);
  const ShaderModule other = Read(Show());
  for (const ShaderBinding& binding : other.entry_points[0].bindings) CHECK(!binding.interlocked);
}

TEST_CASE("Attachments that tile shading orders are no bindings") {
  std::vector<uint32_t> words(std::begin(texels_comp), std::end(texels_comp));
  const auto bindings = [&] {
    const ShaderModule module = Read(words);
    const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
    REQUIRE(main != nullptr);
    return main->bindings.size();
  };
  CHECK(bindings() == 2);
  constexpr uint32_t kVariable = 59, kUniformConstant = 0, kTileAttachment = 4491;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == kVariable && words[at + 3] == kUniformConstant)
      words[at + 3] = kTileAttachment;
  }
  CHECK(bindings() == 1);
}

TEST_CASE("The push constants that a shader reads are known") {
  const ShaderModule module = Read(Parts());
  const EntryPoint* main = module.Find("main", VK_SHADER_STAGE_COMPUTE_BIT);
  REQUIRE(main != nullptr);
  constexpr PushWords kFirst = 1 << 0 | 1 << 2, kValues = 0xf << 5, kIndex = 1 << 9;
  CHECK(main->pushes.all == (kFirst | kIndex));
  CHECK(main->pushes.sure == (kFirst | kIndex));
  REQUIRE(main->pushes.some.size() == 1);
  CHECK(main->pushes.some[0] == kValues);
}

template <size_t count>
ValueFlow FlowOf(const uint32_t (&words)[count]) {
  const ShaderModule module = Read({std::begin(words), std::end(words)});
  REQUIRE(module.entry_points.size() == 1);
  return module.entry_points[0].flow;
}

TEST_CASE(
    "A result that depends on an image is known, unless a weight or condition stands between") {
  const ValueFlow show = FlowOf(show_frag), texels = FlowOf(texels_comp);
  REQUIRE(show.resources.size() == 1);
  CHECK(show.resources[0].binding == 0);
  CHECK(show.resources[0].location == 0);
  CHECK(show.resources[0].components == 0xf);
  REQUIRE(texels.resources.size() == 1);
  CHECK(texels.resources[0].location == SpirvCode::kNone);
  CHECK(FlowOf(weigh_frag).resources.empty());
  CHECK(FlowOf(choose_frag).resources.empty());
  // An input attachment.
  CHECK(FlowOf(swap_frag).resources.empty());
}

TEST_CASE("A position that depends on an attribute is recognized") {
  CHECK(FlowOf(corner_vert).positions == 1);
  // Moved by a weighted one.
  CHECK(FlowOf(shade_vert).positions == 1);
  CHECK(FlowOf(show_frag).positions == 0);
}

TEST_CASE("A module that ends early is read to its end and no further") {
  for (const std::vector<uint32_t>& whole : {Mark(), Parts(), Scale(), Show(), Swap()}) {
    for (size_t words = 0; words < whole.size(); ++words) {
      const ShaderModule module = Read({whole.begin(), whole.begin() + static_cast<int>(words)});
      CHECK(module.entry_points.size() <= 1);
    }
  }
  CHECK(ReadShaderModule(nullptr, 0).entry_points.empty());
}

TEST_CASE("For any content of a word, the reader ends and reads only the module") {
  for (const std::vector<uint32_t>& whole : {Mark(), Parts(), Scale(), Show(), Swap()}) {
    for (size_t at = 0; at < whole.size(); ++at) {
      const uint32_t told = whole[at];
      for (uint32_t other :
           {uint32_t{0}, ~uint32_t{0}, told ^ 1u, told ^ 0x10000u, told | 0xffff0000u,
            told & 0xffffu, told + 1, told << 16 | told >> 16}) {
        std::vector<uint32_t> damaged = whole;
        damaged[at] = other;
        for (const EntryPoint& entry : Read(damaged).entry_points)
          CHECK(entry.bindings.size() <= whole.size());
      }
    }
  }
}

}  // namespace
}  // namespace gpusan::vulkan
