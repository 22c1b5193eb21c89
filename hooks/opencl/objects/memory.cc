// Handlers that create memory objects: buffers, sub-buffers, images, pipes, objects shared with
// graphics APIs.
#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/objects/image_limits.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/words/formats.h"
#include "hooks/opencl/words/names.h"
#include "tracker/rules/rules.h"

namespace gpusan::opencl {
namespace {

constexpr cl_mem_flags kKernelFlags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
constexpr cl_mem_flags kHostFlags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

constexpr cl_mem_flags kCoreFlags =
    kKernelFlags | kHostFlags | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR |
    CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS | CL_MEM_KERNEL_READ_AND_WRITE;

bool SeveralOf(cl_mem_flags flags, cl_mem_flags group) {
  const cl_mem_flags set = flags & group;
  return (set & (set - 1)) != 0;
}

uint16_t NeutralFlags(cl_mem_flags flags) {
  uint16_t neutral = 0;
  if ((flags & ~cl_mem_flags{CL_MEM_READ_WRITE}) == 0) return neutral;
  if (flags & CL_MEM_READ_ONLY) neutral |= kKernelReadOnly;
  if (flags & CL_MEM_WRITE_ONLY) neutral |= kKernelWriteOnly;
  if (flags & CL_MEM_HOST_NO_ACCESS) neutral |= kHostNoAccess;
  if (flags & CL_MEM_HOST_READ_ONLY) neutral |= kHostReadOnly;
  if (flags & CL_MEM_HOST_WRITE_ONLY) neutral |= kHostWriteOnly;
  if (flags & CL_MEM_USE_HOST_PTR) neutral |= kUsesHostMemory;
  if (flags & CL_MEM_COPY_HOST_PTR) neutral |= kCopiedHostMemory;
  return neutral;
}

// Returns the rule of OpenCL 3.0 §5.2.1 (table of memory flags) that the flags break; nullptr if
// none. Sets *pointer if the rule is about host_ptr.
const char* FlagConflict(cl_mem_flags flags, const void* host_ptr, bool* pointer) {
  *pointer = false;
  if ((flags & ~cl_mem_flags{CL_MEM_READ_WRITE}) == 0 && host_ptr == nullptr) return nullptr;
  if (SeveralOf(flags, kKernelFlags))
    return "CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other";
  if (SeveralOf(flags, kHostFlags)) {
    return "CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS exclude each "
           "other";
  }
  if ((flags & CL_MEM_USE_HOST_PTR) != 0 &&
      (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) {
    return "CL_MEM_USE_HOST_PTR excludes CL_MEM_ALLOC_HOST_PTR and CL_MEM_COPY_HOST_PTR";
  }
  *pointer = true;
  const bool needs = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  if (needs && host_ptr == nullptr) {
    return "CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR need a host pointer, but host_ptr is NULL";
  }
  if (!needs && host_ptr != nullptr) {
    return "host_ptr is not NULL, but neither CL_MEM_USE_HOST_PTR nor CL_MEM_COPY_HOST_PTR is set";
  }
  *pointer = false;
  return nullptr;
}

// Returns whether the properties may import memory that others wrote: external handles, device
// addresses.
bool Imports(const cl_mem_properties* properties) {
  return properties != nullptr && *properties != 0;
}

// Describes the requested object, for a finding that lists the clauses which may be broken.
std::string AskedText(const Creation& creation, cl_mem_flags flags) {
  if (creation.parent != nullptr &&
      SaturatingAdd(creation.parent_offset, creation.bytes) > creation.parent->bytes) {
    return absl::StrCat("origin ", creation.parent_offset, " + size ", creation.bytes,
                        " reaches past the parent's ", creation.parent->bytes, " B");
  }
  std::string text = "requested: ";
  if (creation.image != nullptr) {
    const ImageInfo& image = *creation.image;
    const cl_image_format format = {image.native_order, image.native_data_type};
    absl::StrAppend(&text, FormatText(format), ", ", image.extent[0], "x", image.extent[1], "x",
                    image.extent[2]);
  } else {
    absl::StrAppend(&text, creation.bytes, " B");
  }
  return flags == 0 ? text : absl::StrCat(text, ", ", MemFlagsText(flags));
}

// Checks and creates one memory object and its shadow. `real(cl_int*)` is the real call.
template <typename Real>
cl_mem CreateMemory(ClCall& call, Creation& creation, cl_context context, cl_mem_flags flags,
                    cl_int* errcode_ret, Real real, bool imports = false) {
  Tracker& tracker = call.tracker();
  Object* owner = creation.parent != nullptr ? creation.parent->context : UseContext(call, context);
  creation.native_flags = flags;
  creation.flags_text = [](uint64_t native) { return MemFlagsText(native); };
  creation.flags = NeutralFlags(flags);
  if ((flags & ~kCoreFlags) != 0) {
    // A flag of a vendor's extension may give host_ptr another meaning.
    creation.host_bytes = 0;
    creation.flags &= static_cast<uint16_t>(~kUsesHostMemory);
    imports = true;
  } else if (creation.parent == nullptr) {
    creation.conflict = FlagConflict(flags, creation.host_pointer, &creation.conflict_is_pointer);
  }
  rules::OnCreate(creation, call);
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  const cl_mem memory = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (memory == nullptr) {
    tracker.NoteFailedCreation(call, creation.kind, code, creation.bytes);
    std::string too_large;
    if (creation.image != nullptr) too_large = TooLargeText(call, owner, *creation.image);
    call.Requested(creation.bytes, !too_large.empty());
    call.FailureFact(too_large.empty() ? AskedText(creation, flags) : std::move(too_large));
    call.Done(code);
    return memory;
  }
  ResourceSpec spec;
  spec.kind = creation.kind;
  spec.handle = HandleOf(memory);
  spec.context = owner;
  spec.bytes = creation.bytes;
  spec.native_flags = flags;
  spec.flags = creation.flags;
  spec.image = creation.image;
  spec.parent = creation.parent;
  spec.parent_offset = creation.parent_offset;
  spec.initialized = creation.host_pointer != nullptr || imports;
  if (spec.flags & kUsesHostMemory) spec.address = HandleOf(creation.host_pointer);
  if (creation.parent != nullptr) {
    // Unset groups of flags are inherited from the parent (OpenCL 3.0 §5.2.1, clCreateSubBuffer).
    if ((flags & kKernelFlags) == 0)
      spec.flags |= creation.parent->flags & (kKernelReadOnly | kKernelWriteOnly);
    if ((flags & kHostFlags) == 0) {
      spec.flags |= creation.parent->flags & (kHostNoAccess | kHostReadOnly | kHostWriteOnly);
    }
    if ((flags & kKernelFlags) == 0)
      spec.native_flags |= creation.parent->native_flags & kKernelFlags;
    if ((flags & kHostFlags) == 0) spec.native_flags |= creation.parent->native_flags & kHostFlags;
    spec.flags |= creation.parent->flags & (kImported | kHostVisible);
  }
  tracker.NewResource(call, spec);
  call.Done(CL_SUCCESS);
  return memory;
}

// --- images

// Fills `image` from a description. Returns false if the description is not valid: then nothing is
// checked, and the driver returns the error.
bool DescribeImage(const cl_image_format* format, const cl_image_desc* desc, ImageInfo* image) {
  if (format == nullptr || desc == nullptr) return false;
  image->native_type = desc->image_type;
  image->native_order = format->image_channel_order;
  image->native_data_type = format->image_channel_data_type;
  image->texel_bytes = static_cast<uint32_t>(TexelBytes(*format));
  image->channels = static_cast<uint32_t>(ChannelCount(format->image_channel_order));
  image->extent[0] = desc->image_width;
  switch (desc->image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      image->dimensions = 1;
      break;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
      image->dimensions = 2;
      image->array = true;
      image->extent[1] = desc->image_array_size;
      break;
    case CL_MEM_OBJECT_IMAGE2D:
      image->dimensions = 2;
      image->extent[1] = desc->image_height;
      break;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
      image->dimensions = 3;
      image->array = true;
      image->extent[1] = desc->image_height;
      image->extent[2] = desc->image_array_size;
      break;
    case CL_MEM_OBJECT_IMAGE3D:
      image->dimensions = 3;
      image->extent[1] = desc->image_height;
      image->extent[2] = desc->image_depth;
      break;
    default:
      return false;
  }
  image->row_pitch = SaturatingMultiply(image->extent[0], image->texel_bytes);
  image->slice_pitch = SaturatingMultiply(image->row_pitch, image->extent[1]);
  return true;
}

uint64_t ImageBytes(const ImageInfo& image) {
  return SaturatingMultiply(image.slice_pitch, image.extent[2]);
}

// Returns the bytes at host_ptr that the call reads or keeps. The specification requires whole
// pitches (OpenCL 3.0 §5.3.1.2, image descriptor), but drivers never access the padding behind the
// last row: host_ptr may be a part of a larger array.
uint64_t HostBytes(const ImageInfo& image, const cl_image_desc& desc) {
  for (uint64_t extent : image.extent) {
    if (extent == 0) return 0;
  }
  const uint64_t row = desc.image_row_pitch != 0 ? desc.image_row_pitch : image.row_pitch;
  const bool layers_are_rows = image.array && image.dimensions == 2;
  const uint64_t row_step =
      layers_are_rows && desc.image_slice_pitch != 0 ? desc.image_slice_pitch : row;
  const uint64_t slice = desc.image_slice_pitch != 0 ? desc.image_slice_pitch
                                                     : SaturatingMultiply(row, image.extent[1]);
  return SaturatingAdd(
      SaturatingMultiply(image.extent[2] - 1, slice),
      SaturatingAdd(SaturatingMultiply(image.extent[1] - 1, row_step), image.row_pitch));
}

template <typename Real>
cl_mem CreateAnyImage(ClCall& call, cl_context context, cl_mem_flags flags,
                      const cl_image_format* format, const cl_image_desc* desc,
                      const void* host_ptr, cl_int* errcode_ret, Real real, bool imports = false) {
  Creation creation;
  creation.kind = ObjectKind::kImage;
  creation.host_pointer = host_ptr;
  ImageInfo image;
  const bool known = DescribeImage(format, desc, &image);
  if (known) {
    creation.image = &image;
    creation.row_pitch = desc->image_row_pitch;
    creation.slice_pitch = desc->image_slice_pitch;
    if (host_ptr != nullptr && image.texel_bytes != 0)
      creation.host_bytes = HostBytes(image, *desc);
    if (imports)
      creation.row_pitch = creation.slice_pitch = 0;  // they describe the imported memory
    if (desc->mem_object != nullptr) {
      creation.parent =
          UseMemory(call, nullptr, desc->mem_object, AnyOf(ObjectKind::kBuffer, ObjectKind::kImage),
                    "image_desc->mem_object");
      imports = imports || creation.parent == nullptr;  // the contents are not known
      if (creation.parent != nullptr && desc->image_row_pitch != 0 && image.dimensions == 2) {
        image.row_pitch = desc->image_row_pitch;
        image.slice_pitch = SaturatingMultiply(image.row_pitch, image.extent[1]);
      }
    }
    creation.bytes = ImageBytes(image);
    if (creation.parent != nullptr && image.dimensions == 2 &&
        creation.bytes > creation.parent->bytes) {
      // The parent may end before the padding of the last row.
      creation.bytes = creation.parent->bytes;
    }
  }
  return CreateMemory(call, creation, context, flags, errcode_ret, real, imports);
}

// --- sub-buffers

// Returns the smallest alignment [bytes] that a device of the context requires of sub-buffers; 0 if
// a query fails.
uint64_t SubBufferAlignment(ClCall& call, const Object* context) {
  const auto get_context = GPUSAN_NEXT(call, clGetContextInfo);
  const auto get_device = GPUSAN_NEXT(call, clGetDeviceInfo);
  if (context == nullptr || get_context == nullptr || get_device == nullptr) return 0;
  absl::InlinedVector<cl_device_id, 8> devices(64);
  size_t bytes = 0;
  if (get_context(reinterpret_cast<cl_context>(context->handle), CL_CONTEXT_DEVICES,
                  devices.size() * sizeof(cl_device_id), devices.data(), &bytes) != CL_SUCCESS) {
    return 0;
  }
  devices.resize(bytes / sizeof(cl_device_id));
  uint64_t smallest = 0;
  for (cl_device_id device : devices) {
    cl_uint bits = 0;
    if (get_device(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(bits), &bits, nullptr) !=
        CL_SUCCESS)
      return 0;
    if (smallest == 0 || bits / 8 < smallest) smallest = bits / 8;
  }
  return smallest;
}

}  // namespace

cl_mem Handle_clCreateBuffer(ClCall& call, cl_api_clCreateBuffer next, cl_context context,
                             cl_mem_flags flags, size_t size, void* host_ptr, cl_int* errcode_ret) {
  Creation creation;
  creation.bytes = size;
  creation.host_pointer = host_ptr;
  creation.host_bytes = size;
  return CreateMemory(call, creation, context, flags, errcode_ret,
                      [&](cl_int* code) { return next(context, flags, size, host_ptr, code); });
}

cl_mem Handle_clCreateBufferWithProperties(ClCall& call, cl_api_clCreateBufferWithProperties next,
                                           cl_context context, const cl_mem_properties* properties,
                                           cl_mem_flags flags, size_t size, void* host_ptr,
                                           cl_int* errcode_ret) {
  Creation creation;
  creation.bytes = size;
  creation.host_pointer = host_ptr;
  creation.host_bytes = size;
  return CreateMemory(
      call, creation, context, flags, errcode_ret,
      [&](cl_int* code) { return next(context, properties, flags, size, host_ptr, code); },
      Imports(properties));
}

cl_mem Handle_clCreateBufferNV(ClCall& call, clCreateBufferNV_fn next, cl_context context,
                               cl_mem_flags flags, cl_mem_flags_NV more_flags, size_t size,
                               void* host_ptr, cl_int* errcode_ret) {
  Creation creation;
  creation.bytes = size;
  creation.host_pointer = host_ptr;
  creation.host_bytes = size;
  return CreateMemory(call, creation, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, more_flags, size, host_ptr, code);
  });
}

