// The arguments of a kernel launch.
#include "hooks/cuda/kernels/launch_arguments.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "hooks/common/base/safe_read.h"
#include "hooks/common/sites/site_cache.h"
#include "hooks/cuda/arrays/tensor_maps.h"
#include "hooks/cuda/kernels/launch_execution.h"
#include "hooks/cuda/kernels/launch_text.h"
#include "hooks/cuda/kernels/library_scope.h"
#include "hooks/cuda/kernels/modules.h"
#include "hooks/cuda/kernels/updates.h"
#include "hooks/cuda/kernels/written_bytes.h"
#include "hooks/cuda/memory/pointers.h"
#include "hooks/cuda/streams/streams.h"
#include "tracker/order/waiting_kernels.h"
#include "tracker/rules/events/freed_tensor_map.h"
#include "tracker/rules/events/kernel_alignment.h"
#include "tracker/rules/events/kernel_overrun.h"
#include "tracker/rules/events/packed_arguments.h"

namespace gpusan::cuda {
namespace {

// number of recent lookups of addresses in one launch that are cached
constexpr size_t kLastInside = 64;
constexpr int kPlaceBits = 21;           // allocators divide blocks of this size
constexpr uint64_t kWidestElement = 16;  // bytes

bool IsHostMemory(uintptr_t address) {
  unsigned char byte;
  return ReadOwnMemory(address, &byte, 1) == 1;
}

// Whether a library makes the launch that divides a workspace among the arguments: the base of an
// empty part may lie anywhere after the workspace, and the kernel does not use it.
bool DividesWorkspace(CuCall& call, const Function& function) {
  // Also of libraries that are linked statically; cuSOLVER names the classes of its parameters.
  for (const char* part :
       {"cusparse", "N3cub", "I12sytrd_paramsI", "I13getrf_params_I", "I13stedc_params_I",
        "I18batch_syevj_paramsI", "I22getrf_wo_pivot_params_I"}) {
    if (function.symbol.find(part) != std::string::npos) return true;
  }
  SiteFrame caller;
  if (SiteFrames(call.site(), &caller, 1) != 1) return false;
  const SiteModule* module = SiteModuleById(caller.module);
  if (module == nullptr) return false;
  const std::string_view path = module->path;
  return path.find("/libcusolver") != path.npos || path.find("/libcusparse") != path.npos;
}

}  // namespace

uint64_t LaunchShape::threads() const {
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i)
    threads = SaturatingMultiply(threads, SaturatingMultiply(grid[i], block[i]));
  return threads;
}

void LaunchArguments::Add(uint32_t index, const Parameter& parameter, Resource* resource,
                          uint64_t offset, bool held) {
  // Constructed in place: loading an object that was just stored in pieces is slow.
  LaunchArgument& argument = arguments_.emplace_back();
  argument.resource = resource;
  argument.offset = offset;
  argument.index = index;
  argument.element_bytes = parameter.type.element_bytes;
  argument.direction = parameter.type.constant ? Direction::kRead : Direction::kUnknown;
  argument.indirect = held;
}

// Every word of a class argument that looks like an address in live memory counts as one: the
// memory must live until the kernel has run.
void LaunchArguments::LookInside(CuCall& call, uint32_t index,
                                 absl::Span<const uint64_t> addresses) {
  // Lists of addresses contain many of few allocations: addresses near a previous one are not
  // looked up, and a resource is recorded once.
  struct {
    uintptr_t begin;
    uint64_t bytes;
  } last[kLastInside];  // by address
  uint64_t known = 0;   // one bit for each entry that is set
  for (const uintptr_t word : addresses) {
    const size_t place = word >> kPlaceBits & (kLastInside - 1);
    auto& range = last[place];
    if ((known >> place & 1) != 0 && word - range.begin < range.bytes) continue;
    uint64_t offset = 0;
    Resource* resource = call.tracker().objects().FindAddress(word, &offset);
    if (resource == nullptr) {
      // The end of memory, from which the kernel may work backwards.
      resource = call.tracker().objects().FindAddress(word - 1, &offset);
      if (resource != nullptr) Add(index, Parameter(), resource, resource->bytes, true);
      continue;
    }
    range = {resource->handle, resource->bytes};
    known |= uint64_t{1} << place;
    if (!arguments_.empty() && arguments_.back().resource == resource && arguments_.back().indirect)
      continue;
    Add(index, Parameter(), resource, offset, true);
  }
}

