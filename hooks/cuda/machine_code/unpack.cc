// Decompression of the parts of fat binaries.
#include "hooks/cuda/machine_code/unpack.h"

#include <cstring>
#include <new>

#if defined(GPUSAN_ZSTD)
#include <zstd.h>
#endif

namespace gpusan::cuda {
namespace {

// One LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
class Lz4Block {
 public:
  Lz4Block(std::span<const unsigned char> in, std::span<unsigned char> out) : in_(in), out_(out) {}

  // Returns true if the block fills the output exactly.
  bool Unpack() {
    while (at_ < in_.size()) {
      const unsigned token = in_[at_++];
      size_t literals = token >> 4;
      if (!Extend(&literals) || literals > in_.size() - at_ || literals > out_.size() - done_)
        return false;
      if (literals != 0) std::memcpy(out_.data() + done_, in_.data() + at_, literals);
      at_ += literals;
      done_ += literals;
      if (at_ == in_.size()) return done_ == out_.size();  // the last sequence has no match
      if (in_.size() - at_ < 2) return false;
      const size_t distance = in_[at_] | size_t{in_[at_ + 1]} << 8;
      at_ += 2;
      size_t length = token & 15;
      if (!Extend(&length)) return false;
      length += 4;
      if (distance == 0 || distance > done_ || length > out_.size() - done_) return false;
      // The match may overlap its copy.
      for (size_t i = 0; i < length; ++i, ++done_) out_[done_] = out_[done_ - distance];
    }
    return false;
  }

 private:
  // Reads the rest of a length whose first four bits are all set.
  bool Extend(size_t* length) {
    if (*length != 15) return true;
    for (;;) {
      if (at_ == in_.size() || *length > out_.size()) return false;
      const unsigned char more = in_[at_++];
      *length += more;
      if (more != 255) return true;
    }
  }

  const std::span<const unsigned char> in_;
  const std::span<unsigned char> out_;
  size_t at_ = 0, done_ = 0;
};

bool UnpackZstd([[maybe_unused]] std::span<const unsigned char> packed,
                [[maybe_unused]] std::span<unsigned char> unpacked) {
#if defined(GPUSAN_ZSTD)
  // An error is a value above all sizes.
  return ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size()) ==
         unpacked.size();
#else
  return false;
#endif
}

}  // namespace

bool Unpack(Packing packing, std::span<const unsigned char> packed, uint64_t unpacked_bytes,
            std::vector<unsigned char>* unpacked) {
  if (packing == Packing::kNone) {
    unpacked->assign(packed.begin(), packed.end());
    return true;
  }
  // Both formats reach at most about 255 to 1, or hold one repeated byte: no code is like that.
  constexpr uint64_t kMaxRatio = 1024;
  if (unpacked_bytes > kMaxUnpackedBytes || unpacked_bytes / kMaxRatio > packed.size())
    return false;
  unpacked->resize(unpacked_bytes);
  return packing == Packing::kLz4 ? Lz4Block(packed, *unpacked).Unpack()
                                  : UnpackZstd(packed, *unpacked);
}

}  // namespace gpusan::cuda
