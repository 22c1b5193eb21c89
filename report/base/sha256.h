// SHA-256 (FIPS 180-4), for fingerprints that are kept for years and compared between hosts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gpusan {

// Not thread-safe.
class Sha256 {
 public:
  void Add(std::string_view bytes);

  // The digest of all added bytes. Add must not be called afterwards.
  std::array<uint8_t, 32> Digest();

 private:
  void Block(const uint8_t* block);

  uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t buffer_[64] = {};
  uint64_t length_ = 0;  // bytes added
};

}  // namespace gpusan
