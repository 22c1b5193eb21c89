// Sizes and names of image formats, and which format host data of a given size would fit.
//
// Thread-safe, no state. Sizes are those of OpenCL 3.0 §5.3.1.1. A driver may store a texel
// differently: where the program's image exists, CL_IMAGE_ELEMENT_SIZE decides.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <string>

namespace gpusan::opencl {

// Stored channels, an ignored x included; 0 for an unknown order.
size_t ChannelCount(cl_channel_order order);

// Bytes a texel in host memory; 0 for an unknown order or type. Does not judge whether the
// combination is legal.
size_t TexelBytes(const cl_image_format& format);

// False where §5.3.1.1 forbids the combination: a packed type with another order than its own,
// CL_DEPTH_STENCIL with a type that has no stencil. Unknown values are not judged (true).
bool FormatIsConsistent(const cl_image_format& format);

// The channel types with which an image of this order has `texel_bytes` bytes a texel, at most two,
// likeliest first: "CL_UNORM_INT8 or CL_UNSIGNED_INT8". Types of the current type's class come
// first; float images count as normalised, since that is how bytes of a picture are read as floats.
// Empty if none fits.
std::string FittingTypes(cl_channel_order order, size_t texel_bytes, cl_channel_type current);

// "CL_RGBA/CL_FLOAT, 16 B a texel"; unknown values in hex and without the size.
std::string FormatText(const cl_image_format& format);

}  // namespace gpusan::opencl
