// What the flags of a shader's access say about its bytes.
#pragma once

#include "tracker/scopes/scoped_history.h"

namespace gpusan {

// Whether it is unknown which bytes of its extent the access touches, if any. An access of a shader
// that surely touches each byte of its extent has both `shader` and `sure_part`.
inline bool HasUnknownBytes(const ScopedAccess& access) {
  return access.shader && !access.sure_part;
}

// Whether the access is the sure part of a shader's write. Another access of the same command
// covers all bytes that the shader may write.
inline bool IsCompanion(const ScopedAccess& access) { return access.sure_part && !access.shader; }

}  // namespace gpusan
