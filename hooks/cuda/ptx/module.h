// The kernels of a PTX text, and the instructions of each.
//
// The text is untrusted: truncated, damaged, hostile. Never faults. All views point into the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hooks/cuda/analysis/block_limits.h"
#include "hooks/cuda/analysis/kernel_parameter.h"

namespace gpusan::cuda {

// Where a name of the text lies.
enum class PtxSpace : uint8_t { kUnknown, kGlobal, kConst, kShared, kLocal, kParameter };

struct PtxModule {
  struct Kernel {
    std::string_view name;  // mangled
    size_t offset = 0;      // of the text after the name [bytes]
  };
  std::string_view text;
  std::vector<Kernel> kernels;
  std::unordered_map<std::string_view, PtxSpace> variables;  // of the module
  std::string_view damage;  // the first structural error; empty: none
};

PtxModule ReadPtxModule(std::string_view text);

struct PtxOperand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,
    kImmediate,
    kSpecial,  // `name`: %tid.x and the like
    kName,     // a variable, parameter or label
    kAddress,  // [register + offset], [name + offset], or [offset]; the first of [texture, {x, y}]
    kParts,    // {a, b} or a|b
    kSink,     // _
    kOther     // not understood
  };
  Kind kind = Kind::kNone;
  bool negated = false;  // !p
  bool has_register = false;
  uint32_t reg = 0;       // of kRegister, and of kAddress if has_register
  int64_t immediate = 0;  // of kImmediate; the offset of kAddress [bytes]
  std::string_view name;  // empty: kAddress has a register or nothing
  std::vector<PtxOperand> parts;
};

constexpr uint32_t kNoPtxRegister = UINT32_MAX;

struct PtxInstruction {
  std::string_view opcode;          // with its modifiers: ld.global.f32
  uint32_t guard = kNoPtxRegister;  // a predicate
  bool guard_negated = false;
  uint32_t offset = 0;  // in the text [bytes]
  std::vector<PtxOperand> operands;
};

struct PtxKernel {
  std::string_view name;
  struct Parameter {
    std::string_view name;
    unsigned offset = 0, size = 0;  // [bytes] in the parameter block
  };
  std::vector<Parameter> parameters;
  unsigned parameter_bytes = 0;
  BlockLimits block;
  std::vector<uint8_t> register_bits;  // by number; 1: a predicate; 0: not known
  std::vector<PtxInstruction> instructions;
  // The index of the instruction after the label. Equals instructions.size() for a label at the
  // end.
  std::unordered_map<std::string_view, uint32_t> labels;
  std::unordered_map<std::string_view, PtxSpace> variables;  // of the kernel
  const char* failure = nullptr;  // why gpusan cannot analyze the kernel; nullptr if it can

  // Returns the parameters with sizes and offsets, as ReadCubin does for a cubin.
  std::vector<KernelParameter> Layout() const;
};

PtxKernel ReadPtxKernel(const PtxModule& module, const PtxModule::Kernel& kernel);

}  // namespace gpusan::cuda