void LaunchArguments::LookInsideCovered(CuCall& call, const Function& function) {
  const AddressMap::Span span = call.tracker().objects().addresses().span();
  absl::InlinedVector<uint64_t, 64> addresses;
  size_t number = function.needed_integers;
  for (const WordRun& run : function.pointer_runs) {
    const bool covered = run.parameter < 64 && (function.covered >> run.parameter & 1) != 0;
    addresses.clear();
    for (uint32_t i = 0; covered && i < run.count; ++i) {
      const uint64_t word = needed_[number + i].value;
      if (span.Holds(word)) addresses.push_back(word);
    }
    if (!addresses.empty()) LookInside(call, run.parameter, addresses);
    number += run.count;
  }
}

void LaunchArguments::NullPointer(CuCall& call, Function& function, uint32_t index) {
  if (index >= 64) return;
  const uint64_t bit = uint64_t{1} << index;
  nulls_ |= bit;
  if (call.tracker().HasFaulted(Api::kCuda)) return;  // allocations fail after a device fault
  if ((function.had_null.load(std::memory_order_relaxed) & bit) != 0) return;
  function.had_null.fetch_or(bit, std::memory_order_relaxed);
  if (function.uses != nullptr && function.whole_pointers[index] >= 0)
    dead_.push_back({index, function.whole_pointers[index], 0});
  if (function.output == static_cast<int>(index) &&
      (function.had_pointer.load(std::memory_order_relaxed) & bit) != 0) {
    null_output_ = static_cast<int>(index);
  }
}

[[gnu::noinline]] void LaunchArguments::UnknownPointer(CuCall& call, Function& function,
                                                       uint32_t index, uintptr_t address) {
  if (IsOwn(address)) {
    if (function.uses != nullptr && function.whole_pointers[index] >= 0)
      dead_.push_back({index, function.whole_pointers[index], address});
    return;
  }
  // Libraries pass host scalars by const pointers that the kernel does not dereference (alpha and
  // beta of cuBLAS), in launch after launch.
  const bool constant = function.parameters[index].type.constant;
  HostBlock block;
  const bool whole_block = call.tracker().host_side().memory().Find(address, &block) &&
                           block.begin == address && block.kind != HostBlockKind::kStatic;
  if (constant && !whole_block) {
    if (function.harmless.Holds(index, address, call.tracker().objects().releases())) return;
    // The code may access it nevertheless.
    if (function.uses != nullptr && function.whole_pointers[index] >= 0 && IsAddress(address) &&
        call.tracker().objects().FindReleased(address) == nullptr)
      dead_.push_back({index, function.whole_pointers[index], address});
    if ((stack_.high != 0 ? stack_ : OwnStack()).Holds(address))
      return function.harmless.Note(index, address, call.tracker().objects().releases());
  }
  uint64_t offset = 0;
  if (Resource* resource = FindPointer(call, address, &offset); resource != nullptr) {
    Add(index, function.parameters[index], resource, offset, false);
    return;
  }
  // Addresses that no allocation can have are used as markers.
  if (address < kLowestAddress || address >= uintptr_t{0} - kLowestAddress) return;
  // Arrays with first index one: the base lies one element before the memory.
  if (Resource* behind = call.tracker().objects().FindAddress(address + kWidestElement, &offset);
      behind != nullptr && offset < kWidestElement) {
    Add(index, function.parameters[index], behind, 0, true);
    return;
  }
  if (Resource* before = call.tracker().objects().FindAddress(address - 1, &offset);
      before != nullptr) {
    ends_.push_back({index, address, before});
    // The kernel may work backwards from there.
    Add(index, function.parameters[index], before, before->bytes, true);
    return;
  }
  rules::KernelPointer pointer{function.kernel, index, address};
  // A pointer to the start of a whole host block is no scalar.
  const bool scalar = constant && !whole_block;
  pointer.reachable_host = scalar || (ReachesAllHostMemory(call) && IsHostMemory(address));
  if (function.uses != nullptr && function.whole_pointers[index] >= 0 &&
      (!scalar || call.tracker().objects().FindReleased(address) != nullptr)) {
    dead_.push_back({index, function.whole_pointers[index], address, true, pointer.reachable_host});
    return;
  }
  CheckPointer(call, function, pointer);
  if (scalar && !call.has_findings())
    function.harmless.Note(index, address, call.tracker().objects().releases());
}

