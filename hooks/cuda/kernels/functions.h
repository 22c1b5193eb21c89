// Kernels as launches need them: names and parameters, asked of the driver once a function.
//
// Thread-safe; look-ups take no lock. A CUfunction may be a cast CUkernel: both are keys.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/call/call.h"
#include "hooks/cuda/kernels/kernel_types.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {

// What a parameter takes where each begins at a word of its own.
constexpr uint32_t InWholeWords(uint32_t bytes) { return (bytes + 7) / 8 * 8; }

struct Parameter {
  uint32_t offset = 0;  // bytes, in the packed form of the arguments
  uint32_t bytes = 0;
  ParameterType type;
};

// Addresses in no allocation that a parameter had, and of which nothing was to be said: libraries
// pass the same ones again and again. Thread-safe; what threads mix up is only not remembered.
class HarmlessAddresses {
 public:
  // `releases`: Tracker::releases, since a release may change what is to be said.
  bool Holds(uint32_t index, uintptr_t address, uint32_t releases) const {
    return at_[index % kCount].load(std::memory_order_relaxed) == Mixed(index, address, releases);
  }
  void Note(uint32_t index, uintptr_t address, uint32_t releases) {
    at_[index % kCount].store(Mixed(index, address, releases), std::memory_order_relaxed);
  }

 private:
  static constexpr uint32_t kCount = 8;
  // Two that should differ are the same by a chance of 2^-32 at most, which hides and never
  // invents.
  static uint64_t Mixed(uint32_t index, uintptr_t address, uint32_t releases) {
    return (address * 0x9e3779b97f4a7c15u) ^ (uint64_t{releases} << 32) ^ (index + 1);
  }
  std::atomic<uint64_t> at_[kCount] = {};
};

struct Function {
  uintptr_t handle = 0;
  std::string symbol;        // as the module has it; empty where the driver cannot tell
  std::string name;          // without its parameters, "?" where nothing is known
  Kernel* kernel = nullptr;  // for findings
  std::vector<Parameter> parameters;
  bool layout_known = false;  // `parameters` is complete
  bool types_known = false;   // by the mangled name
  // May write through addresses that it finds in memory or makes from what it is given.
  bool reaches_unseen = false;
  int output = -1;  // the only parameter that can be written through; -1: none or several
  uint32_t argument_bytes = 0;  // each argument in 8-byte words of its own
  int writable = 0;  // parameters that can be written through; 2 stands for "nobody knows"
  // By parameter, the first 64: was launched with a pointer, with NULL.
  std::atomic<uint64_t> had_pointer{0}, had_null{0};

  HarmlessAddresses harmless;

  // The arguments of the calls before CUDA 4 (cuParamSet*, cuFuncSetBlockShape).
  SpinLock old_lock;
  std::vector<unsigned char> old_arguments;
  unsigned old_block[3] = {1, 1, 1};
  unsigned old_shared_bytes = 0;
};

// The function of that handle; nullptr where nobody asked for it yet.
Function* KnownFunction(CUfunction handle);
// Never nullptr, whatever the handle is: a function that nobody knows has no parameters.
Function* FunctionOf(CuCall& call, CUfunction handle);
// The call answered with this function of `module` (a library counts as one; nullptr: not known),
// which it has under this name; nullptr: the driver is asked.
void NoteFunction(CuCall& call, uintptr_t handle, const char* name, PlainObject* module);
// Libraries ask for the functions of the same kernels again and again. The call was answered for
// that kernel, with that function, and nothing was forgotten since: there is nothing to note. 0:
// with any.
bool WasAnswered(uintptr_t kernel, uintptr_t function);
void NoteAnswer(uintptr_t kernel, uintptr_t function);
// Before the real call: the functions of the module go with it, and launching one is a finding.
void UnloadFunctions(CuCall& call, const PlainObject& module);
// The name that the driver knows a function or kernel by; empty where it cannot tell.
std::string SymbolOf(uintptr_t handle);
// Functions were unloaded: their handles may be used again for others.
void ForgetFunctions();
// Memory of modules is known to the program by address: kernels may find pointers there.
void NoteModuleMemory();
// A launch may write where nobody can tell.
bool ReachesUnseen(const Function& function);

}  // namespace gpusan::cuda
