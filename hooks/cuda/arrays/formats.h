// Formats of CUDA arrays in ImageInfo: native_data_type is a CUarray_format, native_order the
// number of channels. Thread-safe.
#pragma once

#include <string>

#include "tracker/objects/resource.h"

namespace gpusan::cuda {

// Returns the bytes of one channel; 0 for formats without separate channels (block-compressed,
// planar).
uint32_t ChannelBytes(uint32_t format);
// Returns the bytes of an element with that many channels; 0 when there is no single number (planar
// and block-compressed formats).
uint32_t ElementBytes(uint32_t format, uint32_t channels);
// For example "4 x CU_AD_FORMAT_FLOAT, 16 B an element".
std::string FormatText(const ImageInfo& image);
// Returns the channel formats with which an element of as many channels has `texel_bytes` bytes;
// empty if there is none.
std::string FittingFormats(const ImageInfo& image, uint64_t texel_bytes);

}  // namespace gpusan::cuda
