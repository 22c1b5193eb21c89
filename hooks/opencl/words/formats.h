// Sizes and names of image formats, and the formats that fit host data of a given size.
//
// Thread-safe, no state. Sizes are those of OpenCL 3.0 §5.3.1.1. A driver may store a texel
// differently: for an existing image, CL_IMAGE_ELEMENT_SIZE is authoritative.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <optional>
#include <string>

#include "tracker/model/texel_access.h"

namespace gpusan::opencl {

// Returns the number of stored channels, including an ignored x; 0 for an unknown order.
size_t ChannelCount(cl_channel_order order);

// Returns the bytes per texel in host memory; 0 for an unknown order or type. Does not check
// whether the combination is legal.
size_t TexelBytes(const cl_image_format& format);

// Returns false if §5.3.1.1 forbids the combination: a packed type with another order than its own,
// or CL_DEPTH_STENCIL with a type without stencil. Returns true for unknown values.
bool FormatIsConsistent(const cl_image_format& format);

// Returns the channel types with which an image of this order has `texel_bytes` bytes per texel, at
// most two, most likely first: "CL_UNORM_INT8 or CL_UNSIGNED_INT8". Types of the class of `current`
// come first. Float types count as normalised, because normalised types read the bytes of a picture
// as floats. Empty if no type fits.
std::string FittingTypes(cl_channel_order order, size_t texel_bytes, cl_channel_type current);

// Returns the type of the numbers that kernels read from such an image and write into it; nullopt
// for an unknown type.
std::optional<TexelType> TexelTypeOf(cl_channel_type type);

// Returns "CL_RGBA/CL_FLOAT, 16 B a texel"; unknown values in hexadecimal and without the size.
std::string FormatText(const cl_image_format& format);

}  // namespace gpusan::opencl
