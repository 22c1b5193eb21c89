// The code in the fat binaries of a library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <vector>

#include "hooks/cuda/images/module_image.h"
#include "hooks/cuda/machine_code/unpack.h"

namespace gpusan::cuda {

// Bytes in memory as the source of an image.
class BytesSource : public ImageSource {
 public:
  explicit BytesSource(std::span<const unsigned char> bytes) : bytes_(bytes) {}
  size_t Read(uint64_t offset, void* to, size_t bytes) const override {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min(bytes, bytes_.size() - static_cast<size_t>(offset));
    std::memcpy(to, bytes_.data() + offset, count);
    return count;
  }

 private:
  std::span<const unsigned char> bytes_;
};

// Calls `visit` for the bytes of each part of the fat binaries in a library: the machine code that
// a device takes, or, if `ptx`, the PTX for the newest architecture.
template <typename Visit>
void ForEachPart(std::span<const unsigned char> file, unsigned device, bool ptx, Visit visit) {
  constexpr unsigned char kMagic[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
  for (auto at = file.begin();;) {
    at = std::search(at, file.end(), std::begin(kMagic), std::end(kMagic));
    if (at == file.end()) return;
    const auto image_bytes = file.subspan(static_cast<size_t>(at - file.begin()));
    at += sizeof(kMagic);
    const ModuleImage image = ReadModuleImage(BytesSource(image_bytes));
    for (const size_t i : ptx ? PtxFor(image, device) : CodeFor(image, device)) {
      const ImagePart& part = image.parts[i];
      std::vector<unsigned char> unpacked;
      if (part.bytes == 0 || part.offset + part.bytes > image_bytes.size()) continue;
      if (Unpack(part.packing, image_bytes.subspan(part.offset, part.bytes), part.unpacked_bytes,
                 &unpacked))
        visit(unpacked);
    }
  }
}

}  // namespace gpusan::cuda
