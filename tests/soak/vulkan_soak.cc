// The soak program of Vulkan; soak_program.h has the arguments.
#include "soak/soak_program.h"
#include "soak/vulkan_cycles.h"

int main(int count, char** arguments) { return soak::Run<soak::Vulkan>(count, arguments); }
