// A program that brings gpusan in by itself, as loaders do, and calls one API through it:
//   raised LIBRARY opencl|vulkan|cuda
// It prints whether the process has raised privileges and what its calls returned.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#ifdef WITH_VULKAN
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>
#endif

static void* library;

static void* Look(const char* name) {
  void* function = dlsym(library, name);
  if (function != NULL) return function;
  printf("no %s\n", name);
  exit(1);
}

// --- OpenCL: the table of the loader, and the layer's on top of it.
static int context_object;

static cl_context CL_API_CALL NextContext(
    const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
    void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data, cl_int* code) {
  (void)properties, (void)count, (void)devices, (void)notify, (void)data;
  *code = CL_SUCCESS;
  return (cl_context)&context_object;
}
static cl_int CL_API_CALL NextRelease(cl_context context) {
  return context == (cl_context)&context_object ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

static int UseOpenCl(void) {
  const pfn_clInitLayer init = (pfn_clInitLayer)Look("clInitLayer");
  static cl_icd_dispatch next;
  next.clCreateContext = NextContext;
  next.clReleaseContext = NextRelease;
  const cl_icd_dispatch* layer = NULL;
  cl_uint entries = 0;
  cl_int code = init(sizeof(next) / sizeof(void*), &next, &entries, &layer);
  if (code != CL_SUCCESS) return 1;
  const cl_device_id device = (cl_device_id)&context_object;
  cl_context context = layer->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  printf("context %d\n", code);
  printf("release %d\n", layer->clReleaseContext(context));
  return 0;
}

// --- Vulkan: the next layer of a chain of two.
#ifdef WITH_VULKAN
static void* dispatch_word = &dispatch_word;
static void** instance_handle = &dispatch_word;
static void* device_word = &device_word;
static void** device_handle = &device_word;

static VKAPI_ATTR VkResult VKAPI_CALL NextCreateInstance(const VkInstanceCreateInfo* info,
                                                         const VkAllocationCallbacks* allocator,
                                                         VkInstance* instance) {
  (void)info, (void)allocator;
  *instance = (VkInstance)instance_handle;
  return VK_SUCCESS;
}
static VKAPI_ATTR VkResult VKAPI_CALL NextDevices(VkInstance instance, uint32_t* count,
                                                  VkPhysicalDevice* devices) {
  if (devices != NULL) devices[0] = (VkPhysicalDevice)instance;
  *count = 1;
  return VK_SUCCESS;
}
static VKAPI_ATTR VkResult VKAPI_CALL NextCreateDevice(VkPhysicalDevice physical,
                                                       const VkDeviceCreateInfo* info,
                                                       const VkAllocationCallbacks* allocator,
                                                       VkDevice* device) {
  (void)physical, (void)info, (void)allocator;
  *device = (VkDevice)device_handle;
  return VK_SUCCESS;
}
static VKAPI_ATTR void VKAPI_CALL NextProperties(VkPhysicalDevice physical,
                                                 VkPhysicalDeviceProperties* properties) {
  (void)physical;
  memset(properties, 0, sizeof(*properties));
}
static VKAPI_ATTR void VKAPI_CALL NextMemory(VkPhysicalDevice physical,
                                             VkPhysicalDeviceMemoryProperties* properties) {
  (void)physical;
  memset(properties, 0, sizeof(*properties));
}
static VKAPI_ATTR void VKAPI_CALL NextFamilies(VkPhysicalDevice physical, uint32_t* count,
                                               VkQueueFamilyProperties* families) {
  (void)physical, (void)families;
  *count = 0;
}
static VKAPI_ATTR VkResult VKAPI_CALL NextWait(VkDevice device) {
  (void)device;
  return VK_TIMEOUT;
}
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL NextDevice(VkDevice device, const char* name) {
  (void)device;
  return strcmp(name, "vkDeviceWaitIdle") == 0 ? (PFN_vkVoidFunction)NextWait : NULL;
}
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL NextInstance(VkInstance instance,
                                                             const char* name) {
  (void)instance;
  static const struct {
    const char* name;
    PFN_vkVoidFunction function;
  } functions[] = {
      {"vkCreateInstance", (PFN_vkVoidFunction)NextCreateInstance},
      {"vkEnumeratePhysicalDevices", (PFN_vkVoidFunction)NextDevices},
      {"vkCreateDevice", (PFN_vkVoidFunction)NextCreateDevice},
      {"vkGetPhysicalDeviceProperties", (PFN_vkVoidFunction)NextProperties},
      {"vkGetPhysicalDeviceMemoryProperties", (PFN_vkVoidFunction)NextMemory},
      {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)NextFamilies},
  };
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i) {
    if (strcmp(functions[i].name, name) == 0) return functions[i].function;
  }
  return NULL;
}

