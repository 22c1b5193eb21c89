// Explains which limit a rejected launch exceeded.
#include "hooks/cuda/kernels/launch_limits.h"

#include "absl/strings/str_cat.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

// Returns the attribute; -1 if the driver does not report it.
int OfDevice(CUdevice_attribute attribute) {
  const auto current = GPUSAN_CU_REAL(cuCtxGetDevice);
  const auto query = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  CUdevice device = 0;
  int value = -1;
  if (current == nullptr || query == nullptr || current(&device) != CUDA_SUCCESS ||
      query(&value, attribute, device) != CUDA_SUCCESS)
    return -1;
  return value;
}

int OfFunction(CUfunction function, CUfunction_attribute attribute) {
  const auto query = GPUSAN_CU_REAL(cuFuncGetAttribute);
  int value = -1;
  if (query != nullptr && query(&value, attribute, function) == CUDA_SUCCESS) return value;
  const auto query_kernel = GPUSAN_CU_REAL(cuKernelGetAttribute);
  const auto current = GPUSAN_CU_REAL(cuCtxGetDevice);
  CUdevice device = 0;
  if (query_kernel == nullptr || current == nullptr || current(&device) != CUDA_SUCCESS ||
      query_kernel(&value, attribute, reinterpret_cast<CUkernel>(function), device) != CUDA_SUCCESS)
    return -1;
  return value;
}

std::string Dimensions(const unsigned (&sizes)[3]) {
  return absl::StrCat(sizes[0], " x ", sizes[1], " x ", sizes[2]);
}

// Compares grid or block with the device's limit in each dimension.
void CheckDimensions(CuCall& call, const char* name, const unsigned (&sizes)[3],
                     CUdevice_attribute first) {
  static constexpr char kAxes[] = "XYZ";
  for (int axis = 0; axis < 3; ++axis) {
    if (sizes[axis] == 0) {
      call.FailureFact(absl::StrCat("the ", name, " is ", Dimensions(sizes),
                                    ": each dimension has to be at least 1"));
      return;
    }
    const int limit = OfDevice(static_cast<CUdevice_attribute>(first + axis));
    if (limit < 0 || sizes[axis] <= static_cast<unsigned>(limit)) continue;
    call.FailureFact(absl::StrCat("the ", name, " is ", Dimensions(sizes),
                                  ", but the device allows ", limit, " in ",
                                  std::string(1, kAxes[axis])));
  }
}

void CheckThreads(CuCall& call, CUfunction function, const LaunchShape& shape, uint64_t threads) {
  const int device = OfDevice(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  const int own = OfFunction(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  if (device >= 0 && threads > static_cast<uint64_t>(device)) {
    call.FailureFact(absl::StrCat("a block of ", Dimensions(shape.block), " is ", threads,
                                  " threads, but the device allows ", device, " a block"));
  } else if (own >= 0 && threads > static_cast<uint64_t>(own)) {
    call.FailureFact(absl::StrCat("a block of ", Dimensions(shape.block), " is ", threads,
                                  " threads, but this kernel allows ", own,
                                  " a block: its registers (",
                                  OfFunction(function, CU_FUNC_ATTRIBUTE_NUM_REGS),
                                  " a thread) or __launch_bounds__ allow no more"));
  }
}

void CheckShared(CuCall& call, CUfunction function, const LaunchShape& shape) {
  const int allowed = OfFunction(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  const int own = OfFunction(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  const int most = OfDevice(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (allowed < 0 || shape.shared_bytes <= static_cast<unsigned>(allowed)) return;
  std::string text =
      absl::StrCat("sharedMemBytes is ", BytesText(shape.shared_bytes),
                   ", and must not exceed the ", BytesText(allowed), " that the kernel may have");
  const uint64_t needed = uint64_t{shape.shared_bytes} + static_cast<unsigned>(own > 0 ? own : 0);
  if (most > 0 && needed <= static_cast<uint64_t>(most)) {
    absl::StrAppend(&text,
                    ", unless cuFuncSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) "
                    "allows more");
  } else if (most > 0) {
    absl::StrAppend(&text, "; the device has ", BytesText(static_cast<uint64_t>(most)), " a block");
  }
  call.FailureFact(std::move(text));
}

void CheckResident(CuCall& call, CUfunction function, const LaunchShape& shape, uint64_t threads) {
  const auto query = GPUSAN_CU_REAL(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  const int multiprocessors = OfDevice(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const uint64_t blocks =
      SaturatingMultiply(SaturatingMultiply(shape.grid[0], shape.grid[1]), shape.grid[2]);
  int active = 0;
  std::string text = absl::StrCat("all ", blocks,
                                  " blocks of a cooperative launch have to fit on the "
                                  "device at once");
  if (query != nullptr && multiprocessors > 0 && threads <= INT32_MAX &&
      query(&active, function, static_cast<int>(threads), shape.shared_bytes) == CUDA_SUCCESS) {
    absl::StrAppend(
        &text, ": ", active, " on each of ", multiprocessors, " multiprocessors are ",
        uint64_t{static_cast<unsigned>(active)} * static_cast<unsigned>(multiprocessors));
  }
  call.FailureFact(std::move(text));
}

}  // namespace

void ExplainLaunch(CuCall& call, CUfunction function, const LaunchShape& shape,
                   const Stream* stream, bool has_arguments, CUresult code) {
  uint64_t threads = 1;
  for (const unsigned size : shape.block) threads = SaturatingMultiply(threads, size);
  switch (code) {
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: {
      CheckDimensions(call, "grid", shape.grid, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
      CheckDimensions(call, "block", shape.block, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
      CheckThreads(call, function, shape, threads);
      CheckShared(call, function, shape);
      const size_t parameters = FunctionOf(call, function)->parameters.size();
      if (!has_arguments && parameters != 0) {
        call.FailureFact(absl::StrCat("the kernel has ", parameters,
                                      " parameters, and the launch passes no arguments"));
      }
      return;
    }
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
      return CheckResident(call, function, shape, threads);
    case CUDA_ERROR_INVALID_HANDLE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: {
      const Context* current = call.current();
      if (function == nullptr) return rules::OnNullArgument({call.info().name, "f", true}, call);
      // For a kernel of a library the driver uses the function that belongs to the stream's
      // context.
      const Kernel* kernel = FunctionOf(call, function)->kernel;
      if (kernel != nullptr && stream != nullptr && !stream->queue->adopted) {
        rules::CheckOwner(call, kernel, stream->context->object, "f");
        if (call.has_findings()) return;
      }
      if (current == nullptr || stream == nullptr || stream->context == current) return;
      return call.FailureFact(
          absl::StrCat("the stream belongs to context ", HandleText(stream->context->handle),
                       ", and the current one is ", HandleText(current->handle)));
    }
    default:
      return;
  }
}

void ExplainAttribute(CuCall& call, CUfunction_attribute attribute, int value) {
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return;
  const int most = OfDevice(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (most < 0) return;
  call.FailureFact(
      absl::StrCat(value, " B of dynamic shared memory are requested, but the device has ", most,
                   " B for each block, minus the static shared memory of the kernel"));
}

}  // namespace gpusan::cuda
