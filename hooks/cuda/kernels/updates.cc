// Updates of memory that nothing has written, by the machine code or PTX of a kernel.
#include "hooks/cuda/kernels/updates.h"

#include "tracker/calls/launch_updates.h"

namespace gpusan::cuda {

void CheckUpdates(CuCall& call, const Function& function, const Launch& launch,
                  const std::vector<LaunchUses>& uses) {
  gpusan::CheckUpdates(call, launch, [&](const LaunchArgument& argument) {
    if (argument.index >= function.whole_pointers.size()) return UpdatedBytes();  // a variable
    const int16_t number = function.whole_pointers[argument.index];
    if (number < 0) return UpdatedBytes();
    const auto at = static_cast<size_t>(number);
    return SurelyUpdated(uses[at], uses[function.uses->pointers().size() + at], argument);
  });
}

}  // namespace gpusan::cuda
