// What the flags of a shader's access say about its bytes.
#pragma once

#include "tracker/scopes/scoped_history.h"

namespace gpusan {

// Which bytes of its extent it accesses, and whether it does, is not known. The access to each byte
// of a shader's extent has both `shader` and `sure_part`.
inline bool HasUnknownBytes(const ScopedAccess& access) {
  return access.shader && !access.sure_part;
}

// Another access of its command stands for all bytes that the shader may write.
inline bool IsCompanion(const ScopedAccess& access) { return access.sure_part && !access.shader; }

}  // namespace gpusan
