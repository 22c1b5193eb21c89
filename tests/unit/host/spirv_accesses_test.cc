// The reader of compute shaders and kernels in SPIR-V: byte ranges, loops, numbers of the launch,
// and modules that are damaged.
#include "hooks/common/spirv/spirv_accesses.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <initializer_list>
#include <string>

#include "tracker/calls/launch_uses.h"

namespace gpusan {
namespace {

// Writes a module word by word. Ids are given out in order.
class Module {
 public:
  Module() : words_{spv::MagicNumber, 0x10300, 0, 0, 0} {}
  uint32_t NewId() { return next_++; }
  void Op(spv::Op op, std::initializer_list<uint32_t> operands) {
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift | op);
    words_.insert(words_.end(), operands);
  }
  // An instruction with a result: its type, its id, and the operands.
  uint32_t Value(spv::Op op, uint32_t type, std::initializer_list<uint32_t> operands) {
    const uint32_t id = NewId();
    words_.push_back(static_cast<uint32_t>(operands.size() + 3) << spv::WordCountShift | op);
    words_.push_back(type);
    words_.push_back(id);
    words_.insert(words_.end(), operands);
    return id;
  }
  uint32_t Type(spv::Op op, std::initializer_list<uint32_t> operands) {
    const uint32_t id = NewId();
    words_.push_back(static_cast<uint32_t>(operands.size() + 2) << spv::WordCountShift | op);
    words_.push_back(id);
    words_.insert(words_.end(), operands);
    return id;
  }
  // `name`: at most three characters.
  void Entry(spv::ExecutionModel model, uint32_t function, const char* name) {
    uint32_t word = 0;
    memcpy(&word, name, strlen(name));
    Op(spv::OpEntryPoint, {static_cast<uint32_t>(model), function, word});
  }
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  std::vector<uint32_t> words_;
  uint32_t next_ = 1;
};

// The types and variables of a shader with two buffers of words: `uint head; uint words[];`.
struct Shader : Module {
  uint32_t main = NewId(), first = NewId(), second = NewId(), id_variable = NewId();
  uint32_t block = NewId(), array = NewId(), groups_variable = NewId();
  uint32_t none, function, number, signed_number, boolean, three, pointer, begin;
  uint32_t zero, one, two, ten, size;

  explicit Shader(uint32_t local_size = 64) {
    Entry(spv::ExecutionModelGLCompute, main, "k");
    Op(spv::OpExecutionMode, {main, spv::ExecutionModeLocalSize, local_size, 1, 1});
    for (const uint32_t variable : {first, second}) {
      Op(spv::OpDecorate, {variable, spv::DecorationDescriptorSet, 0});
      Op(spv::OpDecorate, {variable, spv::DecorationBinding, variable == first ? 0u : 1u});
    }
    Op(spv::OpDecorate, {id_variable, spv::DecorationBuiltIn, spv::BuiltInGlobalInvocationId});
    Op(spv::OpDecorate, {groups_variable, spv::DecorationBuiltIn, spv::BuiltInNumWorkgroups});
    Op(spv::OpMemberDecorate, {block, 0, spv::DecorationOffset, 0});
    Op(spv::OpMemberDecorate, {block, 1, spv::DecorationOffset, 4});
    Op(spv::OpDecorate, {array, spv::DecorationArrayStride, 4});
    begin = NewId();
    Op(spv::OpDecorate, {begin, spv::DecorationSpecId, 7});
    none = Type(spv::OpTypeVoid, {});
    function = Type(spv::OpTypeFunction, {none});
    number = Type(spv::OpTypeInt, {32, 0});
    signed_number = Type(spv::OpTypeInt, {32, 1});
    boolean = Type(spv::OpTypeBool, {});
    three = Type(spv::OpTypeVector, {number, 3});
    Op(spv::OpTypeRuntimeArray, {array, number});
    Op(spv::OpTypeStruct, {block, number, array});
    const uint32_t buffer = Type(spv::OpTypePointer, {spv::StorageClassStorageBuffer, block});
    pointer = Type(spv::OpTypePointer, {spv::StorageClassStorageBuffer, number});
    const uint32_t input = Type(spv::OpTypePointer, {spv::StorageClassInput, three});
    Op(spv::OpSpecConstant, {number, begin, 16});
    zero = Constant(0);
    one = Constant(1);
    two = Constant(2);
    ten = Constant(10);
    size = Constant(local_size);
    Op(spv::OpVariable, {buffer, first, spv::StorageClassStorageBuffer});
    Op(spv::OpVariable, {buffer, second, spv::StorageClassStorageBuffer});
    Op(spv::OpVariable, {input, id_variable, spv::StorageClassInput});
    Op(spv::OpVariable, {input, groups_variable, spv::StorageClassInput});
    Op(spv::OpFunction, {none, main, 0, function});
  }
  uint32_t Constant(uint32_t value) { return Value(spv::OpConstant, number, {value}); }
  uint32_t Label() {
    const uint32_t label = NewId();
    Op(spv::OpLabel, {label});
    return label;
  }
  uint32_t Id() {
    const uint32_t all = Value(spv::OpLoad, three, {id_variable});
    return Value(spv::OpCompositeExtract, number, {all, 0});
  }
  uint32_t At(uint32_t buffer, uint32_t index) {
    return Value(spv::OpAccessChain, pointer, {buffer, one, index});
  }
  void End() {
    Op(spv::OpReturn, {});
    Op(spv::OpFunctionEnd, {});
  }
};

SpirvKernel Only(const Module& module, std::vector<SpirvSpecialization> specialized = {}) {
  // In a block of just that size, so that a sanitizer sees what is read behind it.
  const std::vector<uint32_t> exact(module.words().begin(), module.words().end());
  std::vector<SpirvKernel> kernels = AnalyseSpirv(exact, specialized);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "k");
  return std::move(kernels[0]);
}