void LaunchArguments::CheckPointer(CuCall& call, const Function& function,
                                   rules::KernelPointer pointer) {
  pointer.may_be_empty = DividesWorkspace(call, function);
  pointer.recorder = launch_.recorder;
  pointer.recorded_at = launch_.recorded_at;
  call.tracker().pointers().CheckKernelPointer(call, pointer);
}

void LaunchArguments::CheckTensorMap(CuCall& call, const Function& function, uint32_t index,
                                     uintptr_t address) {
  if ((function.uses != nullptr && !function.uses->copies_tensors()) || IsOwn(address)) return;
  const Resource* freed = call.tracker().objects().FindReleased(address);
  uint64_t offset = 0;
  HostBlock block;
  if (freed == nullptr || FindPointer(call, address, &offset) != nullptr ||
      call.tracker().host_side().memory().Find(address, &block))
    return;
  const TensorMapSource source = SourceOfTensorMap(address);
  rules::OnFreedTensorMap({function.kernel, index, freed, source.call, source.site,
                           launch_.recorder, launch_.recorded_at},
                          call);
}

namespace {

// Returns whether the kernel may access memory through the parameter, and nothing in front of the
// pointer.
bool OnlyForward(const LaunchUses& uses) {
  const auto forward = [](const LaunchUse& use) {
    return !use.possible || (use.ranged && use.first >= 0);
  };
  return !uses.atomics.possible && (uses.reads.possible || uses.writes.possible) &&
         forward(uses.reads) && forward(uses.writes);
}

// Returns the address of the first byte that is surely accessed, if it is known; otherwise the
// pointer.
uintptr_t FirstSurely(uintptr_t pointer, const LaunchUse& use) {
  return pointer + (use.has_core() ? static_cast<uint64_t>(use.core_first) : 0);
}

}  // namespace

// If the code of the kernel is known, it decides; an end may be the start of accesses in front of
// it. The end of one allocation is also the start of a freed one that lay behind it.
void LaunchArguments::CheckEnds(CuCall& call, Function& function, const LaunchShape& shape) {
  const SharedUses uses = UsesByCode(call, function, shape);
  const bool known = uses != nullptr;
  if (has_zero_ && !known) return;
  for (const End& end : ends_) {
    const Resource* freed = call.tracker().objects().FindReleased(end.address);
    if (freed != nullptr && freed->handle != end.address) freed = nullptr;
    bool surely_behind = false;  // the code accesses the freed memory
    if (known) {
      const int16_t number = function.whole_pointers[end.index];
      const LaunchUses use = number >= 0 ? (*uses)[static_cast<size_t>(number)] : LaunchUses();
      LaunchArgument argument;
      argument.resource = end.resource;
      argument.offset = end.resource->bytes;
      argument.index = end.index;
      LaunchOverrun overrun;
      const bool overruns = FindOverrun(use, argument, &overrun);
      surely_behind = overruns && freed != nullptr && overrun.last > 0;
      if (overruns && !surely_behind) ReportOverrun(call, overrun, shape);
      if (!surely_behind && (overruns || freed == nullptr || !OnlyForward(use))) continue;
    }
    bool alone = true;
    for (const LaunchArgument& argument : arguments_)
      alone &= argument.resource != end.resource || argument.index == end.index;
    for (const End& other : ends_) alone &= &other == &end || other.resource != end.resource;
    if (!alone && !surely_behind) continue;
    rules::KernelPointer pointer{function.kernel, end.index, end.address};
    pointer.fault = rules::KernelPointer::Fault::kAtEnd;
    pointer.resource = end.resource;
    CheckPointer(call, function, pointer);
  }
}

