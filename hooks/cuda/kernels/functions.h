// Kernels as launches need them: names and parameters, asked of the driver once for each function.
//
// Thread-safe; look-ups take no lock. A CUfunction may be a CUkernel in disguise: both are keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/summaries/kernel_uses.h"
#include "hooks/cuda/types/kernel_types.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {

// The size of a parameter when each begins at an 8-byte word.
constexpr uint32_t InWholeWords(uint32_t bytes) { return (bytes + 7) / 8 * 8; }

struct Parameter {
  uint32_t offset = 0;  // bytes, in the packed form of the arguments
  uint32_t bytes = 0;
  ParameterType type;
};

// Addresses outside of all allocations that a parameter had without causing a finding: libraries
// pass the same ones again and again. Thread-safe; concurrent writes may lose an entry.
class HarmlessAddresses {
 public:
  // `releases`: Objects::releases, because a release may change the result.
  bool Holds(uint32_t index, uintptr_t address, uint32_t releases) const {
    return at_[index % kCount].load(std::memory_order_relaxed) == Mixed(index, address, releases);
  }
  void Note(uint32_t index, uintptr_t address, uint32_t releases) {
    at_[index % kCount].store(Mixed(index, address, releases), std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kCount = 8;
  // Two different entries collide with probability 2^-32 at most, which hides a finding and never
  // invents one.
  static uint64_t Mixed(uint32_t index, uintptr_t address, uint32_t releases) {
    return (address * 0x9e3779b97f4a7c15u) ^ (uint64_t{releases} << 32) ^ (index + 1);
  }
  std::atomic<uint64_t> at_[kCount] = {};
};

// The accesses of the last launches of a function. Programs often repeat their launches
// (LaunchArguments::Refine).
using SharedUses = std::shared_ptr<const std::vector<LaunchUses>>;  // by KernelUses::pointers
struct LastUses {
  static constexpr size_t kKept = 16;   // launches
  SpinLock lock;                        // guards what follows
  std::vector<LaunchInteger> integers;  // of each kept launch, its sizes and KernelUses::integers
  SharedUses uses[kKept];               // nullptr: none is kept here
};

class LaunchExecution;

// Words of 8 bytes of a parameter, one after the other.
struct WordRun {
  uint32_t parameter = 0;
  uint32_t offset = 0;  // of the first word, in the parameter [bytes]
  uint32_t count = 0;   // of words
};

struct Function {
  uintptr_t handle = 0;
  std::string symbol;        // the mangled name; empty if the driver does not report it
  std::string name;          // without parameters; "?" when unknown
  Kernel* kernel = nullptr;  // for findings
  std::vector<Parameter> parameters;
  bool layout_known = false;  // `parameters` is complete
  bool types_known = false;   // from the mangled name
  // The kernel may write through addresses that it loads from memory or computes.
  bool reaches_unseen = false;
  int output = -1;  // the only parameter that can be written through; -1: none or several
  // With each argument in 8-byte words of its own, and two more words for a tensor map.
  uint32_t argument_bytes = 0;
  int writable = 0;  // number of parameters that can be written through; 2 also if unknown
  // One bit for each of the first 64 parameters: was passed a pointer; was passed NULL.
  std::atomic<uint64_t> had_pointer{0}, had_null{0};

  // The accesses of the machine code; nullptr: unknown. This member and the next ones are constant.
  std::shared_ptr<const KernelUses> uses;
  bool writes_flags = false;     // other commands may wait for what a launch writes
  bool waits_for_flags = false;  // a launch may wait for what other commands write
  // The values that a launch reads for `uses`: its integers, then its pointers inside of classes
  // and integers.
  std::vector<ParameterWord> needed;
  uint32_t needed_integers = 0;
  // The pointers of `needed`, in their order (RunsOf in argument_list.h).
  std::vector<WordRun> pointer_runs;
  // One bit for each of the first 64 parameters: of a class type, all words are in `pointer_runs`.
  uint64_t covered = 0;
  // By parameter: the number of the pointer in `uses` that is the whole parameter; -1: none.
  std::vector<int16_t> whole_pointers;
  // The numbers of the other pointers in `uses`, in the order of `needed`.
  std::vector<int16_t> inner_pointers;
  // The numbers of the texture and surface objects in `uses`.
  std::vector<int16_t> views;
  std::unique_ptr<LastUses> last_uses;
  // Finds the bytes of accesses that `uses` does not contain; nullptr: there is no machine code.
  std::shared_ptr<LaunchExecution> execution;
  // A launch had such accesses, or may have them.
  std::atomic<bool> executes{false};
  // How many of the next launches are executed in any case, to find accesses out of bounds. Most
  // launches of a kernel are alike.
  static constexpr uint32_t kFirstLaunches = 16;
  mutable std::atomic<uint32_t> first_launches{0};
  uint32_t block_words = 0;  // of the parameter block, of 8 bytes

  HarmlessAddresses harmless;

  // Arguments of the launch functions before CUDA 4 (cuParamSet*, cuFuncSetBlockShape).
  SpinLock old_lock;
  std::vector<unsigned char> old_arguments;
  unsigned old_block[3] = {1, 1, 1};
  unsigned old_shared_bytes = 0;
};

// Returns the function with that handle; nullptr when it is not registered yet.
Function* KnownFunction(CUfunction handle);
// Returns the function with that handle, registering it if needed; never nullptr. An invalid handle
// gives a function without parameters.
Function* FunctionOf(CuCall& call, CUfunction handle);
// The same for a node of a graph, of which the driver names both the function in a context and the
// kernel of a library. Programs launch that kernel, and may never see the function. Programs need
// not initialize `kernel` beside a function, so it counts only if gpusan knows it.
Function* FunctionOf(CuCall& call, CUfunction function, CUkernel kernel);
// Registers a function that the call returned. `module`: the module or library that contains it;
// nullptr if unknown. `name`: its name there; nullptr: the driver is asked.
void NoteFunction(CuCall& call, uintptr_t handle, const char* name, PlainObject* module);
// True if the same look-up, of that kernel with that function as its answer, was noted since the
// last ForgetFunctions; then there is nothing to register. Function 0 matches any answer. Libraries
// look up the functions of the same kernels again and again.
bool WasAnswered(uintptr_t kernel, uintptr_t function);
void NoteAnswer(uintptr_t kernel, uintptr_t function);
// Before the real call: removes the functions of the module; launching one later is a finding.
void UnloadFunctions(CuCall& call, const PlainObject& module);
// Returns the driver's name of a function or kernel; empty if it reports none.
std::string SymbolOf(uintptr_t handle);
// Drops all handles after functions were unloaded: the driver may reuse them.
void ForgetFunctions();
// Records that the program knows the address of memory in a module, where kernels may find
// pointers.
void NoteModuleMemory();
// True if a launch may write to memory that gpusan cannot determine.
bool ReachesUnseen(const Function& function);

}  // namespace gpusan::cuda