// `numbers`: of the launch. One dimension.
LaunchUses Uses(const ParameterSummary& summary, uint64_t items, uint64_t group,
                std::vector<uint32_t> numbers = {}) {
  REQUIRE(summary.known);
  LaunchShape shape;
  shape.global_size[0] = items;
  shape.local_size[0] = group;
  std::vector<LaunchInteger> integers;
  for (const uint32_t number : numbers) integers.push_back({number, 4});
  return UsesOf(summary, shape, integers);
}

const ParameterSummary& Buffer(const SpirvKernel& kernel, uint32_t binding) {
  const auto found = std::find_if(kernel.buffers.begin(), kernel.buffers.end(),
                                  [&](const auto& one) { return one.binding == binding; });
  REQUIRE(found != kernel.buffers.end());
  return found->summary;
}

bool Is(const LaunchUse& use, int64_t first, int64_t last, bool exact) {
  return use.possible && use.ranged && use.first == first && use.last == last && use.exact == exact;
}

// second.words[begin + id] = first.words[id]
Shader Copy() {
  Shader shader;
  shader.Label();
  const uint32_t id = shader.Id();
  const uint32_t value = shader.Value(spv::OpLoad, shader.number, {shader.At(shader.first, id)});
  const uint32_t index = shader.Value(spv::OpIAdd, shader.number, {id, shader.begin});
  shader.Op(spv::OpStore, {shader.At(shader.second, index), value});
  shader.End();
  return shader;
}

// for (uint i = id; i < second.words.length(); i += groups * local size) second.words[i] = 1,
// with a variable for the counter.
Shader Stride() {
  Shader shader;
  const uint32_t local =
      shader.NewId();  // types come before functions in valid modules; the reader does not care
  shader.Op(spv::OpTypePointer, {local, spv::StorageClassFunction, shader.number});
  shader.Label();
  const uint32_t variable = shader.Value(spv::OpVariable, local, {spv::StorageClassFunction});
  shader.Op(spv::OpStore, {variable, shader.Id()});
  const uint32_t header = shader.NewId(), test = shader.NewId(), body = shader.NewId();
  const uint32_t latch = shader.NewId(), exit = shader.NewId();
  shader.Op(spv::OpBranch, {header});
  shader.Op(spv::OpLabel, {header});
  shader.Op(spv::OpLoopMerge, {exit, latch, 0});
  shader.Op(spv::OpBranch, {test});
  shader.Op(spv::OpLabel, {test});
  const uint32_t now = shader.Value(spv::OpLoad, shader.number, {variable});
  const uint32_t length = shader.Value(spv::OpArrayLength, shader.number, {shader.second, 1});
  const uint32_t more = shader.Value(spv::OpULessThan, shader.boolean, {now, length});
  shader.Op(spv::OpBranchConditional, {more, body, exit});
  shader.Op(spv::OpLabel, {body});
  const uint32_t at = shader.Value(spv::OpLoad, shader.number, {variable});
  shader.Op(spv::OpStore, {shader.At(shader.second, at), shader.one});
  shader.Op(spv::OpBranch, {latch});
  shader.Op(spv::OpLabel, {latch});
  const uint32_t groups = shader.Value(spv::OpLoad, shader.three, {shader.groups_variable});
  const uint32_t count = shader.Value(spv::OpCompositeExtract, shader.number, {groups, 0});
  const uint32_t step = shader.Value(spv::OpIMul, shader.number, {count, shader.size});
  const uint32_t old = shader.Value(spv::OpLoad, shader.number, {variable});
  const uint32_t next = shader.Value(spv::OpIAdd, shader.number, {old, step});
  shader.Op(spv::OpStore, {variable, next});
  shader.Op(spv::OpBranch, {header});
  shader.Op(spv::OpLabel, {exit});
  shader.End();
  return shader;
}