bool LaunchArguments::AddOwnUse(uintptr_t pointer, const LaunchUses& use) {
  if (!use.writes.sure && !use.reads.sure) return false;
  const uintptr_t address = FirstSurely(pointer, use.writes.sure ? use.writes : use.reads);
  if (!IsOwn(address)) return false;
  own_uses_.push_back({address, use.writes.sure});
  return true;
}

// Reports pointers to dead memory through which the code surely accesses it.
[[gnu::noinline]] void LaunchArguments::CheckDeadPointers(CuCall& call, Function& function,
                                                          const LaunchShape& shape) {
  const SharedUses uses = UsesByCode(call, function, shape);
  if (uses == nullptr) return;
  for (const DeadPointer& dead : dead_) {
    const LaunchUses& use = (*uses)[static_cast<size_t>(dead.number)];
    const LaunchUse& sure = use.writes.sure ? use.writes : use.reads;
    reaches_unseen_ |= dead.address != 0 && (use.writes.possible || use.atomics.possible);
    if (dead.declared) {
      // A program may keep a pointer to freed memory in an argument that the launch does not use. A
      // pointer that never pointed to memory of the device is reported nevertheless.
      if (!use.reads.possible && !use.writes.possible && !use.atomics.possible &&
          call.tracker().objects().FindReleased(dead.address) != nullptr)
        continue;
      // A base outside of the memory that the kernel accesses.
      uint64_t offset = 0;
      if (sure.sure && sure.has_core() &&
          FindPointer(call, dead.address + static_cast<uint64_t>(sure.core_first), &offset) !=
              nullptr)
        continue;
      rules::KernelPointer pointer{function.kernel, dead.index, dead.address};
      pointer.reachable_host = dead.reachable_host;
      pointer.conditional = !use.reads.sure && !use.writes.sure && !use.atomics.sure;
      CheckPointer(call, function, pointer);
      continue;
    }
    if (!sure.sure) continue;
    if (dead.address == 0) {
      if (!sure.has_core() || sure.core_first < 0 || sure.core_first >= int64_t{kLowestAddress})
        continue;
      CheckPointer(call, function, {function.kernel, dead.index});
      continue;
    }
    const uintptr_t address = FirstSurely(dead.address, sure);
    uint64_t offset = 0;
    if (AddOwnUse(dead.address, use) || FindPointer(call, address, &offset) != nullptr) continue;
    HostBlock block;
    const bool in_block = call.tracker().host_side().memory().Find(address, &block);
    const bool host = in_block || IsHostMemory(address);
    if (host ? ReachesAllHostMemory(call)
             : call.tracker().objects().FindReleased(address) == nullptr)
      continue;
    rules::KernelPointer pointer{function.kernel, dead.index, address};
    if (host && !in_block) pointer.fault = rules::KernelPointer::Fault::kHost;
    CheckPointer(call, function, pointer);
  }
}

// Pointers inside of classes, and integers that the code uses as pointers.
void LaunchArguments::AddInnerPointers(CuCall& call, Function& function) {
  for (size_t i = 0; i < function.inner_pointers.size(); ++i) {
    const size_t at = function.needed_integers + i;
    const uintptr_t address = needed_[at].value;
    uint64_t offset = 0;
    Resource* resource = address >= kLowestAddress
                             ? call.tracker().objects().FindAddress(address, &offset)
                             : nullptr;
    if (resource == nullptr) {
      if (IsAddress(address)) [[unlikely]]
        dead_.push_back({function.needed[at].parameter, function.inner_pointers[i], address});
      continue;
    }
    if (first_inner_ == SIZE_MAX) first_inner_ = arguments_.size();
    Add(function.needed[at].parameter, Parameter(), resource, offset, false);
    inner_.push_back(function.inner_pointers[i]);
  }
}

void LaunchArguments::AddVariables(const Function& function) {
  for (const VariableUse& variable : function.uses->variables()) {
    Resource* resource = VariableOf(function.kernel->program.get(), variable.name);
    if (resource == nullptr) continue;
    Add(UINT32_MAX, Parameter(), resource, 0, false);
    SetVariableUse(variable.kinds, &arguments_.back());
    if ((variable.kinds & kWrites) != 0) ++launch_.writable_arguments;
  }
}

