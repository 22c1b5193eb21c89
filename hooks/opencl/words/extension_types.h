// Function types and codes of OpenCL extensions that the headers do not define: prototypes without
// a typedef, functions and codes newer than the headers, and functions whose parameters changed
// between revisions of their extension.
#pragma once

#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

#ifndef CL_INVALID_MUTABLE_COMMAND_KHR
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#endif

namespace gpusan::opencl {

// Prototyped in the headers, without a typedef.
#define GPUSAN_CL_FN(name) using name##_fn = decltype(&::name)
#ifdef cl_arm_import_memory
GPUSAN_CL_FN(clImportMemoryARM);
#endif
#ifdef cl_arm_shared_virtual_memory
GPUSAN_CL_FN(clSVMAllocARM);
GPUSAN_CL_FN(clSVMFreeARM);
GPUSAN_CL_FN(clEnqueueSVMFreeARM);
GPUSAN_CL_FN(clEnqueueSVMMemcpyARM);
GPUSAN_CL_FN(clEnqueueSVMMemFillARM);
GPUSAN_CL_FN(clEnqueueSVMMapARM);
GPUSAN_CL_FN(clEnqueueSVMUnmapARM);
GPUSAN_CL_FN(clSetKernelArgSVMPointerARM);
GPUSAN_CL_FN(clSetKernelExecInfoARM);
#endif
#ifdef cl_img_use_gralloc_ptr
GPUSAN_CL_FN(clEnqueueAcquireGrallocObjectsIMG);
GPUSAN_CL_FN(clEnqueueReleaseGrallocObjectsIMG);
#endif
#ifdef cl_img_generate_mipmap
GPUSAN_CL_FN(clEnqueueGenerateMipmapIMG);
#endif
GPUSAN_CL_FN(clCreateEventFromGLsyncKHR);
#undef GPUSAN_CL_FN

// cl_nv_create_buffer
using cl_mem_flags_NV = cl_bitfield;
using clCreateBufferNV_fn = cl_mem(CL_API_CALL*)(cl_context context, cl_mem_flags flags,
                                                 cl_mem_flags_NV flags_NV, size_t size,
                                                 void* host_ptr, cl_int* errcode_ret);

// cl_pocl_content_size: `content_size_buffer` holds, as a cl_ulong, how many bytes of `buffer` are
// meaningful.
using clSetContentSizeBufferPoCL_fn = cl_int(CL_API_CALL*)(cl_mem buffer,
                                                           cl_mem content_size_buffer);

// cl_ext_buffer_device_address
using clSetKernelArgDevicePointerEXT_fn = cl_int(CL_API_CALL*)(cl_kernel kernel, cl_uint arg_index,
                                                               cl_ulong arg_value);

// cl_khr_command_buffer changed the parameters of its recording functions: from revision 0.9.5 on
// there is a list of properties after command_queue. Both revisions use the same names, so the
// revision that the queue's device reports in CL_DEVICE_EXTENSIONS_WITH_VERSION decides which type
// a returned address has. clCommandNDRangeKernelKHR had its properties from the start and did not
// change.
#ifdef cl_khr_command_buffer
namespace command_buffer {

// The last argument is the list of the command's own parameters, each followed by a comma.
#define GPUSAN_CL_COMMAND(name, ...)                                                               \
  using name##_090 =                                                                               \
      cl_int(CL_API_CALL*)(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,   \
                           __VA_ARGS__ cl_uint num_sync_points_in_wait_list,                       \
                           const cl_sync_point_khr* sync_point_wait_list,                          \
                           cl_sync_point_khr* sync_point, cl_mutable_command_khr* mutable_handle); \
  using name##_095 = cl_int(CL_API_CALL*)(                                                         \
      cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                        \
      const cl_properties* properties, __VA_ARGS__ cl_uint num_sync_points_in_wait_list,           \
      const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,                \
      cl_mutable_command_khr* mutable_handle);
GPUSAN_CL_COMMAND(clCommandBarrierWithWaitListKHR, )
GPUSAN_CL_COMMAND(clCommandCopyBufferKHR, cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                  size_t dst_offset, size_t size, )
GPUSAN_CL_COMMAND(clCommandCopyBufferRectKHR, cl_mem src_buffer, cl_mem dst_buffer,
                  const size_t* src_origin, const size_t* dst_origin, const size_t* region,
                  size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                  size_t dst_slice_pitch, )
GPUSAN_CL_COMMAND(clCommandCopyBufferToImageKHR, cl_mem src_buffer, cl_mem dst_image,
                  size_t src_offset, const size_t* dst_origin, const size_t* region, )
GPUSAN_CL_COMMAND(clCommandCopyImageKHR, cl_mem src_image, cl_mem dst_image,
                  const size_t* src_origin, const size_t* dst_origin, const size_t* region, )
GPUSAN_CL_COMMAND(clCommandCopyImageToBufferKHR, cl_mem src_image, cl_mem dst_buffer,
                  const size_t* src_origin, const size_t* region, size_t dst_offset, )
GPUSAN_CL_COMMAND(clCommandFillBufferKHR, cl_mem buffer, const void* pattern, size_t pattern_size,
                  size_t offset, size_t size, )
GPUSAN_CL_COMMAND(clCommandFillImageKHR, cl_mem image, const void* fill_color, const size_t* origin,
                  const size_t* region, )
GPUSAN_CL_COMMAND(clCommandSVMMemcpyKHR, void* dst_ptr, const void* src_ptr, size_t size, )
GPUSAN_CL_COMMAND(clCommandSVMMemFillKHR, void* svm_ptr, const void* pattern, size_t pattern_size,
                  size_t size, )
#undef GPUSAN_CL_COMMAND

}  // namespace command_buffer

// cl_khr_command_buffer_multi_device: a copy of a command buffer for other queues.
using clRemapCommandBufferKHR_fn = cl_command_buffer_khr(CL_API_CALL*)(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue* queues, cl_uint num_handles, const cl_mutable_command_khr* handles,
    cl_mutable_command_khr* handles_ret, cl_int* errcode_ret);
#endif

// cl_khr_command_buffer_mutable_dispatch: revision 0.9.2 replaced the one structure by arrays of
// structures and of their types.
#ifdef cl_khr_command_buffer_mutable_dispatch
using clUpdateMutableCommandsKHR_090 = cl_int(CL_API_CALL*)(cl_command_buffer_khr command_buffer,
                                                            const void* mutable_config);
using clUpdateMutableCommandsKHR_092 = cl_int(CL_API_CALL*)(cl_command_buffer_khr command_buffer,
                                                            cl_uint num_configs,
                                                            const cl_uint* config_types,
                                                            const void** configs);
#endif

}  // namespace gpusan::opencl