static int UseVulkan(void) {
  const PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate =
      (PFN_vkNegotiateLoaderLayerInterfaceVersion)Look("vkNegotiateLoaderLayerInterfaceVersion");
  VkNegotiateLayerInterface layer = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                     .loaderLayerInterfaceVersion = 2};
  if (negotiate(&layer) != VK_SUCCESS) return 1;
  VkLayerInstanceLink link = {NULL, NextInstance, NULL};
  VkLayerInstanceCreateInfo chain = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                     .function = VK_LAYER_LINK_INFO,
                                     .u.pLayerInfo = &link};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pNext = &chain};
  VkInstance instance = VK_NULL_HANDLE;
  const PFN_vkGetInstanceProcAddr get = layer.pfnGetInstanceProcAddr;
  VkResult code = ((PFN_vkCreateInstance)get(NULL, "vkCreateInstance"))(&info, NULL, &instance);
  printf("instance %d, link %s\n", code, chain.u.pLayerInfo == NULL ? "taken" : "kept");
  uint32_t count = 0;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  code = ((PFN_vkEnumeratePhysicalDevices)get(instance, "vkEnumeratePhysicalDevices"))(
      instance, &count, &physical);
  printf("devices %d, %u\n", code, count);
  VkLayerDeviceLink device_link = {NULL, NextInstance, NextDevice};
  VkLayerDeviceCreateInfo device_chain = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                          .function = VK_LAYER_LINK_INFO,
                                          .u.pLayerInfo = &device_link};
  const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                          .pNext = &device_chain};
  VkDevice device = VK_NULL_HANDLE;
  code =
      ((PFN_vkCreateDevice)get(instance, "vkCreateDevice"))(physical, &device_info, NULL, &device);
  printf("device %d, link %s\n", code, device_chain.u.pLayerInfo == NULL ? "taken" : "kept");
  const PFN_vkGetDeviceProcAddr get_device = layer.pfnGetDeviceProcAddr;
  code = ((PFN_vkDeviceWaitIdle)get_device(device, "vkDeviceWaitIdle"))(device);
  printf("wait %d, no such command: %s\n", code,
         get_device(device, "vkNoSuchCommand") == NULL ? "null" : "found");
  return 0;
}
#endif

// --- CUDA: the driver's tool interface, and that of NVTX.
static int asked = 0;
static const void* NoTable(unsigned id) {
  (void)id;
  ++asked;
  return NULL;
}

static int UseCuda(void) {
  printf("injection %d\n", ((int (*)(void))Look("InitializeInjection"))());
  printf("nvtx %d\n",
         ((int (*)(const void* (*)(unsigned)))Look("InitializeInjectionNvtx2"))(&NoTable));
  return asked == (getauxval(AT_SECURE) == 0) ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  printf("%s privileges\n", getauxval(AT_SECURE) != 0 ? "raised" : "plain");
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  if (strcmp(argv[2], "opencl") == 0) return UseOpenCl();
#ifdef WITH_VULKAN
  if (strcmp(argv[2], "vulkan") == 0) return UseVulkan();
#endif
  if (strcmp(argv[2], "cuda") == 0) return UseCuda();
  return 2;
}
