// What is kept of a launch's arguments.
#include <catch2/catch.hpp>
#include <vector>

#include "hooks/cuda/arrays/tensor_maps.h"
#include "hooks/cuda/kernels/argument_list.h"

namespace gpusan::cuda {
namespace {

constexpr uintptr_t kLow = 0x7f0000000000;
const KnownAddresses kKnown({kLow, 1 << 20}, 0);

void Fill(Function* function, const std::vector<Parameter>& parameters) {
  function->parameters = parameters;
  for (const Parameter& parameter : parameters) {
    function->argument_bytes += InWholeWords(parameter.bytes);
    if (parameter.bytes == kTensorMapBytes) function->argument_bytes += 2 * sizeof(uint64_t);
  }
}

Parameter Of(uint32_t offset, uint32_t bytes, ParameterKind kind, bool flag = false) {
  Parameter parameter{offset, bytes, {}};
  parameter.type.kind = kind;
  parameter.type.is_signed = flag;
  parameter.type.constant = flag;
  return parameter;
}

struct List {
  List(const Function& function, void** parameters, void** extra = nullptr,
       const StackRange& stack = {})
      : words(MostArgumentWords(function)) {
    result =
        ReadArguments(kKnown, function, parameters, PackedArguments(extra), stack, words.data());
    REQUIRE(result.words <= words.size());
    words.resize(result.words);
    ArgumentWords all(words);
    for (ArgumentWord argument; all.Next(&argument);) arguments.push_back(argument);
  }
  std::vector<uint64_t> words;
  ReadResult result;
  std::vector<ArgumentWord> arguments;
};

TEST_CASE("a tensor map that the program has encoded is listed by its address") {
  Function function;
  Fill(&function, {Of(0, kTensorMapBytes, ParameterKind::kOther)});
  // All words are addresses: the list is as long as it can be.
  uint64_t map[kTensorMapBytes / 8];
  for (uint64_t& word : map) word = kLow + 64;
  void* parameters[] = {map};
  CHECK(List(function, parameters).arguments.size() == 1);
  const auto* bytes = reinterpret_cast<const unsigned char*>(map);
  const CallInfo call = {};
  NoteTensorMap(bytes, call, 5);
  const List list(function, parameters);
  REQUIRE(list.arguments.size() == 2);
  CHECK(list.arguments[0].kind == ArgumentKind::kTensorMap);
  CHECK(list.arguments[0].value == kLow + 64);
  CHECK(list.arguments[1].inside.size() == kTensorMapBytes / 8);
  CHECK(SourceOfTensorMap(kLow + 64).call == &call);
  CHECK(SourceOfTensorMap(kLow + 64).site == 5);
  CHECK(SourceOfTensorMap(kLow).call == nullptr);
  map[15] ^= 1;
  CHECK(List(function, parameters).arguments.size() == 1);
}

TEST_CASE("the values that the summary of a kernel needs follow the arguments") {
  Function function;
  Fill(&function, {Of(0, 4, ParameterKind::kInteger, true), Of(8, 24, ParameterKind::kOther)});
  function.needed = {{0, 0, 4}, {1, 4, 4}, {1, 16, 8}, {1, 4, 8}};
  function.needed_integers = 2;
  function.pointer_runs = RunsOf(absl::MakeConstSpan(function.needed).subspan(2));
  REQUIRE(function.pointer_runs.size() == 2);
  struct {
    int32_t count = -3;
    int32_t unused = 0;
    int32_t numbers[4] = {1, -2, 3, 4};
    uintptr_t pointer = kLow + 16;
  } packed;
  void* parameters[] = {&packed.count, &packed.numbers};
  size_t bytes = sizeof(packed);
  void* extra[] = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2), &bytes,
                   nullptr};
  for (const bool as_block : {false, true}) {
    const List list(function, as_block ? nullptr : parameters, as_block ? extra : nullptr);
    // The last word, two small integers, is an address for all that is known; a marker follows.
    REQUIRE(list.arguments.size() == 7);
    CHECK(list.arguments[1].kind == ArgumentKind::kClass);
    CHECK(list.arguments[2].kind == ArgumentKind::kNeeded);
    CHECK(static_cast<int32_t>(list.arguments[2].value) == -3);
    CHECK(list.arguments[3].parameter == 1);
    CHECK(static_cast<int32_t>(list.arguments[3].value) == -2);
    CHECK(list.arguments[4].value == kLow + 16);
    CHECK(list.arguments[6].kind == ArgumentKind::kNeededEnd);
  }
  bytes = 20;
  const List cut(function, nullptr, extra);
  CHECK_FALSE(cut.result.complete);
}

