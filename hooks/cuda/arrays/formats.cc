// Formats of CUDA arrays in ImageInfo.
#include "hooks/cuda/arrays/formats.h"

#include <cuda.h>

#include "absl/strings/str_cat.h"
#include "tracker/base/text_util.h"

namespace gpusan::cuda {
namespace {

struct Channel {
  uint32_t format;
  uint32_t bytes;
  const char* name;
};
constexpr Channel kChannels[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 1, "CU_AD_FORMAT_UNSIGNED_INT8"},
    {CU_AD_FORMAT_UNSIGNED_INT16, 2, "CU_AD_FORMAT_UNSIGNED_INT16"},
    {CU_AD_FORMAT_UNSIGNED_INT32, 4, "CU_AD_FORMAT_UNSIGNED_INT32"},
    {CU_AD_FORMAT_SIGNED_INT8, 1, "CU_AD_FORMAT_SIGNED_INT8"},
    {CU_AD_FORMAT_SIGNED_INT16, 2, "CU_AD_FORMAT_SIGNED_INT16"},
    {CU_AD_FORMAT_SIGNED_INT32, 4, "CU_AD_FORMAT_SIGNED_INT32"},
    {CU_AD_FORMAT_HALF, 2, "CU_AD_FORMAT_HALF"},
    {CU_AD_FORMAT_FLOAT, 4, "CU_AD_FORMAT_FLOAT"},
};

const Channel* Find(uint32_t format) {
  for (const Channel& channel : kChannels) {
    if (channel.format == format) return &channel;
  }
  return nullptr;
}

}  // namespace

uint32_t ChannelBytes(uint32_t format) {
  const Channel* channel = Find(format);
  return channel != nullptr ? channel->bytes : 0;
}

uint32_t ElementBytes(uint32_t format, uint32_t channels) {
  if (const uint32_t bytes = ChannelBytes(format); bytes != 0) return bytes * channels;
  // Normalized formats include the number of channels.
  switch (format) {
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X1:
      return 1;
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X2:
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X1:
      return 2;
    case CU_AD_FORMAT_UNORM_INT8X4:
    case CU_AD_FORMAT_SNORM_INT8X4:
    case CU_AD_FORMAT_UNORM_INT16X2:
    case CU_AD_FORMAT_SNORM_INT16X2:
      return 4;
    case CU_AD_FORMAT_UNORM_INT16X4:
    case CU_AD_FORMAT_SNORM_INT16X4:
      return 8;
    default:
      return 0;
  }
}

std::string FormatText(const ImageInfo& image) {
  const Channel* channel = Find(image.native_data_type);
  if (channel == nullptr) return "CUarray_format " + Hex(image.native_data_type);
  return absl::StrCat(image.native_order, " x ", channel->name, ", ", image.texel_bytes,
                      " B an element");
}

std::string FittingFormats(const ImageInfo& image, uint64_t texel_bytes) {
  std::string fitting;
  for (const Channel& channel : kChannels) {
    if (uint64_t{channel.bytes} * image.native_order != texel_bytes) continue;
    absl::StrAppend(&fitting, fitting.empty() ? "" : " or ", channel.name);
  }
  return fitting;
}

}  // namespace gpusan::cuda
