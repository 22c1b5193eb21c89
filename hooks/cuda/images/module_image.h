// The parts of a module's image, which is a fat binary, a cubin or PTX.
//
// Reads untrusted images: truncated, damaged, of unknown size. Never faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hooks/cuda/machine_code/unpack.h"

namespace gpusan::cuda {

// The source of the bytes of an image. Read returns fewer bytes than requested at the end of the
// image.
class ImageSource {
 public:
  virtual ~ImageSource() = default;
  virtual size_t Read(uint64_t offset, void* to, size_t bytes) const = 0;
};

struct ImagePart {
  enum class Kind : uint8_t { kPtx, kCubin, kLto, kOther };
  Kind kind = Kind::kOther;
  unsigned arch = 0;     // 90 for sm_90; 0: unknown
  char variant = 0;      // 'a': for that device only; 'f': for its family; 0: neither, or unknown
  unsigned version = 0;  // of PTX: 90 for 9.0; 0: unknown
  Packing packing = Packing::kNone;
  // The position and size of the part in the image [bytes]; `bytes` is 0 if they are unknown.
  uint64_t offset = 0, bytes = 0;
  uint64_t unpacked_bytes = 0;  // valid if the part is packed
};

struct ModuleImage {
  enum class Form : uint8_t { kUnreadable, kUnknown, kPtx, kCubin, kFatbin };
  Form form = Form::kUnreadable;
  std::vector<ImagePart> parts;
  std::string damage;  // a structural error; empty: none found
};

ModuleImage ReadModuleImage(const ImageSource& source);

// For example "a fat binary with a cubin for sm_80 and PTX 9.0 for compute_90".
std::string ImageText(const ModuleImage& image);
// Returns the indices of the parts from which the driver takes the machine code of a device with
// the compute capability `device`: mostly one. Empty if it compiles PTX instead.
std::vector<size_t> CodeFor(const ModuleImage& image, unsigned device);
// Returns the indices of the parts from which the driver compiles PTX for such a device, if it has
// no machine code for it: mostly one.
std::vector<size_t> PtxFor(const ModuleImage& image, unsigned device);
// True if the part can be loaded. `device`: the compute capability, 90 for 9.0. `ptx`: the newest
// version of PTX that the driver supports; 0: unknown.
bool Fits(const ImagePart& part, unsigned device, unsigned ptx);
// Returns the version of PTX that a version of CUDA introduced, 13000 for CUDA 13.0; 0: unknown.
unsigned PtxOf(int cuda_version);

}  // namespace gpusan::cuda
