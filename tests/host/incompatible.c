// A program into which gpusan cannot be loaded: built statically, or with another C library.
#include <stdio.h>

int main(int argc, char** argv) {
  printf("here with %d arguments: %s\n", argc - 1, argc > 1 ? argv[1] : "");
  return 3;
}