namespace {

// Programs repeat their launches: each function keeps what some of the last launches accessed, by
// their sizes and integers.
SharedUses UsesOfLaunch(Function& function, const gpusan::LaunchShape& size,
                        const LaunchShape& shape, absl::Span<const LaunchInteger> integers) {
  absl::InlinedVector<LaunchInteger, 16> key;
  for (int d = 0; d < 3; ++d) {
    key.push_back({shape.grid[d], 4});
    key.push_back({shape.block[d], 4});
  }
  key.insert(key.end(), integers.begin(), integers.end());
  uint64_t hash = 0;
  for (const LaunchInteger& one : key) hash = (hash ^ one.value) * 0x9e3779b97f4a7c15u;
  const size_t place = hash >> 60;
  static_assert(LastUses::kKept == 16);
  LastUses& last = *function.last_uses;
  {
    std::lock_guard lock(last.lock);
    if (last.uses[place] != nullptr &&
        std::equal(key.begin(), key.end(), last.integers.data() + place * key.size()))
      return last.uses[place];
  }
  auto uses = std::make_shared<std::vector<LaunchUses>>(function.uses->evaluated());
  function.uses->Evaluate(size, integers, absl::MakeSpan(*uses));
  if (HasOpenBytes({uses->data(), function.uses->pointers().size()}))
    function.executes.store(function.execution != nullptr && !function.execution->exhausted(),
                            std::memory_order_relaxed);
  SharedUses before;  // is destroyed without the lock
  std::lock_guard lock(last.lock);
  last.integers.resize(LastUses::kKept * key.size());
  std::copy(key.begin(), key.end(), last.integers.data() + place * key.size());
  before = std::exchange(last.uses[place], uses);
  return uses;
}

}  // namespace

SharedUses LaunchArguments::UsesByCode(const CuCall& call, Function& function,
                                       const LaunchShape& shape) const {
  if (function.uses == nullptr || needed_.size() != function.needed.size()) return nullptr;
  gpusan::LaunchShape size;
  for (int d = 0; d < 3; ++d) {
    size.global_size[d] = uint64_t{shape.grid[d]} * shape.block[d];
    size.local_size[d] = shape.block[d];
    if (size.global_size[d] == 0) return nullptr;
  }
  const absl::Span<const LaunchInteger> integers(needed_.data(), function.needed_integers);
  SharedUses uses = UsesOfLaunch(function, size, shape, integers);
  if (block_.empty()) [[likely]]
    return uses;
  const bool before_waits = !function.uses->RunsAlone(size, integers);
  if (before_waits &&
      (function.uses->beyond_device() || waiting_kernels.load(std::memory_order_relaxed)))
    return uses;
  const LaunchExecution::Block block(block_, call.tracker().objects().addresses().span());
  uses = function.execution->Add(shape, block, before_waits, uses);
  if (function.execution->exhausted()) [[unlikely]]
    function.executes.store(false, std::memory_order_relaxed);
  return uses;
}

bool LaunchArguments::HasInnerPointer(const LaunchArgument& argument) const {
  for (size_t i = first_inner_; i < arguments_.size(); ++i) {
    if (arguments_[i].index == argument.index && arguments_[i].resource == argument.resource)
      return true;
  }
  return false;
}