// void k(global int* out, int count, global int* flags): out[id] = 1 if id < count; the flags are
// only used if `stores`, through a pointer that a kernel finds in memory.
Module Kernel(bool stores) {
  Module module;
  const uint32_t main = module.NewId(), id_variable = module.NewId();
  module.Entry(spv::ExecutionModelKernel, main, "k");
  module.Op(spv::OpDecorate, {id_variable, spv::DecorationBuiltIn, spv::BuiltInGlobalInvocationId});
  const uint32_t none = module.Type(spv::OpTypeVoid, {});
  const uint32_t size = module.Type(spv::OpTypeInt, {64, 0});
  const uint32_t number = module.Type(spv::OpTypeInt, {32, 0});
  const uint32_t boolean = module.Type(spv::OpTypeBool, {});
  const uint32_t three = module.Type(spv::OpTypeVector, {size, 3});
  const uint32_t global =
      module.Type(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, number});
  const uint32_t table = module.Type(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, global});
  const uint32_t input = module.Type(spv::OpTypePointer, {spv::StorageClassInput, three});
  const uint32_t function = module.Type(spv::OpTypeFunction, {none, global, number, table});
  const uint32_t one = module.Value(spv::OpConstant, number, {1});
  module.Op(spv::OpVariable, {input, id_variable, spv::StorageClassInput});
  module.Op(spv::OpFunction, {none, main, 0, function});
  const uint32_t out = module.Value(spv::OpFunctionParameter, global, {});
  const uint32_t count = module.Value(spv::OpFunctionParameter, number, {});
  const uint32_t pointers = module.Value(spv::OpFunctionParameter, table, {});
  const uint32_t entry = module.NewId(), then = module.NewId(), end = module.NewId();
  module.Op(spv::OpLabel, {entry});
  const uint32_t all = module.Value(spv::OpLoad, three, {id_variable});
  const uint32_t wide = module.Value(spv::OpCompositeExtract, size, {all, 0});
  const uint32_t id = module.Value(spv::OpUConvert, number, {wide});
  if (stores) {
    const uint32_t other = module.Value(spv::OpLoad, global, {pointers});
    module.Op(spv::OpStore, {other, one});
  }
  const uint32_t less = module.Value(spv::OpSLessThan, boolean, {id, count});
  module.Op(spv::OpBranchConditional, {less, then, end});
  module.Op(spv::OpLabel, {then});
  const uint32_t at = module.Value(spv::OpInBoundsPtrAccessChain, global, {out, wide});
  module.Op(spv::OpStore, {at, one});
  module.Op(spv::OpBranch, {end});
  module.Op(spv::OpLabel, {end});
  module.Op(spv::OpReturn, {});
  module.Op(spv::OpFunctionEnd, {});
  return module;
}

}  // namespace

TEST_CASE("a shader's byte ranges follow from its groups and its constants") {
  const SpirvKernel kernel = Only(Copy());
  CHECK(kernel.local_size[0] == 64);
  CHECK(Is(Uses(Buffer(kernel, 0), 128, 64).reads, 4, 516, true));
  CHECK_FALSE(Uses(Buffer(kernel, 0), 128, 64).writes.possible);
  CHECK(Is(Uses(Buffer(kernel, 1), 128, 64).writes, 68, 580, true));
  const SpirvKernel other = Only(Copy(), {{7, 100}, {3, 5}});
  CHECK(Is(Uses(Buffer(other, 1), 128, 64).writes, 404, 916, true));
}

