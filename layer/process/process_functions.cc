// The real functions behind the rows of process.def.
#include "layer/process/process_functions.h"

#include <atomic>

#include "hooks/common/base/next_symbol.h"

namespace gpusan {
namespace {

constinit ProcessFunctions functions{};
constinit std::atomic<bool> known{false};

}  // namespace

const ProcessFunctions& RealProcess() {
  if (!known.load(std::memory_order_acquire)) {
    // Several threads may do this at once: they write the same values.
#define GPUSAN_PROCESS(symbol, result, parameters)                                   \
  __atomic_store_n(reinterpret_cast<void**>(&functions.symbol), NextSymbol(#symbol), \
                   __ATOMIC_RELAXED);
#include "layer/process/process.def"
#undef GPUSAN_PROCESS
    known.store(true, std::memory_order_release);
  }
  return functions;
}

}  // namespace gpusan
