// Checks of what is no call of an API. They end the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>

// Aborts if `condition`, which the program itself computes, does not hold.
#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      fflush(stderr);                                                               \
      abort();                                                                      \
    }                                                                               \
  } while (0)

// Ends a program that this machine cannot run. The runner counts the program as skipped.
#define NEEDS(condition)                                  \
  do {                                                    \
    if (!(condition)) {                                   \
      fprintf(stderr, "skipped: needs %s\n", #condition); \
      exit(77);                                           \
    }                                                     \
  } while (0)
