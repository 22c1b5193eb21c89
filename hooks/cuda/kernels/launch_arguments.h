// The arguments of a kernel launch.
#pragma once

#include <algorithm>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/common/sites/site.h"
#include "hooks/cuda/kernels/argument_list.h"
#include "hooks/cuda/kernels/functions.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {

struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  uint64_t threads() const;
  // Makes a shape from a struct with one field for each dimension.
  template <typename Dimensions>
  void Set(const Dimensions& from) {
    grid[0] = from.gridDimX;
    grid[1] = from.gridDimY;
    grid[2] = from.gridDimZ;
    block[0] = from.blockDimX;
    block[1] = from.blockDimY;
    block[2] = from.blockDimZ;
    shared_bytes = from.sharedMemBytes;
  }
};

struct AddressRange {
  uintptr_t begin = 0;
  uint64_t bytes = 0;
};

// An access of memory that exists only during launches of a graph.
struct OwnUse {
  uintptr_t address = 0;
  bool write = false;
};

// Resolves the arguments of one launch, in either form. Not thread-safe.
class LaunchArguments {
 public:
  // Call it before Collect for a launch that was recorded by an earlier call. Addresses in `own`
  // without a resource then cause no finding.
  void RecordedBy(const CallInfo* call, SiteId site, absl::Span<const AddressRange> own) {
    launch_.recorder = call;
    launch_.recorded_at = site;
    own_ = own;
  }
  // Call it before Collect for a launch of another thread. `stack`: the stack of that thread.
  void ByThreadWith(const StackRange& stack) { stack_ = stack; }
  // Resolves every argument that is, contains or may be a pointer, and adds findings for invalid
  // pointers. `parameters` and `extra`: as in cuLaunchKernel.
  void Collect(CuCall& call, Function& function, const LaunchShape& shape, void** parameters,
               void** extra);
  // As Collect, for arguments that ReadArguments listed.
  void Check(CuCall& call, Function& function, const LaunchShape& shape,
             absl::Span<const uint64_t> words);
  // Marks the arguments in memory whose accesses the library call `scope` has recorded
  // (library_scope.h) as held: their accesses are not recorded again. Call it after Collect.
  void HoldForLibrary(uint64_t scope);
  // The result of the last Collect; refers to this object.
  Launch& launch() { return launch_; }
  bool reaches_unseen() const { return reaches_unseen_; }
  // One bit for each of the first 64 pointer parameters that was NULL.
  uint64_t nulls() const { return nulls_; }
  // The certain accesses of the code in the ranges of RecordedBy.
  absl::Span<const OwnUse> own_uses() const { return own_uses_; }

 private:
  void Add(uint32_t index, const Parameter& parameter, Resource* resource, uint64_t offset,
           bool held);
  // Adds an argument that is a pointer by its type.
  void AddPointer(CuCall& call, Function& function, uint32_t index, uintptr_t address);
  // Adds an argument of unknown type, which may be a pointer or an integer.
  void AddWord(const CuCall& call, const Function& function, uint32_t index, uint64_t word);
  void AddInnerPointers(CuCall& call, Function& function);
  // Adds the memory whose texels the code surely accesses through texture and surface objects.
  // Reports objects that are destroyed or whose memory is freed.
  [[gnu::noinline]] void AddViews(CuCall& call, Function& function, const LaunchShape& shape);
  // Adds the variables of the module that the code surely accesses, if the program has looked them
  // up. Only kernels access other variables.
  [[gnu::noinline]] void AddVariables(const Function& function);
  void Refine(CuCall& call, Function& function, const LaunchShape& shape);
  // Adds the mapping that holds the last byte which the code surely accesses through the argument,
  // if the argument points to another mapping and nothing may access that one yet.
  void AddDeniedMapping(CuCall& call, const LaunchUses& use, LaunchArgument argument);
  // Returns whether an argument by an inner pointer (AddInnerPointers) has the same memory.
  bool HasInnerPointer(const LaunchArgument& argument) const;
  // Returns the accesses of the launch through each pointer of Function::uses. Returns nullptr if
  // the code or a needed value is unknown, or if the launch has no threads.
  SharedUses UsesByCode(const CuCall& call, Function& function, const LaunchShape& shape) const;
  void CheckAlignment(CuCall& call, const KernelUses::Pointer& pointer, const LaunchUses& use,
                      const LaunchArgument& argument);
  // Reports accesses past the argument's memory. Changes the argument if they are inside of other
  // memory: the allocation before it, or the parent of its block. `waited`: the accesses behind a
  // wait of the kernel, or nullptr.
  void CheckOverrun(CuCall& call, const LaunchUses& use, const LaunchUses* waited,
                    const LaunchShape& shape, LaunchArgument* argument);
  void ReportOverrun(CuCall& call, const LaunchOverrun& overrun, const LaunchShape& shape);
  void LookInside(CuCall& call, uint32_t index, absl::Span<const uint64_t> addresses);
  // As LookInside, for the parameters in Function::covered. Requires needed_.
  void LookInsideCovered(CuCall& call, const Function& function);
  void UnknownPointer(CuCall& call, Function& function, uint32_t index, uintptr_t address);
  void NullPointer(CuCall& call, Function& function, uint32_t index);
  // Reports a tensor map of freed memory.
  void CheckTensorMap(CuCall& call, const Function& function, uint32_t index, uintptr_t address);
  void CheckPointer(CuCall& call, const Function& function, rules::KernelPointer pointer);
  void CheckEnds(CuCall& call, Function& function, const LaunchShape& shape);
  void CheckDeadPointers(CuCall& call, Function& function, const LaunchShape& shape);
  // Whether the address is in memory that exists only during launches of the graph.
  bool IsOwn(uintptr_t address) const {
    return std::any_of(own_.begin(), own_.end(), [address](const AddressRange& range) {
      return address - range.begin < range.bytes;
    });
  }
  // Adds the access to own_uses_ if the pointer leads into such a range. Returns whether it does.
  bool AddOwnUse(uintptr_t pointer, const LaunchUses& use);
  void CheckOffsets();

  Launch launch_;
  absl::Span<const AddressRange> own_;
  StackRange stack_;  // of the launching thread; empty: the calling thread
  uint64_t nulls_ = 0;
  bool reaches_unseen_ = false;
  bool has_zero_ = false;   // an integral argument is 0: the kernel may have nothing to do
  bool has_class_ = false;  // an argument is of a class with unknown members
  absl::InlinedVector<LaunchArgument, 16> arguments_;
  absl::InlinedVector<int64_t, 16> integers_;
  // The values of Function::needed. Empty: the function has none, or not all were read.
  absl::InlinedVector<LaunchInteger, 16> needed_;
  // The parameter block, for Function::execution; empty: not read. Valid until Check returns.
  absl::Span<const uint64_t> block_;
  // The first argument that is a pointer of Function::inner_pointers, and their numbers.
  size_t first_inner_ = SIZE_MAX;
  absl::InlinedVector<int16_t, 8> inner_;
  struct End {
    uint32_t index;
    uintptr_t address;
    Resource* resource;
  };
  absl::InlinedVector<End, 2> ends_;
  // Words that the code uses as pointers, and that are not in a live resource.
  struct DeadPointer {
    uint32_t index;  // of the parameter
    int16_t number;  // in Function::uses
    uintptr_t address;
    bool declared = false;        // the parameter is a pointer by its type
    bool reachable_host = false;  // rules::KernelPointer
  };
  absl::InlinedVector<DeadPointer, 2> dead_;
  std::vector<OwnUse> own_uses_;
  int null_output_ = -1;
};

}  // namespace gpusan::cuda
