// Uses OpenCL before and after main alone, by way of a shared file's constructor and destructor.
#include <stdio.h>

int EarlyCode(void);

int main(void) {
  printf("made before main: %d\n", EarlyCode());
  return 0;
}
