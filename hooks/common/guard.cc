// The depth of the re-entry guard.
#include "hooks/common/guard.h"

namespace gpusan::guard_internal {

__attribute__((tls_model("initial-exec"))) constinit thread_local uint32_t depth = 0;

}  // namespace gpusan::guard_internal
