// Handlers of clGetExtensionFunctionAddress and clGetExtensionFunctionAddressForPlatform.
#include "hooks/opencl/dispatch/extension_lookup.h"

#include <cstring>
#include <vector>

#include "hooks/opencl/dispatch/extensions.h"

namespace gpusan::opencl {
namespace {

// Returns the revision of an extension that all devices of the platform with that extension report;
// 0 if they differ or report none. A platform is one driver, so an address has one revision.
cl_version PlatformRevision(ClCall& call, cl_platform_id platform, const char* extension) {
  const auto get_devices = GPUSAN_NEXT(call, clGetDeviceIDs);
  const auto get_info = GPUSAN_NEXT(call, clGetDeviceInfo);
  cl_uint count = 0;
  if (get_devices == nullptr || get_info == nullptr ||
      get_devices(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) {
    return 0;
  }
  std::vector<cl_device_id> devices(count);
  if (get_devices(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS)
    return 0;
  cl_version revision = 0;
  for (cl_device_id device : devices) {
    size_t bytes = 0;
    if (get_info(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes) != CL_SUCCESS)
      continue;
    std::vector<cl_name_version> names(bytes / sizeof(cl_name_version));
    if (get_info(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, bytes, names.data(), nullptr) !=
        CL_SUCCESS)
      continue;
    for (const cl_name_version& one : names) {
      if (std::strncmp(one.name, extension, sizeof(one.name)) != 0) continue;
      if (revision != 0 && revision != one.version) return 0;
      revision = one.version;
    }
  }
  return revision;
}

// The same for a call without a platform: all platforms with the extension must report the same
// revision.
cl_version AnyRevision(ClCall& call, const char* extension) {
  const auto get_platforms = GPUSAN_NEXT(call, clGetPlatformIDs);
  cl_uint count = 0;
  if (get_platforms == nullptr || get_platforms(0, nullptr, &count) != CL_SUCCESS) return 0;
  std::vector<cl_platform_id> platforms(count);
  if (get_platforms(count, platforms.data(), nullptr) != CL_SUCCESS) return 0;
  cl_version revision = 0;
  for (cl_platform_id platform : platforms) {
    const cl_version one = PlatformRevision(call, platform, extension);
    if (one == 0) continue;
    if (revision != 0 && revision != one) return 0;
    revision = one;
  }
  return revision;
}

}  // namespace

namespace handlers {

void clGetExtensionFunctionAddress::After(ClCall& call, void*& address, const char* name) {
  if (address == nullptr || name == nullptr) return;
  address = WrapExtension(name, address, call.path(),
                          [&](const char* extension) { return AnyRevision(call, extension); });
}

void clGetExtensionFunctionAddressForPlatform::After(ClCall& call, void*& address,
                                                     cl_platform_id platform, const char* name) {
  if (address == nullptr || name == nullptr) return;
  address = WrapExtension(name, address, call.path(), [&](const char* extension) {
    return PlatformRevision(call, platform, extension);
  });
}

}  // namespace handlers
}  // namespace gpusan::opencl
