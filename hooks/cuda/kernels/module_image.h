// What a module's image contains: fat binary, cubin or PTX.
//
// Reads untrusted images: truncated, damaged, of unknown size. Never faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpusan::cuda {

// Where the bytes of an image are. Reads fewer bytes than requested at the end of the image.
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
  bool compressed = false;
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
// True if the part can be loaded. `device`: the compute capability, 90 for 9.0. `ptx`: the newest
// version of PTX that the driver supports; 0: unknown.
bool Fits(const ImagePart& part, unsigned device, unsigned ptx);
// Returns the version of PTX that a version of CUDA introduced, 13000 for CUDA 13.0; 0: unknown.
unsigned PtxOf(int cuda_version);

}  // namespace gpusan::cuda
