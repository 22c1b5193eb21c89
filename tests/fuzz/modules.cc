// Fuzz target: module images (fat binaries, cubins, PTX), their packed parts, and the memory that
// their kernels access.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "hooks/cuda/images/module_image.h"
#include "hooks/cuda/machine_code/cubin.h"
#include "hooks/cuda/machine_code/cubin_access.h"
#include "hooks/cuda/machine_code/unpack.h"
#include "tests/unit/cuda/access_ranges.h"

using namespace gpusan::cuda;

namespace {

class Input final : public ImageSource {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  size_t Read(uint64_t offset, void* to, size_t bytes) const override {
    if (offset >= size_) return 0;
    const size_t count = std::min<size_t>(bytes, size_ - static_cast<size_t>(offset));
    std::memcpy(to, data_ + offset, count);
    return count;
  }

 private:
  const uint8_t* const data_;
  const size_t size_;
};

void ReadKernels(const std::vector<unsigned char>& cubin) {
  for (const CubinKernel& kernel : ReadCubin(cubin).kernels) {
    const KernelAccess access = Summarize(kernel);
    if (!access.known()) continue;
    const std::vector<unsigned char> parameters(kernel.parameter_bytes, 0x7f);
    RangesFor(access, {{3, 2, 1}, {64, 2, 1}}, parameters);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const ModuleImage image = ReadModuleImage(Input(data, size));
  ImageText(image);
  for (const unsigned device : {75u, 90u, 121u}) CodeFor(image, device);
  for (const ImagePart& part : image.parts) {
    Fits(part, 90, 80);
    Fits(part, 75, 0);
    if (part.offset > size || part.bytes > size - part.offset) continue;
    // Larger parts take their time in the decompressors, which are not what is tested.
    if (part.packing != Packing::kNone && part.unpacked_bytes > size_t{1} << 20) continue;
    std::vector<unsigned char> unpacked;
    if (Unpack(part.packing, {data + part.offset, static_cast<size_t>(part.bytes)},
               part.unpacked_bytes, &unpacked))
      ReadKernels(unpacked);
  }
  ReadKernels({data, data + size});
  return 0;
}
