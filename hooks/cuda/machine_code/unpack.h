// Decompression of the parts of fat binaries.
//
// Reads untrusted data: never faults, and writes at most the given number of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpusan::cuda {

// How a part of a fat binary is stored.
enum class Packing : uint8_t {
  kNone,
  kLz4,   // one LZ4 block: fat binaries before CUDA 12.8, and --compress-mode=speed
  kZstd,  // Zstandard frames: fat binaries since CUDA 12.8
};

// Larger parts are not unpacked [bytes].
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t{256} << 20;

// Replaces *unpacked by the content of a packed part. `unpacked_bytes` is its size as the fat
// binary names it. Returns false, and leaves *unpacked unspecified, if the part is damaged, has
// another size, is too large, or if gpusan was built without the decompressor.
bool Unpack(Packing packing, std::span<const unsigned char> packed, uint64_t unpacked_bytes,
            std::vector<unsigned char>* unpacked);

}  // namespace gpusan::cuda