cl_mem Handle_clCreateSubBuffer(ClCall& call, cl_api_clCreateSubBuffer next, cl_mem buffer,
                                cl_mem_flags flags, cl_buffer_create_type type, const void* info,
                                cl_int* errcode_ret) {
  Resource* parent = UseMemory(call, nullptr, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  const auto real = [&](cl_int* code) { return next(buffer, flags, type, info, code); };
  if (parent == nullptr || type != CL_BUFFER_CREATE_TYPE_REGION || info == nullptr) {
    call.BeforeReal();
    cl_int code = CL_SUCCESS;
    const cl_mem memory = real(&code);
    if (errcode_ret != nullptr) *errcode_ret = code;
    if (memory == nullptr) call.tracker().NoteFailedCreation(call, ObjectKind::kBuffer, code, 0);
    call.Done(memory != nullptr ? CL_SUCCESS : code);
    return memory;
  }
  const auto* region = static_cast<const cl_buffer_region*>(info);
  Creation creation;
  creation.bytes = region->size;
  creation.parent = parent;
  creation.parent_offset = region->origin;
  // No device requires a larger alignment: skip the query for such origins.
  if (region->origin % 4096 != 0)
    creation.parent_alignment = SubBufferAlignment(call, parent->context);
  return CreateMemory(call, creation, nullptr, flags, errcode_ret, real);
}

cl_mem Handle_clCreateImage(ClCall& call, cl_api_clCreateImage next, cl_context context,
                            cl_mem_flags flags, const cl_image_format* format,
                            const cl_image_desc* desc, void* host_ptr, cl_int* errcode_ret) {
  return CreateAnyImage(
      call, context, flags, format, desc, host_ptr, errcode_ret,
      [&](cl_int* code) { return next(context, flags, format, desc, host_ptr, code); });
}

cl_mem Handle_clCreateImageWithProperties(ClCall& call, cl_api_clCreateImageWithProperties next,
                                          cl_context context, const cl_mem_properties* properties,
                                          cl_mem_flags flags, const cl_image_format* format,
                                          const cl_image_desc* desc, void* host_ptr,
                                          cl_int* errcode_ret) {
  return CreateAnyImage(
      call, context, flags, format, desc, host_ptr, errcode_ret,
      [&](cl_int* code) { return next(context, properties, flags, format, desc, host_ptr, code); },
      Imports(properties));
}

cl_mem Handle_clCreateImage2D(ClCall& call, cl_api_clCreateImage2D next, cl_context context,
                              cl_mem_flags flags, const cl_image_format* format, size_t width,
                              size_t height, size_t row_pitch, void* host_ptr,
                              cl_int* errcode_ret) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_row_pitch = row_pitch;
  return CreateAnyImage(
      call, context, flags, format, &desc, host_ptr, errcode_ret, [&](cl_int* code) {
        return next(context, flags, format, width, height, row_pitch, host_ptr, code);
      });
}

