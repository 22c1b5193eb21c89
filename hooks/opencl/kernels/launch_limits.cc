// Compares the sizes of a launch with the limits of the device and of the kernel.
#include "hooks/opencl/kernels/launch_limits.h"

#include "absl/strings/str_cat.h"
#include "tracker/rules/faults/faulty_call.h"

namespace gpusan::opencl {
namespace {

constexpr char kClause[] = " (OpenCL 3.0 §5.10, clEnqueueNDRangeKernel)";

cl_device_id DeviceOf(const Queue& queue) { return reinterpret_cast<cl_device_id>(queue.device); }
cl_kernel DriversKernel(const Kernel& kernel) { return reinterpret_cast<cl_kernel>(kernel.handle); }

template <typename Value>
bool QueryDevice(const ClCall& call, const Queue& queue, cl_device_info query, Value* value) {
  const auto get = GPUSAN_NEXT(call, clGetDeviceInfo);
  return get != nullptr &&
         get(DeviceOf(queue), query, sizeof(*value), value, nullptr) == CL_SUCCESS;
}

template <typename Value>
bool QueryKernel(const ClCall& call, const Queue& queue, const Kernel& kernel,
                 cl_kernel_work_group_info query, Value* value) {
  const auto get = GPUSAN_NEXT(call, clGetKernelWorkGroupInfo);
  return get != nullptr && get(DriversKernel(kernel), DeviceOf(queue), query, sizeof(*value), value,
                               nullptr) == CL_SUCCESS;
}

std::string DimensionReason(const ClCall& call, const Queue& queue, const LaunchSizes& sizes) {
  cl_uint limit = 0;
  if (!QueryDevice(call, queue, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, &limit)) return "";
  return sizes.dimensions == 0 || sizes.dimensions > limit
             ? absl::StrCat("work_dim ", sizes.dimensions, " is not between 1 and ",
                            "CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, ", limit, kClause)
             : "";
}

std::string ItemReason(const ClCall& call, const Queue& queue, const LaunchSizes& sizes) {
  size_t limits[3] = {};
  if (sizes.local == nullptr || !QueryDevice(call, queue, CL_DEVICE_MAX_WORK_ITEM_SIZES, &limits))
    return "";
  for (cl_uint i = 0; i < sizes.dimensions && i < 3; ++i) {
    if (sizes.local[i] > limits[i]) {
      return absl::StrCat("local_work_size[", i, "] is ", sizes.local[i], ", more than ",
                          "CL_DEVICE_MAX_WORK_ITEM_SIZES[", i, "], ", limits[i], kClause);
    }
  }
  return "";
}

std::string GroupReason(const ClCall& call, const Queue& queue, const Kernel& kernel,
                        const LaunchSizes& sizes) {
  size_t declared[3] = {};
  const bool fixed =
      QueryKernel(call, queue, kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, &declared) &&
      declared[0] != 0;
  if (sizes.local == nullptr) {
    return fixed ? absl::StrCat(
                       "local_work_size is NULL, but the kernel is declared with "
                       "reqd_work_group_size(",
                       declared[0], ", ", declared[1], ", ", declared[2], ")", kClause)
                 : "";
  }
  uint64_t items = 1;
  for (cl_uint i = 0; i < sizes.dimensions && i < 3; ++i) {
    if (sizes.local[i] == 0) return absl::StrCat("local_work_size[", i, "] is 0", kClause);
    if (fixed && sizes.local[i] != declared[i]) {
      return absl::StrCat("local_work_size[", i, "] is ", sizes.local[i], ", but the kernel is ",
                          "declared with reqd_work_group_size(", declared[0], ", ", declared[1],
                          ", ", declared[2], ")", kClause);
    }
    items = SaturatingMultiply(items, sizes.local[i]);
  }
  size_t limit = 0;
  if (QueryKernel(call, queue, kernel, CL_KERNEL_WORK_GROUP_SIZE, &limit) && items > limit) {
    size_t of_device = 0;
    const bool device = QueryDevice(call, queue, CL_DEVICE_MAX_WORK_GROUP_SIZE, &of_device);
    return absl::StrCat("local_work_size ", SizesText(sizes.dimensions, sizes.local), " has ",
                        items, " work-items, more than ",
                        device && of_device <= limit
                            ? absl::StrCat("CL_DEVICE_MAX_WORK_GROUP_SIZE, ", of_device)
                            : absl::StrCat("CL_KERNEL_WORK_GROUP_SIZE, ", limit),
                        kClause);
  }
  for (cl_uint i = 0; sizes.global != nullptr && i < sizes.dimensions && i < 3; ++i) {
    if (sizes.global[i] % sizes.local[i] != 0) {
      return absl::StrCat("global_work_size[", i, "] is ", sizes.global[i],
                          ", not a multiple of local_work_size[", i, "], ", sizes.local[i],
                          ", and other sizes are not supported", kClause);
    }
  }
  return "";
}

std::string GlobalReason(const LaunchSizes& sizes) {
  if (sizes.global == nullptr) return absl::StrCat("global_work_size is NULL", kClause);
  for (cl_uint i = 0; i < sizes.dimensions && i < 3; ++i) {
    if (sizes.global[i] == 0)
      return absl::StrCat("global_work_size[", i, "] is 0, which drivers before OpenCL 2.1 reject",
                          kClause);
  }
  return "";
}

std::string LocalMemoryReason(const ClCall& call, const Queue& queue, const Kernel& kernel) {
  cl_ulong needed = 0, limit = 0;
  if (!QueryKernel(call, queue, kernel, CL_KERNEL_LOCAL_MEM_SIZE, &needed) ||
      !QueryDevice(call, queue, CL_DEVICE_LOCAL_MEM_SIZE, &limit) || needed <= limit) {
    return "";
  }
  return absl::StrCat("the kernel needs ", needed, " B of local memory, more than ",
                      "CL_DEVICE_LOCAL_MEM_SIZE, ", limit, kClause);
}

}  // namespace

std::string SizesText(cl_uint dimensions, const size_t* sizes) {
  std::string text;
  for (cl_uint i = 0; sizes != nullptr && i < dimensions && i < 3; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : " x ", sizes[i]);
  }
  return text.empty() ? "NULL" : text;
}

