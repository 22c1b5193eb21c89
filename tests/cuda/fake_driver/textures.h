// Texture and surface objects.
#ifndef GPUSAN_TESTS_CUDA_FAKE_DRIVER_TEXTURES_H_
#define GPUSAN_TESTS_CUDA_FAKE_DRIVER_TEXTURES_H_

#include <cuda.h>

#include <cstddef>

namespace fake {

// The first channel of a texel, by its integer coordinates; those outside are clamped. False when
// there is no such object or what it looks at is gone. Without the lock.
bool Fetch(CUtexObject texture, size_t x, size_t y, float* value);
// Writes a texel of one 32-bit channel. False also when it lies outside.
bool Store(CUsurfObject surface, size_t x, size_t y, float value);

}  // namespace fake

#endif  // GPUSAN_TESTS_CUDA_FAKE_DRIVER_TEXTURES_H_