cl_mem Handle_clCreateImage3D(ClCall& call, cl_api_clCreateImage3D next, cl_context context,
                              cl_mem_flags flags, const cl_image_format* format, size_t width,
                              size_t height, size_t depth, size_t row_pitch, size_t slice_pitch,
                              void* host_ptr, cl_int* errcode_ret) {
  cl_image_desc desc = {};
  desc.image_type = CL_MEM_OBJECT_IMAGE3D;
  desc.image_width = width;
  desc.image_height = height;
  desc.image_depth = depth;
  desc.image_row_pitch = row_pitch;
  desc.image_slice_pitch = slice_pitch;
  return CreateAnyImage(call, context, flags, format, &desc, host_ptr, errcode_ret,
                        [&](cl_int* code) {
                          return next(context, flags, format, width, height, depth, row_pitch,
                                      slice_pitch, host_ptr, code);
                        });
}

cl_mem Handle_clCreatePipe(ClCall& call, cl_api_clCreatePipe next, cl_context context,
                           cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets,
                           const cl_pipe_properties* properties, cl_int* errcode_ret) {
  Creation creation;
  creation.kind = ObjectKind::kPipe;
  creation.bytes = SaturatingMultiply(packet_size, max_packets);
  return CreateMemory(call, creation, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, packet_size, max_packets, properties, code);
  });
}