std::string LaunchReason(const ClCall& call, const Queue& queue, const Kernel& kernel, cl_int code,
                         const LaunchSizes& sizes) {
  switch (code) {
    case CL_INVALID_WORK_DIMENSION:
      return DimensionReason(call, queue, sizes);
    case CL_INVALID_WORK_ITEM_SIZE:
      return ItemReason(call, queue, sizes);
    case CL_INVALID_WORK_GROUP_SIZE:
      return GroupReason(call, queue, kernel, sizes);
    case CL_INVALID_GLOBAL_WORK_SIZE:
      return GlobalReason(sizes);
    case CL_OUT_OF_RESOURCES:
      return LocalMemoryReason(call, queue, kernel);
    case CL_INVALID_KERNEL_ARGS:
      for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        if (!kernel.arguments[i].set)
          return absl::StrCat("argument ", i, " of the kernel was never set", kClause);
      }
      return "";
    default:
      return "";
  }
}

void CheckOffsets(ClCall& call, const Kernel& kernel, cl_uint dimensions,
                  const size_t* global_offset, const size_t* global_size) {
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    if (global_offset == nullptr || global_size == nullptr ||
        global_size[i] <= SIZE_MAX - global_offset[i])
      continue;
    rules::OnFaultyCall({rules::CallFault::kOffsetOverflow,
                         {{"dimension", uint64_t{i}},
                          {"offset", global_offset[i]},
                          {"size", global_size[i]},
                          {"kernel", kernel.name}},
                         &kernel},
                        call);
    return;
  }
}

}  // namespace gpusan::opencl