void LaunchArguments::CheckOverrun(CuCall& call, const LaunchUses& use, const LaunchUses* waited,
                                   const LaunchShape& shape, LaunchArgument* argument) {
  const auto overruns = [&](LaunchOverrun* overrun) {
    // The program can map more memory while the kernel waits.
    return FindOverrun(use, *argument, overrun) ||
           (waited != nullptr && argument->resource->kind != ObjectKind::kMappedMemory &&
            FindOverrun(*waited, *argument, overrun));
  };
  LaunchOverrun overrun;
  if (!overruns(&overrun)) [[likely]]
    return;
  // The start of an allocation can be the end of another one.
  uint64_t offset = 0;
  Resource* before =
      argument->offset == 0 && overrun.last <= 0
          ? call.tracker().objects().FindAddress(argument->resource->handle - 1, &offset)
          : nullptr;
  if (before != nullptr && offset + 1 >= static_cast<uint64_t>(-overrun.first)) {
    argument->resource = before;
    argument->offset = before->bytes;
    return;
  }
  const uintptr_t address = argument->resource->handle + argument->offset;
  Resource* parent = overrun.first >= 0 ? call.tracker().block_pools().UseParent(
                                              address, static_cast<uint64_t>(overrun.last))
                                        : nullptr;
  if (parent != nullptr) {
    argument->resource = parent;
    argument->offset = address - parent->handle;
    if (!overruns(&overrun)) return;
  }
  ReportOverrun(call, overrun, shape);
}

// Narrows the arguments to what the machine code accesses.
void LaunchArguments::Refine(CuCall& call, Function& function, const LaunchShape& shape) {
  const KernelUses& kernel = *function.uses;
  const SharedUses uses = UsesByCode(call, function, shape);
  if (uses == nullptr) return;
  const size_t count = arguments_.size();
  for (size_t i = 0; i < count; ++i) {
    LaunchArgument& argument = arguments_[i];
    if (argument.indirect) {
      // Whether the code writes the memory is a property of the argument for the inner pointer.
      if (!kernel.writes_elsewhere() && HasInnerPointer(argument))
        argument.direction = Direction::kRead;
      continue;
    }
    if (argument.resource->image != nullptr) continue;
    const int16_t number =
        i >= first_inner_ ? inner_[i - first_inner_] : function.whole_pointers[argument.index];
    LaunchUses use = number >= 0 ? (*uses)[static_cast<size_t>(number)] : LaunchUses();
    if (!own_.empty()) [[unlikely]]
      AddOwnUse(argument.resource->handle + argument.offset, use);
    if (number >= 0)
      CheckAlignment(call, kernel.pointers()[static_cast<size_t>(number)], use, argument);
    const LaunchUses* waited =
        number >= 0 ? kernel.WaitedOf(static_cast<size_t>(number), *uses) : nullptr;
    CheckOverrun(call, use, waited, shape, &argument);
    reaches_unseen_ |= BoundWritten(kernel, use, &argument, &launch_);
    if (use.writes.possible || use.atomics.possible) {
      argument.direction = Direction::kUnknown;  // a pointer to const can be cast
    } else if (kernel.writes_elsewhere() && argument.direction == Direction::kUnknown) {
      use.writes.possible = true;
    }
    LaunchArgument more;
    if (RefineArgument(use, &argument, &more)) arguments_.push_back(more);
    if (arguments_[i].resource->kind == ObjectKind::kMappedMemory) [[unlikely]]
      AddDeniedMapping(call, use, arguments_[i]);
  }
  launch_.writable_arguments = kernel.writes_elsewhere() ? 2 : 0;
  for (const LaunchArgument& argument : arguments_) {
    launch_.writable_arguments += !argument.indirect && argument.direction != Direction::kRead &&
                                  argument.direction != Direction::kNone;
  }
}

// Reports a pointer whose accesses, of which at least one surely happens, are all misaligned.
void LaunchArguments::CheckAlignment(CuCall& call, const KernelUses::Pointer& pointer,
                                     const LaunchUses& use, const LaunchArgument& argument) {
  const uintptr_t address = argument.resource->handle + argument.offset;
  const bool write = use.writes.sure && address % pointer.write_alignment != 0;
  const bool read = use.reads.sure && address % pointer.read_alignment != 0;
  if (!write && !read) [[likely]]
    return;
  rules::OnKernelAlignment({launch_.kernel, argument.index, argument.resource, argument.offset,
                            read ? pointer.read_alignment : pointer.write_alignment, !read,
                            launch_.recorder, launch_.recorded_at},
                           call);
}