TEST_CASE("a loop of a shader strides to the end of an array") {
  const SpirvKernel kernel = Only(Stride());
  REQUIRE(kernel.numbers.size() == 1);
  CHECK(kernel.numbers[0].binding == 1);
  CHECK(kernel.numbers[0].offset == 4);
  CHECK(kernel.numbers[0].bytes == 4);
  for (const uint32_t length : {1u, 63u, 64u, 65u, 1000u}) {
    CHECK(Is(Uses(Buffer(kernel, 1), 64, 64, {length}).writes, 4, 4 + 4 * int64_t{length}, true));
    CHECK(Is(Uses(Buffer(kernel, 1), 256, 64, {length}).writes, 4, 4 + 4 * int64_t{length}, true));
  }
  CHECK_FALSE(Uses(Buffer(kernel, 1), 64, 64, {0}).writes.possible);
  // The number of elements is not known.
  CHECK_FALSE(Uses(Buffer(kernel, 1), 64, 64).writes.ranged);
}

TEST_CASE("atomic operations and called functions have no ranges") {
  Shader shader;
  const uint32_t helper = shader.NewId();
  shader.Label();
  const uint32_t id = shader.Id();
  shader.Value(spv::OpAtomicIAdd, shader.number,
               {shader.At(shader.first, id), shader.one, shader.zero, shader.one});
  shader.Value(spv::OpFunctionCall, shader.none, {helper});
  shader.End();
  shader.Op(spv::OpFunction, {shader.none, helper, 0, shader.function});
  shader.Label();
  shader.Op(spv::OpStore, {shader.At(shader.second, shader.ten), shader.one});
  shader.End();
  const SpirvKernel kernel = Only(shader);
  const LaunchUses atomics = Uses(Buffer(kernel, 0), 64, 64);
  CHECK(atomics.atomics.possible);
  CHECK_FALSE(atomics.reads.possible);
  const LaunchUses called = Uses(Buffer(kernel, 1), 64, 64);
  CHECK(called.writes.possible);
  CHECK_FALSE(called.writes.sure);
  CHECK_FALSE(called.writes.ranged);
}

TEST_CASE("a pointer to one of two buffers makes both unknown") {
  Shader shader;
  shader.Label();
  const uint32_t id = shader.Id();
  const uint32_t less = shader.Value(spv::OpULessThan, shader.boolean, {id, shader.ten});
  const uint32_t either =
      shader.Value(spv::OpSelect, shader.pointer,
                   {less, shader.At(shader.first, id), shader.At(shader.second, id)});
  shader.Op(spv::OpStore, {either, shader.one});
  shader.End();
  const SpirvKernel kernel = Only(shader);
  CHECK_FALSE(Buffer(kernel, 0).known);
  CHECK_FALSE(Buffer(kernel, 1).known);
}

TEST_CASE("a kernel's parameters, and stores through pointers from memory") {
  const SpirvKernel kernel = Only(Kernel(false));
  REQUIRE(kernel.summary.parameters.size() == 3);
  CHECK(kernel.summary.name == "k");
  CHECK(Is(Uses(kernel.summary.parameters[0], 64, 0, {0, 100}).writes, 0, 256, true));
  CHECK(Is(Uses(kernel.summary.parameters[0], 64, 0, {0, 10}).writes, 0, 40, true));
  CHECK_FALSE(kernel.summary.parameters[1].known);
  CHECK(kernel.summary.parameters[2].known);
  CHECK(kernel.summary.parameters[2].accesses.empty());
  const SpirvKernel unknown = Only(Kernel(true));
  for (const ParameterSummary& parameter : unknown.summary.parameters) CHECK_FALSE(parameter.known);
}

TEST_CASE("a module that ends early, or is damaged, is not read past its end") {
  for (const std::vector<uint32_t>& whole :
       {Copy().words(), Stride().words(), Kernel(true).words()}) {
    for (size_t count = 0; count < whole.size(); ++count) {
      const std::vector<uint32_t> cut(whole.begin(), whole.begin() + static_cast<int>(count));
      CHECK(AnalyseSpirv(cut, {}).size() <= 1);
    }
    for (size_t at = 0; at < whole.size(); ++at) {
      for (const uint32_t other : {uint32_t{0}, ~uint32_t{0}, whole[at] ^ 1, whole[at] + 1,
                                   whole[at] ^ 0x10000, uint32_t{5}, uint32_t{30}}) {
        std::vector<uint32_t> damaged = whole;
        damaged[at] = other;
        AnalyseSpirv(damaged, {});
      }
    }
  }
  CHECK(AnalyseSpirv({}, {}).empty());
}

}  // namespace gpusan
