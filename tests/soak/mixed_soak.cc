// OpenCL and Vulkan at once: each cycle is one of either API, each made by a thread that begins and
// ends with it. What leaks and what is cached are OpenCL's; soak_program.h has the arguments.
#include <thread>

#include "soak/mixed_vulkan.h"
#include "soak/opencl_cycles.h"
#include "soak/soak_program.h"

namespace {

struct Mixed : soak::OpenCl {
  static void Setup() {
    soak::OpenCl::Setup();
    soak::SetupVulkan();
  }

  static void Cycle() {
    std::thread vulkan(soak::CycleVulkan), opencl(soak::OpenCl::Cycle);
    vulkan.join();
    opencl.join();
  }

  static void Teardown() {
    soak::TeardownVulkan();
    soak::OpenCl::Teardown();
  }
};

}  // namespace

int main(int count, char** arguments) { return soak::Run<Mixed>(count, arguments); }