[[gnu::noinline]] void LaunchArguments::ReportOverrun(CuCall& call, const LaunchOverrun& overrun,
                                                      const LaunchShape& shape) {
  // No device has larger blocks: the driver refuses the launch.
  constexpr uint64_t kMostThreads = 1024;
  uint64_t threads = 1;
  for (const unsigned size : shape.block) threads *= std::min<uint64_t>(size, kMostThreads + 1);
  if (threads > kMostThreads) return;
  // Mappings of physical memory lie side by side.
  uint64_t offset = 0;
  const uintptr_t begin = overrun.resource->handle, end = begin + overrun.resource->bytes;
  if (overrun.resource->kind == ObjectKind::kMappedMemory &&
      (call.tracker().objects().FindAddress(begin - 1, &offset) != nullptr ||
       call.tracker().objects().FindAddress(end, &offset) != nullptr))
    return;
  rules::OnKernelOverrun({launch_.kernel, overrun.argument, overrun.resource, overrun.offset,
                          overrun.first, overrun.last, overrun.gaps, overrun.verb, SizeText(shape),
                          launch_.recorder, launch_.recorded_at},
                         call);
}

// An integer that, multiplied by 1 to 16 bytes, leads from the pointer to other bytes of the
// allocation may be an offset (kernel(base, offset) defeats matching by base).
void LaunchArguments::CheckOffsets() {
  for (LaunchArgument& argument : arguments_) {
    if (argument.ranged) continue;  // the bytes follow from the code
    const uint64_t room = argument.resource->bytes - argument.offset;
    argument.may_offset |= has_class_;
    for (int64_t value : integers_) {
      if (value > 0) {
        argument.may_offset |= static_cast<uint64_t>(value) < room;
      } else if (value < 0 && uint64_t{0} - static_cast<uint64_t>(value) <= argument.offset) {
        // The kernel may access more than the bytes from the pointer on.
        argument.indirect = true;
      }
    }
  }
}

namespace {

// Reports arguments in one block that ends before the last parameter of the function does.
void CheckPacked(CuCall& call, const Function& function, const PackedArguments& packed) {
  if (packed.begin == nullptr || !function.layout_known) return;
  size_t needed = 0;
  for (const Parameter& parameter : function.parameters)
    needed = std::max(needed, size_t{parameter.offset} + parameter.bytes);
  if (packed.bytes < needed)
    rules::OnPackedArguments({function.kernel, packed.bytes, needed}, call);
}

}  // namespace

void LaunchArguments::Collect(CuCall& call, Function& function, const LaunchShape& shape,
                              void** parameters, void** extra) {
  absl::InlinedVector<uint64_t, 128> words(MostArgumentWords(function));
  const PackedArguments packed(parameters == nullptr ? extra : nullptr);
  const ReadResult read =
      ReadArguments(KnownAddresses(call.tracker()), function, parameters, packed, {}, words.data());
  words.resize(read.words);
  if (!read.complete) [[unlikely]]
    CheckPacked(call, function, packed);
  Check(call, function, shape, words);
}

[[gnu::always_inline]] inline void LaunchArguments::AddPointer(CuCall& call, Function& function,
                                                               uint32_t index, uintptr_t address) {
  if (address == 0) return NullPointer(call, function, index);
  if (index < 64 && (function.had_pointer.load(std::memory_order_relaxed) >> index & 1) == 0)
    function.had_pointer.fetch_or(uint64_t{1} << index, std::memory_order_relaxed);
  uint64_t offset = 0;
  Resource* resource = call.tracker().objects().FindAddress(address, &offset);
  if (resource != nullptr) [[likely]] {
    Add(index, function.parameters[index], resource, offset, false);
  } else {
    UnknownPointer(call, function, index, address);
  }
}

[[gnu::always_inline]] inline void LaunchArguments::AddWord(const CuCall& call,
                                                            const Function& function,
                                                            uint32_t index, uint64_t word) {
  uint64_t offset = 0;
  Resource* resource =
      word >= kLowestAddress ? call.tracker().objects().FindAddress(word, &offset) : nullptr;
  if (resource != nullptr) return Add(index, function.parameters[index], resource, offset, false);
  integers_.push_back(static_cast<int64_t>(word));
  if (function.uses != nullptr && function.whole_pointers[index] >= 0 && IsAddress(word))
      [[unlikely]]
    dead_.push_back({index, function.whole_pointers[index], word});
}

