// Defect: Source of a program is passed without a length and without a NUL character.
// Fix: The source ends with a NUL character.
// EXPECT error host-buffer-overrun clCreateProgramWithSource at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT block_bytes=4096
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static const char kText[] = "kernel void nothing(void) {}";
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4097;
#endif
  // @BLOCK
  char* text = malloc(bytes);
  memset(text, ' ', bytes);
  memcpy(text, kText, sizeof(kText) - 1);
#ifndef DEFECT
  text[4096] = '\0';
#endif
  const char* source = text;
  // @HERE
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  OK(clReleaseProgram(program));
  free(text);
  Close();
}
