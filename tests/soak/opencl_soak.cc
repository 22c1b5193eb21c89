// The soak program of OpenCL; soak_program.h has the arguments.
#include "soak/opencl_cycles.h"
#include "soak/soak_program.h"

int main(int count, char** arguments) { return soak::Run<soak::OpenCl>(count, arguments); }
