// Formats of CUDA arrays, as ImageInfo keeps them: native_data_type is a CUarray_format,
// native_order the number of channels.
#pragma once

#include <string>

#include "tracker/objects/resource.h"

namespace gpusan::cuda {

// Bytes of one channel; 0 for formats that are not channels of their own (block-compressed,
// planar).
uint32_t ChannelBytes(uint32_t format);
// Bytes of an element with so many channels; 0 where that is not one number (planar and
// block-compressed formats).
uint32_t ElementBytes(uint32_t format, uint32_t channels);
// "4 x CU_AD_FORMAT_FLOAT, 16 B an element"
std::string FormatText(const ImageInfo& image);
// The channel formats that would make an element `texel_bytes` big with as many channels; empty if
// there is none.
std::string FittingFormats(const ImageInfo& image, uint64_t texel_bytes);

}  // namespace gpusan::cuda
