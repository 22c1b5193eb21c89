// What a launch accesses by the summary of its kernel: ranges, conditions, certainty.
#include <catch2/catch.hpp>

#include "tracker/calls/refine_launch.h"
#include "tracker/model/summary_formulas.h"

namespace gpusan {
namespace {

using Kind = SummaryAccess::Kind;

SummaryTerm Term(int64_t factor, int first = 0, int second = 0) {
  SummaryTerm term;
  term.factor = factor;
  term.symbols[0] = static_cast<uint16_t>(first);
  term.symbols[1] = static_cast<uint16_t>(second);
  return term;
}

SummaryAccess Access(Kind kind, SummaryFormula offset, uint32_t bytes = 4) {
  SummaryAccess access;
  access.kind = kind;
  access.guarded = access.ranged = true;
  access.bytes = bytes;
  access.offset = std::move(offset);
  return access;
}

SummaryAccess If(SummaryAccess access, SummaryFormula value, SummaryGuard::Kind kind) {
  access.guards.push_back({std::move(value), kind});
  return access;
}

LaunchShape Line(uint64_t items, uint64_t group = 0) {
  LaunchShape shape;
  shape.global_size[0] = items;
  shape.local_size[0] = group;
  return shape;
}

LaunchInteger Integer(int32_t value) { return {static_cast<uint32_t>(value), 4}; }

LaunchUses Uses(std::vector<SummaryAccess> accesses, const LaunchShape& shape,
                const std::vector<LaunchInteger>& integers = {}) {
  ParameterSummary parameter;
  parameter.known = true;
  parameter.accesses = std::move(accesses);
  return UsesOf(parameter, shape, integers);
}

void CheckRange(const LaunchUse& use, int64_t first, int64_t last, bool exact) {
  CHECK(use.possible);
  REQUIRE(use.ranged);
  CHECK(use.first == first);
  CHECK(use.last == last);
  CHECK(use.exact == exact);
}

TEST_CASE("one element a work item is an exact range") {
  const LaunchUses uses = Uses({Access(Kind::kWrite, {Term(4, kGlobalId)})}, Line(64));
  CHECK_FALSE(uses.reads.possible);
  CHECK(uses.writes.sure);
  CheckRange(uses.writes, 0, 256, true);
  LaunchShape moved = Line(64);
  moved.global_offset[0] = 10;
  CheckRange(Uses({Access(Kind::kWrite, {Term(4, kGlobalId), Term(8)})}, moved).writes, 48, 304,
             true);
  // Backwards.
  CheckRange(Uses({Access(Kind::kRead, {Term(-4, kGlobalId), Term(252)})}, Line(64)).reads, 0, 256,
             true);
}

SummaryAccess WithParts(SummaryAccess access, std::vector<SummaryPart> parts) {
  access.parts = std::move(parts);
  return access;
}

TEST_CASE("parts of a local identifier are independent of each other") {
  constexpr uint8_t kAll = SummaryPart::kAllBits;
  const std::vector<SummaryPart> lane_and_warp = {{0, 0, 5}, {0, 5, kAll}};
  const SummaryFormula rows = {Term(4, kLoop), Term(256, kLoop + 1), Term(1024, kGroupId)};
  const auto access = WithParts(Access(Kind::kWrite, rows), lane_and_warp);
  // Rows of 128 bytes with gaps.
  const LaunchUses uses = Uses({access}, Line(256, 128));
  CHECK(uses.writes.sure);
  CheckRange(uses.writes, 0, 1024 + 3 * 256 + 128, false);
  CHECK(uses.writes.end_last == uses.writes.last);
  const SummaryFormula packed = {Term(4, kLoop), Term(128, kLoop + 1), Term(512, kGroupId)};
  const auto dense = WithParts(Access(Kind::kWrite, packed), lane_and_warp);
  CheckRange(Uses({dense}, Line(256, 128)).writes, 0, 1024, true);
  // One lane of each warp.
  const auto leader = If(dense, {Term(1, kLoop)}, SummaryGuard::Kind::kZero);
  CHECK(Uses({leader}, Line(256, 128)).writes.sure);
  CheckRange(Uses({leader}, Line(256, 128)).writes, 0, 1024 - 124, false);
  // Two warps write the same bytes.
  const auto without_warp = WithParts(Access(Kind::kWrite, {Term(4, kLoop)}), lane_and_warp);
  CheckRange(Uses({without_warp}, Line(128, 128)).writes, 0, 128, false);
  CheckRange(Uses({without_warp}, Line(32, 32)).writes, 0, 128, true);
  // Not all pairs of parts occur in a group of 100 work items.
  CHECK(Uses({dense}, Line(200, 100)).writes.possible);
  CHECK_FALSE(Uses({dense}, Line(200, 100)).writes.ranged);
  CHECK(Uses({dense}, Line(200, 100)).writes.sure);  // the first work item
  CHECK_FALSE(Uses({dense}, Line(200, 100)).writes.exact);
  CHECK_FALSE(Uses({dense}, Line(256)).writes.ranged);
}

TEST_CASE("groups of rows are rows") {
  // Groups of 4 rows of 32 items; each item writes two elements.
  LaunchShape shape;
  shape.global_size[0] = 32 * 5;
  shape.global_size[1] = 4;
  shape.local_size[0] = 32;
  shape.local_size[1] = 4;
  const auto row = [](int64_t first, int64_t group) {
    return Access(Kind::kWrite,
                  {Term(4, kLocalId), Term(256, kLocalId + 1), Term(group, kGroupId), Term(first)});
  };
  CheckRange(Uses({row(0, 1024), row(128, 1024)}, shape).writes, 0, 5 * 1024, true);
  // Rows are missing between the groups.
  CheckRange(Uses({row(0, 2048), row(128, 2048)}, shape).writes, 0, 4 * 2048 + 1024, false);
}

TEST_CASE("the first work item is known where its neighbours are not") {
  // A tile of 2 rows of 32: the guards name a group and a part each.
  const std::vector<SummaryPart> parts = {{0, 0, 5}, {0, 5, SummaryPart::kAllBits}};
  auto access = WithParts(
      Access(Kind::kWrite, {Term(4, kLoop), Term(400, kLoop + 1), Term(800, kGroupId)}), parts);
  access = If(access, {Term(2, kGroupId), Term(1, kLoop + 1), Term(1, kArgument)},
              SummaryGuard::Kind::kNegative);
  const LaunchUses five = Uses({access}, Line(4 * 64, 64), {Integer(-5)});
  CHECK(five.writes.sure);
  CHECK(five.writes.ranged);
  CHECK_FALSE(five.writes.exact);
  CHECK(five.writes.core_first == 0);
  CHECK(five.writes.core_last == 4);
  // The first work item does not execute it, and which one does is not known.
  const auto behind =
      If(access, {Term(1, kGroupId), Term(1, kLoop), Term(-3)}, SummaryGuard::Kind::kPositive);
  CHECK_FALSE(Uses({behind}, Line(4 * 64, 64), {Integer(-5)}).writes.sure);
  auto unknown = access;
  unknown.guarded = false;
  CHECK_FALSE(Uses({unknown}, Line(4 * 64, 64), {Integer(-5)}).writes.sure);
  // With an offset, the first identifier is not 0.
  const auto moved =
      If(If(Access(Kind::kRead, {Term(4, kGlobalId)}),
            {Term(1, kGlobalId), Term(1, kGlobalId + 1), Term(-12)}, SummaryGuard::Kind::kPositive),
         {Term(1, kGlobalId), Term(-1, kGlobalId + 1), Term(-4)}, SummaryGuard::Kind::kNotNegative);
  LaunchShape plane = Line(8);
  plane.global_size[1] = 8;
  CHECK_FALSE(Uses({moved}, plane).reads.sure);
  plane.global_offset[0] = 9;
  plane.global_offset[1] = 5;
  const LaunchUses uses = Uses({moved}, plane);
  CHECK(uses.reads.sure);
  CHECK(uses.reads.core_first == 36);
  CHECK(uses.reads.core_last == 68);  // each column has an item between the two limits
}

TEST_CASE("whole groups are known where the last group is divided") {
  // Each group of 128 has 1024 elements, in two accesses of 4 elements a work item, as of Triton.
  const auto group = [](SummaryAccess::Kind kind, int64_t element) {
    return If(Access(kind, {Term(16, kLocalId), Term(4096, kGroupId), Term(4 * element)}, 16),
              {Term(4, kLocalId), Term(1024, kGroupId), Term(element), Term(1, kArgument)},
              SummaryGuard::Kind::kNegative);
  };
  const auto writes = [&](uint64_t groups, int64_t count) {
    return Uses({group(Kind::kWrite, 0), group(Kind::kWrite, 512)}, Line(groups * 128, 128),
                {Integer(-count)})
        .writes;
  };
  // The last group has 256 elements.
  LaunchUse use = writes(5, 4 * 1024 + 256);
  CHECK(use.sure);
  CHECK_FALSE(use.exact);
  CHECK(use.core_first == 0);
  CHECK(use.core_last == 4 * 4096);
  // It has 740: one of its accesses is whole.
  use = writes(5, 4 * 1024 + 740);
  CHECK(use.core_first == 0);
  CHECK(use.core_last == 4 * 4096);
  // No group is whole: only the first work items of the first one write.
  use = writes(5, 200);
  CHECK(use.sure);
  CHECK(use.core_last == 4 * 200);
  CheckRange(writes(4, 4 * 1024), 0, 4 * 4096, true);
  // Items behind a limit.
  const auto behind = [](int64_t element) {
    return If(
        Access(Kind::kRead, {Term(16, kLocalId), Term(4096, kGroupId), Term(4 * element)}, 16),
        {Term(4, kLocalId), Term(1024, kGroupId), Term(element), Term(-1500)},
        SummaryGuard::Kind::kNotNegative);
  };
  use = Uses({behind(0), behind(512)}, Line(5 * 128, 128)).reads;
  CHECK(use.sure);
  CHECK(use.core_first == 4 * 1500);
  CHECK(use.core_last == 4 * 4096 + 2048);
  auto unknown = behind(0);
  unknown.guarded = false;
  CHECK_FALSE(Uses({unknown}, Line(5 * 128, 128)).reads.sure);
}

TEST_CASE("gaps and work items at one place are no exact range") {
  CheckRange(Uses({Access(Kind::kWrite, {Term(8, kGlobalId)})}, Line(64)).writes, 0, 508, false);
  CheckRange(Uses({Access(Kind::kWrite, {Term(8, kGlobalId)}, 8)}, Line(64)).writes, 0, 512, true);
  CheckRange(Uses({Access(Kind::kWrite, {})}, Line(64)).writes, 0, 4, false);
  CheckRange(Uses({Access(Kind::kWrite, {})}, Line(1)).writes, 0, 4, true);
  CheckRange(Uses({Access(Kind::kRead, {})}, Line(64)).reads, 0, 4, true);
}

TEST_CASE("accesses that fill each other's gaps make an exact range") {
  // Two members of a structure.
  const SummaryAccess first = Access(Kind::kWrite, {Term(8, kGlobalId)});
  const SummaryAccess second = Access(Kind::kWrite, {Term(8, kGlobalId), Term(4)});
  CheckRange(Uses({second, first}, Line(64)).writes, 0, 512, true);
  CheckRange(Uses({first, Access(Kind::kRead, {Term(8, kGlobalId), Term(4)})}, Line(64)).writes, 0,
             508, false);
  // Each group accesses 4 KiB in two accesses of 16 bytes a work item.
  const auto group = [](int64_t offset) {
    return Access(Kind::kRead, {Term(16, kLocalId), Term(4096, kGroupId), Term(offset)}, 16);
  };
  CheckRange(Uses({group(0), group(2048)}, Line(1280, 128)).reads, 0, 40960, true);
  CheckRange(Uses({group(0), group(2048)}, Line(640, 64)).reads, 0, 39936, false);
  CheckRange(Uses({group(0), group(2064)}, Line(1280, 128)).reads, 0, 40976, false);
  // A group more in one of them: its first part follows the others.
  const LaunchUse longer = Uses({group(0), group(2048), group(40960)}, Line(1280, 128)).reads;
  CHECK_FALSE(longer.exact);
  CHECK(longer.core_last == 43008);
}

TEST_CASE("rows are exact if nothing lies between them") {
  LaunchShape shape;
  shape.global_size[0] = 16;
  shape.global_size[1] = 4;
  const SummaryAccess access =
      Access(Kind::kWrite, {Term(4, kGlobalId), Term(4, kArgument, kGlobalId + 1)});
  CheckRange(Uses({access}, shape, {Integer(16)}).writes, 0, 256, true);
  CheckRange(Uses({access}, shape, {Integer(20)}).writes, 0, 304, false);
  CHECK_FALSE(Uses({access}, shape, {LaunchInteger()}).writes.ranged);  // not set
}

TEST_CASE("a condition on the work item narrows the range") {
  const SummaryAccess access =
      If(Access(Kind::kWrite, {Term(4, kGlobalId)}), {Term(1, kGlobalId), Term(-1, kArgument)},
         SummaryGuard::Kind::kNegative);
  CheckRange(Uses({access}, Line(64), {Integer(40)}).writes, 0, 160, true);
  CheckRange(Uses({access}, Line(64), {Integer(100)}).writes, 0, 256, true);
  CHECK_FALSE(Uses({access}, Line(64), {Integer(0)}).writes.possible);
  const LaunchUse open = Uses({access}, Line(64), {LaunchInteger()}).writes;
  CHECK(open.possible);
  CHECK_FALSE(open.sure);
  const SummaryAccess behind = If(Access(Kind::kRead, {Term(4, kGlobalId)}),
                                  {Term(1, kGlobalId), Term(-8)}, SummaryGuard::Kind::kNotNegative);
  CheckRange(Uses({behind}, Line(64)).reads, 32, 256, true);
  const SummaryAccess not_first = If(Access(Kind::kRead, {Term(4, kGlobalId)}),
                                     {Term(1, kGlobalId)}, SummaryGuard::Kind::kNotZero);
  CheckRange(Uses({not_first}, Line(64)).reads, 4, 256, true);
}

TEST_CASE("a condition on an argument decides") {
  const SummaryAccess access = If(Access(Kind::kWrite, {Term(4, kGlobalId)}), {Term(1, kArgument)},
                                  SummaryGuard::Kind::kNotZero);
  CHECK_FALSE(Uses({access}, Line(64), {Integer(0)}).writes.possible);
  CHECK(Uses({access}, Line(64), {Integer(-1)}).writes.exact);
}

TEST_CASE("a value that does not fit its type is unknown") {
  SummaryAccess access = Access(Kind::kWrite, {Term(4, kGlobalId)});
  access.fits.push_back({{Term(1, kGlobalId)}, 8, true});
  CHECK(Uses({access}, Line(128)).writes.exact);
  const LaunchUse beyond = Uses({access}, Line(129)).writes;
  CHECK(beyond.possible);
  CHECK_FALSE(beyond.sure);
  CHECK_FALSE(beyond.ranged);
}

TEST_CASE("ranges of groups are known if the size of a group is known") {
  const SummaryAccess access =
      If(Access(Kind::kWrite, {Term(4, kGroupId)}), {Term(1, kLocalId)}, SummaryGuard::Kind::kZero);
  CheckRange(Uses({access}, Line(64, 16)).writes, 0, 16, true);
  CHECK_FALSE(Uses({access}, Line(64)).writes.ranged);
  const SummaryAccess all =
      Access(Kind::kWrite, {Term(4, kGroupId, kLocalSize), Term(4, kLocalId)});
  CheckRange(Uses({all}, Line(64, 16)).writes, 0, 256, true);
  CHECK_FALSE(Uses({all}, Line(60, 16)).writes.exact);
  // With the size of the groups as a number, and a condition on the item.
  const SummaryAccess numbered = If(Access(Kind::kWrite, {Term(64, kGroupId), Term(4, kLocalId)}),
                                    {Term(16, kGroupId), Term(1, kLocalId), Term(-1, kArgument)},
                                    SummaryGuard::Kind::kNegative);
  CheckRange(Uses({numbered}, Line(64, 16), {Integer(40)}).writes, 0, 160, true);
  const LaunchUse larger = Uses({numbered}, Line(64, 32), {Integer(40)}).writes;
  CHECK(larger.sure);
  CHECK(larger.core_last == 160);
  CHECK_FALSE(larger.exact);
  CHECK_FALSE(Uses({numbered}, Line(64, 32), {Integer(0)}).writes.sure);
}

// A read of the element at the global identifier + `shift` bytes, under a condition on the local
// identifier.
SummaryAccess Beside(int64_t shift, SummaryFormula value, SummaryGuard::Kind kind) {
  return If(Access(Kind::kRead, {Term(4, kGlobalId), Term(shift)}), std::move(value), kind);
}

TEST_CASE("a condition on the local identifier holds in each group") {
  // The first item of each group.
  const SummaryFormula first = {Term(1, kLocalId)};
  LaunchUse use = Uses({Beside(0, first, SummaryGuard::Kind::kZero)}, Line(64, 16)).reads;
  CheckRange(use, 0, 196, false);
  CHECK(use.end_last == 196);
  // The last item of each group reads the next element.
  const SummaryFormula last = {Term(1, kLocalId), Term(-1, kLocalSize), Term(1)};
  use = Uses({Beside(4, last, SummaryGuard::Kind::kZero)}, Line(64, 16)).reads;
  CheckRange(use, 64, 260, false);
  CHECK(use.sure);
  CHECK(use.end_first == 64);
  CHECK(use.end_last == 260);
  // Three items at the end of each group.
  const SummaryFormula three = {Term(1, kLocalId), Term(-1, kLocalSize), Term(3)};
  use = Uses({Beside(12, three, SummaryGuard::Kind::kNotNegative)}, Line(64, 16)).reads;
  CheckRange(use, 64, 268, false);
  CHECK(use.end_last == 268);
  // With a guard against the end, before or behind.
  const SummaryFormula inside = {Term(1, kGlobalId), Term(1), Term(-64)};
  const auto guarded =
      If(Beside(4, last, SummaryGuard::Kind::kZero), inside, SummaryGuard::Kind::kNegative);
  CheckRange(Uses({guarded}, Line(64, 16)).reads, 64, 196, false);
  auto swapped = guarded;
  std::swap(swapped.guards[0], swapped.guards[1]);
  CheckRange(Uses({swapped}, Line(64, 16)).reads, 64, 196, false);
  CHECK(Uses({swapped}, Line(64, 16)).reads.end_last == 196);
  // The last group, with an offset of the launch.
  LaunchShape moved = Line(64, 16);
  moved.global_offset[0] = 4;
  const SummaryFormula group = {Term(1, kGroupId), Term(-1, kGroupCount), Term(1)};
  CheckRange(Uses({Beside(0, group, SummaryGuard::Kind::kZero)}, moved).reads, 208, 272, true);
  // Groups of several sizes.
  use = Uses({Beside(4, last, SummaryGuard::Kind::kZero)}, Line(60, 16)).reads;
  CHECK_FALSE(use.sure);
  CHECK_FALSE(use.has_ends());
}

TEST_CASE(
    "a condition on the local identifier leaves gaps in a loop that strides over the launch") {
  const SummaryFormula below = {Term(1, kGlobalId), Term(1, kGlobalSize, kLoop), Term(-128)};
  auto access = Access(Kind::kWrite, {Term(4, kGlobalId), Term(4, kGlobalSize, kLoop)});
  access = If(access, below, SummaryGuard::Kind::kNegative);
  CheckRange(Uses({access}, Line(64, 16)).writes, 0, 512, true);
  access = If(access, {Term(1, kLocalId)}, SummaryGuard::Kind::kZero);
  const LaunchUse use = Uses({access}, Line(64, 16)).writes;
  CHECK_FALSE(use.exact);
  CHECK_FALSE(use.has_core());
}

TEST_CASE("numbers of any size do not overflow") {
  LaunchShape shape;
  for (int d = 0; d < 3; ++d) {
    shape.global_size[d] = UINT64_MAX;
    shape.global_offset[d] = UINT64_MAX;
    shape.local_size[d] = 1;
  }
  for (const int64_t factor : {INT64_MAX, INT64_MIN, int64_t{1}}) {
    CHECK_FALSE(Uses({Access(Kind::kWrite, {Term(factor, kGlobalId)})}, shape).writes.ranged);
    CHECK_FALSE(Uses({Access(Kind::kWrite, {Term(factor, kGlobalId, kGlobalId + 1)})}, shape)
                    .writes.ranged);
    CHECK_FALSE(Uses({Access(Kind::kWrite, {Term(factor, kGlobalSize, kGlobalSize)})}, shape)
                    .writes.ranged);
  }
}

struct Refined {
  explicit Refined(std::vector<SummaryAccess> accesses, Direction declared = Direction::kUnknown,
                   uint64_t bytes = 256) {
    KernelSummary summary;
    summary.parameters.resize(1);
    summary.parameters[0].known = true;
    summary.parameters[0].accesses = std::move(accesses);
    kernel.summary = std::make_shared<const KernelSummary>(std::move(summary));
    kernel.arguments.resize(1);
    resource.bytes = bytes;
    resource.root = &resource;
    LaunchArgument& argument = arguments.emplace_back();
    argument.resource = &resource;
    argument.direction = declared;
    launch.writable_arguments = 1;
    std::vector<LaunchOverrun> overruns;
    RefineLaunch(kernel, Line(32), &arguments, &launch, &overruns);
  }
  Kernel kernel;
  Resource resource;
  absl::InlinedVector<LaunchArgument, 8> arguments;
  Launch launch;
};

TEST_CASE("the bytes that a kernel may write are bounded by all writes") {
  const SummaryAccess rows = Access(Kind::kWrite, {Term(4, kGlobalId)});
  const Refined half({rows});
  REQUIRE(half.arguments[0].bounds == 1);
  CHECK(half.launch.write_bounds[0].begin == 0);
  CHECK(half.launch.write_bounds[0].end == 128);
  SummaryAccess anywhere = Access(Kind::kWrite, {});
  anywhere.ranged = false;
  const Refined open({rows, anywhere});
  CHECK(open.arguments[0].bounds == 0);
}

TEST_CASE("writes have bounds if they have ranges, and stay in memory that has an address") {
  Resource memory;
  memory.root = &memory;
  memory.bytes = 256;
  const auto bounds = [&](ObjectKind kind, SummaryAccess access, uint64_t items) {
    memory.kind = kind;
    LaunchArgument argument;
    argument.resource = &memory;
    argument.offset = 64;
    Launch launch;
    const bool bound = BoundWrites(Uses({std::move(access)}, Line(items)), &argument, &launch);
    CHECK(bound == (argument.bounds == 1));
    return bound ? launch.write_bounds[0] : ByteRange();
  };
  const SummaryAccess each = Access(Kind::kWrite, {Term(4, kGlobalId)});
  for (const ObjectKind kind : {ObjectKind::kDeviceMemory, ObjectKind::kBuffer}) {
    CHECK(bounds(kind, each, 32).begin == 64);
    CHECK(bounds(kind, each, 32).end == 192);
    SummaryAccess scattered = each;
    scattered.ranged = false;
    CHECK(bounds(kind, scattered, 32).end == 0);
  }
  // The bytes behind the memory may be those of other memory.
  CHECK(bounds(ObjectKind::kDeviceMemory, each, 49).end == 0);
  CHECK(bounds(ObjectKind::kBuffer, each, 49).end == 256);
}

TEST_CASE("paths for full groups and for the last one make one range") {
  // Groups of 128 work items have tiles of 512 elements: 16 bytes a work item, or guarded elements.
  const SummaryFormula room = {Term(1, kArgument), Term(-512, kGroupId)};
  SummaryFormula more = room;
  more.push_back(Term(-512));
  std::vector<SummaryAccess> accesses = {
      If(Access(Kind::kWrite, {Term(16, kLocalId), Term(2048, kGroupId)}, 16), more,
         SummaryGuard::Kind::kNotNegative)};
  for (int i = 0; i < 4; ++i) {
    const SummaryAccess last =
        If(Access(Kind::kWrite, {Term(4, kLocalId), Term(2048, kGroupId), Term(512 * i)}), more,
           SummaryGuard::Kind::kNegative);
    accesses.push_back(
        If(last, {Term(1, kLocalId), Term(128 * i), Term(512, kGroupId), Term(-1, kArgument)},
           SummaryGuard::Kind::kNegative));
  }
  CheckRange(Uses(accesses, Line(5 * 128, 128), {Integer(2148)}).writes, 0, 8592, true);
  CheckRange(Uses(accesses, Line(4 * 128, 128), {Integer(2048)}).writes, 0, 8192, true);
  CheckRange(Uses(accesses, Line(128, 128), {Integer(100)}).writes, 0, 400, true);
  // Of the last tile only the first elements are known.
  accesses.resize(2);
  accesses.push_back(Access(Kind::kWrite, {}));
  accesses.back().ranged = accesses.back().guarded = false;
  const LaunchUse use = Uses(accesses, Line(5 * 128, 128), {Integer(2148)}).writes;
  CHECK_FALSE(use.ranged);
  CHECK(use.sure);
  CHECK(use.core_first == 0);
  CHECK(use.core_last == 8592);
}

TEST_CASE("an argument is narrowed to the bytes that are surely accessed") {
  Resource resource;
  resource.bytes = 4096;
  LaunchArgument argument, more;
  argument.resource = &resource;
  SummaryAccess some = Access(Kind::kWrite, {});
  some.ranged = some.guarded = false;
  const SummaryAccess known = Access(Kind::kWrite, {Term(4, kGlobalId), Term(256)});
  CHECK_FALSE(RefineArgument(Uses({known, some}, Line(64)), &argument, &more));
  CHECK(argument.direction == Direction::kWrite);
  CHECK(argument.certain);
  CHECK(argument.first == 256);
  CHECK(argument.last == 512);
  // Without a sure access the argument stays open.
  LaunchArgument open;
  open.resource = &resource;
  CHECK_FALSE(RefineArgument(Uses({some}, Line(64)), &open, &more));
  CHECK_FALSE(open.certain);
  CHECK_FALSE(open.ranged);
}

TEST_CASE("a program of all parameters agrees with each summary") {
  const SummaryFormula below = {Term(1, kGlobalId), Term(-1, kArgument)};
  SummaryFit fit;
  fit.value = below;
  fit.bits = 32;
  std::vector<ParameterSummary> parameters(3);
  for (int i = 0; i < 3; ++i) {
    parameters[i].known = true;
    for (const Kind kind : {Kind::kRead, Kind::kWrite, Kind::kAtomic}) {
      if (static_cast<int>(kind) > i) break;
      SummaryAccess access = If(Access(kind, {Term(4, kGlobalId), Term(64 * i)}), below,
                                SummaryGuard::Kind::kNegative);
      access.fits.push_back(fit);
      parameters[i].accesses.push_back(access);
      parameters[i].accesses.push_back(Access(kind, {Term(8, kLocalId)}));
    }
  }
  const LaunchProgram program({&parameters[0], &parameters[1], &parameters[2]});
  for (const int count : {0, 1, 40, 64, 1000}) {
    const LaunchInteger integers[] = {{static_cast<uint64_t>(count), 4}};
    for (const LaunchShape& shape : {Line(64), Line(64, 16), Line(0)}) {
      LaunchUses uses[3];
      uses[0].atomics.possible = true;  // overwritten
      program.Evaluate(shape, integers, absl::MakeSpan(uses));
      for (int i = 0; i < 3; ++i) {
        const LaunchUses own = UsesOf(parameters[i], shape, absl::MakeConstSpan(integers));
        for (const auto& [a, b] :
             {std::pair{uses[i].reads, own.reads}, std::pair{uses[i].writes, own.writes},
              std::pair{uses[i].atomics, own.atomics}}) {
          CHECK(a.possible == b.possible);
          CHECK(a.sure == b.sure);
          CHECK(a.ranged == b.ranged);
          CHECK(a.exact == b.exact);
          CHECK(a.first == b.first);
          CHECK(a.last == b.last);
          CHECK(a.core_first == b.core_first);
          CHECK(a.core_last == b.core_last);
          CHECK(a.end_first == b.end_first);
          CHECK(a.end_last == b.end_last);
        }
      }
    }
  }
}

TEST_CASE("accesses that surely end outside of the memory of an argument are found") {
  Resource resource;
  resource.bytes = 256;
  LaunchArgument argument;
  argument.resource = &resource;
  LaunchOverrun overrun;
  const SummaryAccess one = Access(Kind::kWrite, {Term(4, kGlobalId)});
  CHECK_FALSE(FindOverrun(Uses({one}, Line(64)), argument, &overrun));
  REQUIRE(FindOverrun(Uses({one}, Line(65)), argument, &overrun));
  CHECK(overrun.verb == std::string("writes"));
  CHECK(overrun.last == 260);
  argument.offset = 4;
  CHECK(FindOverrun(Uses({one}, Line(64)), argument, &overrun));
  const SummaryAccess before = Access(Kind::kRead, {Term(4, kGlobalId), Term(-8)});
  REQUIRE(FindOverrun(Uses({before}, Line(8)), argument, &overrun));
  CHECK(overrun.verb == std::string("reads"));
  CHECK(overrun.first == -8);
  const SummaryAccess atomic = Access(Kind::kAtomic, {Term(4, kGlobalId)});
  CHECK_FALSE(FindOverrun(Uses({atomic}, Line(63)), argument, &overrun));
  REQUIRE(FindOverrun(Uses({atomic}, Line(64)), argument, &overrun));
  CHECK(overrun.verb == std::string("accesses"));
  // Not every work item gets there.
  const SummaryAccess some =
      If(one, {Term(1, kGlobalId), Term(-1, kArgument)}, SummaryGuard::Kind::kNegative);
  CHECK_FALSE(FindOverrun(Uses({some}, Line(64), {LaunchInteger()}), argument, &overrun));
  CHECK_FALSE(FindOverrun(Uses({some}, Line(64), {Integer(63)}), argument, &overrun));
  CHECK(FindOverrun(Uses({some}, Line(64), {Integer(64)}), argument, &overrun));
  argument.indirect = true;
  CHECK_FALSE(FindOverrun(Uses({one}, Line(65)), argument, &overrun));
}

TEST_CASE("accesses with gaps reach as far as their last one") {
  Resource resource;
  resource.bytes = 256;
  LaunchArgument argument;
  argument.resource = &resource;
  LaunchOverrun overrun;
  const SummaryAccess column = Access(Kind::kWrite, {Term(36, kGlobalId)});
  CHECK_FALSE(FindOverrun(Uses({column}, Line(8)), argument, &overrun));
  REQUIRE(FindOverrun(Uses({column}, Line(9)), argument, &overrun));
  CHECK(overrun.gaps);
  CHECK(overrun.first == 0);
  CHECK(overrun.last == 292);
  // The last work items do not get there, or it is not known.
  const SummaryAccess some =
      If(column, {Term(1, kGlobalId), Term(-1, kArgument)}, SummaryGuard::Kind::kNegative);
  CHECK_FALSE(FindOverrun(Uses({some}, Line(9), {LaunchInteger()}), argument, &overrun));
  CHECK_FALSE(FindOverrun(Uses({some}, Line(9), {Integer(8)}), argument, &overrun));
  CHECK(FindOverrun(Uses({some}, Line(9), {Integer(9)}), argument, &overrun));
}

TEST_CASE("a launch takes direction, range and certainty from the summary") {
  const Refined read({Access(Kind::kRead, {Term(4, kGlobalId)})});
  CHECK(read.arguments[0].direction == Direction::kRead);
  CHECK(read.arguments[0].certain);
  CHECK(read.arguments[0].last == 128);
  CHECK(read.launch.writable_arguments == 0);
  const Refined unused({});
  CHECK(unused.arguments[0].direction == Direction::kNone);
  CHECK(unused.launch.writable_arguments == 0);
  // Read and written in other ranges.
  const Refined step({Access(Kind::kRead, {Term(4, kGlobalId)}),
                      Access(Kind::kWrite, {Term(4, kGlobalId), Term(128)})});
  REQUIRE(step.arguments.size() == 2);
  CHECK(step.arguments[0].direction == Direction::kRead);
  CHECK(step.arguments[1].direction == Direction::kWrite);
  CHECK(step.arguments[1].first == 128);
  CHECK(step.launch.writable_arguments == 1);
  const Refined in_place(
      {Access(Kind::kRead, {Term(4, kGlobalId)}), Access(Kind::kWrite, {Term(4, kGlobalId)})});
  REQUIRE(in_place.arguments.size() == 1);
  CHECK(in_place.arguments[0].direction == Direction::kReadWrite);
  CHECK(in_place.arguments[0].certain);
}

TEST_CASE("uncertain accesses stay uncertain") {
  const Refined atomic({Access(Kind::kAtomic, {}), Access(Kind::kWrite, {Term(4, kGlobalId)})});
  CHECK(atomic.arguments[0].direction == Direction::kUnknown);
  CHECK_FALSE(atomic.arguments[0].ranged);
  SummaryAccess maybe = Access(Kind::kWrite, {Term(4, kGlobalId)});
  maybe.guarded = false;
  const Refined written({maybe});
  CHECK(written.arguments[0].direction == Direction::kUnknown);
  CHECK(written.arguments[0].ranged);
  CHECK(written.arguments[0].may_offset);
  CHECK_FALSE(written.arguments[0].certain);
  CHECK_FALSE(written.arguments[0].somewhere);
  SummaryAccess unknown = Access(Kind::kWrite, {});
  unknown.ranged = false;
  const Refined scattered({unknown});
  CHECK(scattered.arguments[0].direction == Direction::kWrite);
  CHECK(scattered.arguments[0].somewhere);
  CHECK_FALSE(scattered.arguments[0].certain);
  maybe.kind = Kind::kRead;
  const Refined read({maybe});
  CHECK(read.arguments[0].direction == Direction::kRead);
  CHECK(read.arguments[0].possible);
  // A range outside of the buffer is not used, one that leaves it is cut.
  const Refined outside({Access(Kind::kWrite, {Term(4, kGlobalId), Term(1000)})});
  CHECK_FALSE(outside.arguments[0].ranged);
  const Refined cut({Access(Kind::kWrite, {Term(4, kGlobalId)})}, Direction::kUnknown, 100);
  CHECK(cut.arguments[0].last == 100);
}

}  // namespace
}  // namespace gpusan