cl_int Handle_clSetMemObjectDestructorCallback(ClCall& call,
                                               cl_api_clSetMemObjectDestructorCallback next,
                                               cl_mem memory, MemoryDestructor notify,
                                               void* user_data) {
  UseMemory(call, nullptr, memory, kAnyMemory, "memobj");
  call.BeforeReal();
  const auto wrapped = WrapMemoryDestructor(notify, user_data);
  const cl_int code = next(memory, wrapped.function, wrapped.user_data);
  if (code != CL_SUCCESS) wrapped.Discard();
  return call.Done(code);
}

cl_int Handle_clSetContentSizeBufferPoCL(ClCall& call, clSetContentSizeBufferPoCL_fn next,
                                         cl_mem buffer, cl_mem content_size_buffer) {
  Resource* resource = UseMemory(call, nullptr, buffer, MaskOf(ObjectKind::kBuffer), "buffer");
  UseMemory(call, resource, content_size_buffer, MaskOf(ObjectKind::kBuffer),
            "content_size_buffer");
  call.BeforeReal();
  return call.Done(next(buffer, content_size_buffer));
}

// --- shared with OpenGL, EGL and others
// The contents, the size and the accesses of the other API are not visible: such objects count as
// imported, and only their lifetime is checked.

namespace {

template <typename Real>
cl_mem CreateShared(ClCall& call, ObjectKind kind, cl_context context, cl_mem_flags flags,
                    cl_int* errcode_ret, Real real) {
  Object* owner = UseContext(call, context);
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  const cl_mem memory = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (memory != nullptr) {
    ResourceSpec spec;
    spec.kind = kind;
    spec.handle = HandleOf(memory);
    spec.context = owner;
    spec.native_flags = flags;
    spec.flags = static_cast<uint16_t>(NeutralFlags(flags) | kImported);
    call.tracker().NewResource(call, spec);
  } else {
    call.tracker().NoteFailedCreation(call, kind, code, 0);
  }
  call.Done(memory != nullptr ? CL_SUCCESS : code);
  return memory;
}

}  // namespace