TEST_CASE("the words of a class that the summary needs are read once") {
  Function function;
  Fill(&function, {Of(0, 32, ParameterKind::kOther)});
  function.needed = {{0, 0, 8}, {0, 8, 8}, {0, 16, 8}, {0, 24, 8}};
  function.pointer_runs = RunsOf(function.needed);
  REQUIRE(function.pointer_runs.size() == 1);
  function.covered = 1;
  const uintptr_t words[] = {kLow + 16, 5, 0, kLow - 8};
  void* parameters[] = {const_cast<uintptr_t*>(words)};
  const List list(function, parameters);
  REQUIRE(list.arguments.size() == 4);
  CHECK(list.arguments[0].kind == ArgumentKind::kClass);
  CHECK(list.arguments[0].inside.empty());
  CHECK(list.arguments[1].value == kLow + 16);
  CHECK(list.arguments[2].parameter == 3);
  CHECK(list.arguments[2].value == kLow - 8);
  CHECK(list.arguments[3].kind == ArgumentKind::kNeededEnd);
}

TEST_CASE("each argument is read as its parameter says") {
  Function function;
  Fill(&function, {Of(0, 8, ParameterKind::kPointer), Of(8, 4, ParameterKind::kInteger, true),
                   Of(12, 4, ParameterKind::kFloat), Of(16, 8, ParameterKind::kInteger),
                   Of(24, 8, ParameterKind::kUnknown), Of(32, 2, ParameterKind::kUnknown)});
  struct {
    uintptr_t pointer = kLow + 16;
    int32_t negative = -3;
    float real = 1;
    uint64_t large = uint64_t{1} << 40;
    uint64_t word = 7;
    int16_t small = -1;
  } packed;
  void* parameters[] = {&packed.pointer, &packed.negative, &packed.real,
                        &packed.large,   &packed.word,     &packed.small};
  size_t bytes = sizeof(packed);
  void* extra[] = {reinterpret_cast<void*>(1), &packed, reinterpret_cast<void*>(2), &bytes,
                   nullptr};
  const List each(function, parameters), piece(function, nullptr, extra);
  CHECK(each.words == piece.words);
  CHECK(each.result.complete);
  CHECK(each.result.can_wait);
  REQUIRE(each.arguments.size() == 5);
  CHECK(each.arguments[0].kind == ArgumentKind::kPointer);
  CHECK(each.arguments[0].value == kLow + 16);
  CHECK(each.arguments[1].kind == ArgumentKind::kInteger);
  CHECK(static_cast<int64_t>(each.arguments[1].value) == -3);
  CHECK(each.arguments[2].parameter == 3);
  CHECK(each.arguments[2].kind == ArgumentKind::kLong);
  CHECK(each.arguments[3].kind == ArgumentKind::kWord);
  CHECK(each.arguments[4].kind == ArgumentKind::kInteger);
  CHECK(static_cast<int64_t>(each.arguments[4].value) == -1);
}

TEST_CASE("only the words of a class that may be addresses are kept") {
  uint64_t value[150] = {};
  value[0] = kLow;
  value[3] = kLow + (1 << 20);  // behind the last
  value[64] = kLow + (1 << 20) - 1;
  value[65] = kLow - 1;
  value[149] = kLow + 8;
  Function function;
  Fill(&function,
       {Of(0, sizeof(value), ParameterKind::kOther), Of(sizeof(value), 4, ParameterKind::kOther)});
  uint32_t small = 5;
  void* parameters[] = {value, &small};
  const List list(function, parameters);
  REQUIRE(list.arguments.size() == 2);
  const absl::Span<const uint64_t> inside = list.arguments[0].inside;
  CHECK(std::vector<uint64_t>(inside.begin(), inside.end()) ==
        std::vector<uint64_t>{kLow, kLow + (1 << 20) - 1, kLow + 8});
  CHECK(list.arguments[1].parameter == 1);
  CHECK(list.arguments[1].inside.empty());
}

TEST_CASE("a launch with arguments that may be host memory is not deferred") {
  Function function;
  Fill(&function, {Of(0, 8, ParameterKind::kPointer, true)});
  uintptr_t address = 0;
  void* parameters[] = {&address};
  CHECK(List(function, parameters).result.can_wait);
  address = 0x1000;
  CHECK_FALSE(List(function, parameters).result.can_wait);
  CHECK(List(function, parameters, nullptr, {0x800, 0x1800}).result.can_wait);
  function.harmless.Note(0, address, 0);
  CHECK(List(function, parameters).result.can_wait);
}

TEST_CASE("an argument that is not given is left out") {
  Function function;
  Fill(&function, {Of(0, 8, ParameterKind::kPointer), Of(8, 8, ParameterKind::kPointer)});
  uintptr_t address = kLow;
  void* parameters[] = {nullptr, &address};
  const List each(function, parameters);
  CHECK_FALSE(each.result.complete);
  REQUIRE(each.arguments.size() == 1);
  CHECK(each.arguments[0].parameter == 1);
  size_t bytes = 8;
  void* extra[] = {reinterpret_cast<void*>(1), &address, reinterpret_cast<void*>(2), &bytes,
                   nullptr};
  const List piece(function, nullptr, extra);
  CHECK_FALSE(piece.result.complete);
  REQUIRE(piece.arguments.size() == 1);
  CHECK(piece.arguments[0].parameter == 0);
}

}  // namespace
}  // namespace gpusan::cuda
