// The user-defined inputs and outputs of a shader, through which one stage passes values to the
// next.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/common/spirv/spirv_code.h"

namespace gpusan::vulkan {

// One component of a location.
struct StageComponent {
  uint16_t slot = 0;  // 4 * location + component
  uint8_t bits = 0;   // of its type; 0: the type is not compared
  bool integer = false;
};

struct StageInterface {
  // Of inputs that the entry point reads, if they are known.
  std::vector<StageComponent> inputs;
  // Of all outputs that the entry point declares, by slot.
  std::vector<StageComponent> outputs;
  bool outputs_known = false;

  // Returns the output with the slot; nullptr if there is none.
  const StageComponent* FindOutput(uint16_t slot) const;
};

// Returns the interface of a shader of a graphics pipeline (Vulkan 1.3 §15.1). An array with an
// element for each vertex or primitive counts as one element.
StageInterface ReadStageInterface(const SpirvCode& code, const SpirvCode::Entry& entry);

// The first 64 locations at which the input variables of an entry point begin. Bits.
struct InputLocations {
  uint64_t all = 0;
  uint64_t integers = 0, floats = 0;  // those whose variables hold only such numbers
};
InputLocations ReadInputLocations(const SpirvCode& code, const SpirvCode::Entry& entry);

}  // namespace gpusan::vulkan
