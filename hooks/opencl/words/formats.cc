// Sizes and names of image formats: the channel lists of names.def as tables.
#include "hooks/opencl/words/formats.h"

#include <CL/cl_gl.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hooks/opencl/words/names.h"
#include "tracker/base/text_util.h"

namespace gpusan::opencl {
namespace {

enum class Class : uint8_t { kUnorm, kSnorm, kSigned, kUnsigned, kFloat };

struct ChannelOrder {
  cl_channel_order order;
  uint8_t channels;
};

constexpr ChannelOrder kChannelOrders[] = {
#define GPUSAN_CL_CHANNEL_ORDER(name, value, channels) {value, channels},
#include "hooks/opencl/words/names.def"
};

struct ChannelType {
  const char* name;
  cl_channel_type type;
  uint8_t channel_bytes;  // 0: packed
  uint8_t texel_bytes;    // of a packed type
  Class type_class;
};

constexpr ChannelType kChannelTypes[] = {
#define GPUSAN_CL_CHANNEL_TYPE(name, value, channel_bytes, texel_bytes, class) \
  {#name, value, channel_bytes, texel_bytes, Class::class},
#include "hooks/opencl/words/names.def"
};

// The values of orders and types begin here and have few gaps: an array maps each to its row.
constexpr cl_uint kFirstOrder = CL_R;
constexpr cl_uint kFirstType = CL_SNORM_INT8;
struct Index {
  uint8_t row[32] = {};  // of the table, plus 1; 0: none
};
template <typename Row, size_t count>
constexpr Index MakeIndex(const Row (&rows)[count], cl_uint Row::*value, cl_uint first) {
  Index index;
  for (size_t i = 0; i < count; ++i)
    index.row[rows[i].*value - first] = static_cast<uint8_t>(i + 1);
  return index;
}
constexpr Index kOrders = MakeIndex(kChannelOrders, &ChannelOrder::order, kFirstOrder);
constexpr Index kTypes = MakeIndex(kChannelTypes, &ChannelType::type, kFirstType);

template <typename Row, size_t count>
const Row* FindRow(const Row (&rows)[count], const Index& index, cl_uint at) {
  if (at >= sizeof(index.row) || index.row[at] == 0) return nullptr;
  return &rows[index.row[at] - 1];
}

const ChannelType* FindType(cl_channel_type type) {
  return FindRow(kChannelTypes, kTypes, type - kFirstType);
}

bool IsPackedRgb(cl_channel_type type) {
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

// The order in which classes are proposed for an image of class `current`.
absl::Span<const Class> Preferred(Class current) {
  static constexpr Class kForFloat[] = {Class::kFloat, Class::kUnorm, Class::kUnsigned,
                                        Class::kSnorm, Class::kSigned};
  static constexpr Class kForUnorm[] = {Class::kUnorm, Class::kUnsigned, Class::kFloat,
                                        Class::kSnorm, Class::kSigned};
  static constexpr Class kForSnorm[] = {Class::kSnorm, Class::kSigned, Class::kFloat, Class::kUnorm,
                                        Class::kUnsigned};
  static constexpr Class kForSigned[] = {Class::kSigned, Class::kUnsigned, Class::kFloat,
                                         Class::kSnorm, Class::kUnorm};
  static constexpr Class kForUnsigned[] = {Class::kUnsigned, Class::kSigned, Class::kUnorm,
                                           Class::kFloat, Class::kSnorm};
  switch (current) {
    case Class::kFloat:
      return kForFloat;
    case Class::kUnorm:
      return kForUnorm;
    case Class::kSnorm:
      return kForSnorm;
    case Class::kSigned:
      return kForSigned;
    case Class::kUnsigned:
      return kForUnsigned;
  }
  return kForUnorm;
}

std::string NameOrHex(const char* name, cl_uint value) {
  return name != nullptr ? std::string(name) : Hex(value);
}

}  // namespace

size_t ChannelCount(cl_channel_order order) {
  const ChannelOrder* known = FindRow(kChannelOrders, kOrders, order - kFirstOrder);
  return known != nullptr ? known->channels : 0;
}

size_t TexelBytes(const cl_image_format& format) {
  const size_t channels = ChannelCount(format.image_channel_order);
  const ChannelType* type = FindType(format.image_channel_data_type);
  if (channels == 0 || type == nullptr) return 0;
  // Depth as float carries the stencil in a second word (cl_khr_gl_depth_images).
  if (format.image_channel_order == CL_DEPTH_STENCIL && format.image_channel_data_type == CL_FLOAT)
    return 8;
  return type->channel_bytes != 0 ? channels * type->channel_bytes : type->texel_bytes;
}

bool FormatIsConsistent(const cl_image_format& format) {
  const cl_channel_order order = format.image_channel_order;
  const cl_channel_type type = format.image_channel_data_type;
  if (ChannelCount(order) == 0 || FindType(type) == nullptr) return true;
  if (IsPackedRgb(type)) return order == CL_RGB || order == CL_RGBx;
  if (type == CL_UNORM_INT_101010_2) return order == CL_RGBA;
  if (type == CL_UNORM_INT24) return order == CL_DEPTH_STENCIL;
  if (order == CL_DEPTH_STENCIL) return type == CL_FLOAT;
  return true;
}

std::string FittingTypes(cl_channel_order order, size_t texel_bytes, cl_channel_type current) {
  const ChannelType* now = FindType(current);
  std::string text;
  int found = 0;
  for (const Class preferred : Preferred(now != nullptr ? now->type_class : Class::kUnorm)) {
    for (const ChannelType& type : kChannelTypes) {
      // Packed types are never proposed: a wrong size does not suggest them.
      if (type.channel_bytes == 0 || type.type_class != preferred || type.type == current) continue;
      const cl_image_format format = {order, type.type};
      if (TexelBytes(format) != texel_bytes || !FormatIsConsistent(format)) continue;
      absl::StrAppend(&text, found == 0 ? "" : " or ", type.name);
      if (++found == 2) return text;
    }
  }
  return text;
}

std::optional<TexelType> TexelTypeOf(cl_channel_type type) {
  const ChannelType* known = FindType(type);
  if (known == nullptr) return std::nullopt;
  return known->type_class == Class::kSigned     ? TexelType::kSigned
         : known->type_class == Class::kUnsigned ? TexelType::kUnsigned
                                                 : TexelType::kFloat;
}

std::string FormatText(const cl_image_format& format) {
  std::string text = absl::StrCat(
      NameOrHex(ChannelOrderName(format.image_channel_order), format.image_channel_order), "/",
      NameOrHex(ChannelTypeName(format.image_channel_data_type), format.image_channel_data_type));
  const size_t bytes = TexelBytes(format);
  if (bytes != 0) absl::StrAppend(&text, ", ", bytes, " B a texel");
  return text;
}

}  // namespace gpusan::opencl