#ifdef cl_arm_import_memory
cl_mem Handle_clImportMemoryARM(ClCall& call, clImportMemoryARM_fn next, cl_context context,
                                cl_mem_flags flags, const cl_import_properties_arm* properties,
                                void* memory, size_t size, cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kBuffer, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, properties, memory, size, code);
  });
}
#endif

cl_mem Handle_clCreateFromGLBuffer(ClCall& call, cl_api_clCreateFromGLBuffer next,
                                   cl_context context, cl_mem_flags flags, cl_GLuint object,
                                   cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kBuffer, context, flags, errcode_ret,
                      [&](cl_int* code) { return next(context, flags, object, code); });
}

cl_mem Handle_clCreateFromGLTexture(ClCall& call, cl_api_clCreateFromGLTexture next,
                                    cl_context context, cl_mem_flags flags, cl_GLenum target,
                                    cl_GLint level, cl_GLuint texture, cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kImage, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, target, level, texture, code);
  });
}

cl_mem Handle_clCreateFromGLTexture2D(ClCall& call, cl_api_clCreateFromGLTexture2D next,
                                      cl_context context, cl_mem_flags flags, cl_GLenum target,
                                      cl_GLint level, cl_GLuint texture, cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kImage, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, target, level, texture, code);
  });
}

cl_mem Handle_clCreateFromGLTexture3D(ClCall& call, cl_api_clCreateFromGLTexture3D next,
                                      cl_context context, cl_mem_flags flags, cl_GLenum target,
                                      cl_GLint level, cl_GLuint texture, cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kImage, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, flags, target, level, texture, code);
  });
}

cl_mem Handle_clCreateFromGLRenderbuffer(ClCall& call, cl_api_clCreateFromGLRenderbuffer next,
                                         cl_context context, cl_mem_flags flags,
                                         cl_GLuint renderbuffer, cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kImage, context, flags, errcode_ret,
                      [&](cl_int* code) { return next(context, flags, renderbuffer, code); });
}

cl_mem Handle_clCreateFromEGLImageKHR(ClCall& call, cl_api_clCreateFromEGLImageKHR next,
                                      cl_context context, CLeglDisplayKHR display,
                                      CLeglImageKHR image, cl_mem_flags flags,
                                      const cl_egl_image_properties_khr* properties,
                                      cl_int* errcode_ret) {
  return CreateShared(call, ObjectKind::kImage, context, flags, errcode_ret, [&](cl_int* code) {
    return next(context, display, image, flags, properties, code);
  });
}

}  // namespace gpusan::opencl
