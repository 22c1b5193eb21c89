// Wrappers of extension functions.
#pragma once

namespace gpusan::opencl {

// What the program shall get for an extension function whose real address is `real`: its wrapper, or `real` itself when
// the name has no row or needs none.
void* WrapExtension(const char* name, void* real);

}  // namespace gpusan::opencl