void LaunchArguments::Check(CuCall& call, Function& function, const LaunchShape& shape,
                            absl::Span<const uint64_t> words) {
  Tracker& tracker = call.tracker();
  reaches_unseen_ = ReachesUnseen(function);
  ArgumentWords all(words);
  decltype(needed_) needed;
  for (ArgumentWord argument; all.Next(&argument);) {
    const uint32_t i = argument.parameter;
    uint64_t offset = 0;
    switch (argument.kind) {
      case ArgumentKind::kPointer:
        AddPointer(call, function, i, argument.value);
        break;
      case ArgumentKind::kLong:
        if (IsAddress(argument.value) && tracker.objects().addresses().span().Holds(argument.value))
          LookInside(call, i, {&argument.value, 1});
        [[fallthrough]];
      case ArgumentKind::kInteger:
        has_zero_ |=
            argument.value == 0 && function.parameters[i].type.kind == ParameterKind::kInteger;
        integers_.push_back(static_cast<int64_t>(argument.value));
        break;
      case ArgumentKind::kWord:
        AddWord(call, function, i, argument.value);
        break;
      case ArgumentKind::kClass:
        has_class_ = true;
        LookInside(call, i, argument.inside);
        break;
      case ArgumentKind::kTensorMap:
        if (tracker.objects().FindAddress(argument.value, &offset) == nullptr) [[unlikely]]
          CheckTensorMap(call, function, i, argument.value);
        break;
      case ArgumentKind::kNeeded:
        needed.resize(function.needed.size());
        needed[i] = {argument.value, static_cast<uint8_t>(function.needed[i].bytes)};
        break;
      case ArgumentKind::kNeededEnd:
        needed.resize(function.needed.size());
        needed_.assign(needed.begin(), needed.end());
        if (function.covered != 0) LookInsideCovered(call, function);
        break;
      case ArgumentKind::kBlock:
        block_ = argument.inside;
        break;
    }
  }
  launch_.kernel = function.kernel;
  launch_.writable_arguments = function.writable;
  if (function.uses != nullptr && needed_.size() == function.needed.size()) {
    reaches_unseen_ = function.uses->writes_unseen();
    if (!function.inner_pointers.empty()) AddInnerPointers(call, function);
    if (!arguments_.empty()) Refine(call, function, shape);
  }
  if (function.uses != nullptr && !function.uses->variables().empty() &&
      found_variables.load(std::memory_order_acquire)) [[unlikely]]
    AddVariables(function);
  if (!function.views.empty()) [[unlikely]]
    AddViews(call, function, shape);
  launch_.arguments = arguments_;
  launch_.integers = integers_;
  launch_.work_items = shape.threads();
  if (!arguments_.empty()) CheckOffsets();
  if (!ends_.empty()) [[unlikely]]
    CheckEnds(call, function, shape);
  if (!dead_.empty()) [[unlikely]]
    CheckDeadPointers(call, function, shape);
  if (function.uses != nullptr && function.uses->has_updates() && MayWriteUnwritten(launch_)) {
    const SharedUses uses = UsesByCode(call, function, shape);
    if (uses != nullptr && !call.has_findings()) CheckUpdates(call, function, launch_, *uses);
  }
  if (null_output_ >= 0 && !has_zero_ && !call.has_error()) [[unlikely]] {
    rules::KernelPointer pointer{function.kernel, static_cast<uint32_t>(null_output_)};
    pointer.fault = rules::KernelPointer::Fault::kNull;
    CheckPointer(call, function, pointer);
  }
}

void LaunchArguments::HoldForLibrary(uint64_t scope) {
  LibraryRange ranges[kMostRanges];
  const uint32_t count = RangesOfScope(scope, ranges);
  for (LaunchArgument& argument : arguments_) {
    const uintptr_t address = argument.resource->handle + argument.offset;
    for (uint32_t i = 0; i < count; ++i)
      argument.indirect |= address >= ranges[i].begin && address < ranges[i].end;
  }
}

}  // namespace gpusan::cuda
