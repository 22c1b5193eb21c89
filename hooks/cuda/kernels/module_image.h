// What a module's image holds: fat binary, cubin or PTX.
//
// Reads images that nobody vouches for: cut, damaged, of unknown size. Never faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpusan::cuda {

// Where the bytes of an image are. Reads fewer than asked for where it ends.
class ImageSource {
 public:
  virtual ~ImageSource() = default;
  virtual size_t Read(uint64_t offset, void* to, size_t bytes) const = 0;
};

struct ImagePart {
  enum class Kind : uint8_t { kPtx, kCubin, kLto, kOther };
  Kind kind = Kind::kOther;
  unsigned arch = 0;     // 90 for sm_90; 0 unknown
  char variant = 0;      // 'a': that device alone, 'f': its family; 0: neither, or not told
  unsigned version = 0;  // of PTX: 90 for 9.0; 0 unknown
  bool compressed = false;
};

struct ModuleImage {
  enum class Form : uint8_t { kUnreadable, kUnknown, kPtx, kCubin, kFatbin };
  Form form = Form::kUnreadable;
  std::vector<ImagePart> parts;
  std::string damage;  // what is wrong with its structure; empty: nothing that was found
};

ModuleImage ReadModuleImage(const ImageSource& source);

// "a fat binary with a cubin for sm_80 and PTX 9.0 for compute_90"
std::string ImageText(const ModuleImage& image);
// Whether the part can be loaded: `device` is the compute capability, 90 for 9.0; `ptx` the highest
// version of PTX that the driver knows, 0 where that is not known.
bool Fits(const ImagePart& part, unsigned device, unsigned ptx);
// The version of PTX that came with a version of CUDA, 13000 for 13.0; 0 unknown.
unsigned PtxOf(int cuda_version);

}  // namespace gpusan::cuda
