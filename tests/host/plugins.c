// Loads and unloads files while threads allocate, and looks symbols up in every way whose answer
// depends on who asks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/host/probe.h"

static volatile int stop;

static void* Churn(void* argument) {
  while (!stop) free(malloc(5000));
  return argument;
}

// The program's own definition of what the plugin defines too.
__attribute__((visibility("default"))) int gpusan_test_who(void) { return 1; }

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  PROBE_CALL(activate);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Churn, NULL);
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
    int (*work)(int) = (int (*)(int))dlsym(plugin, "gpusan_test_work");
    sum += work(i);
    dlclose(plugin);
  }
  stop = 1;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("sum %d\n", sum);

  void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  int (*next)(void) = (int (*)(void))dlsym(RTLD_NEXT, "gpusan_test_who");
  int (*first)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "gpusan_test_who");
  int (*of_plugin)(void) = (int (*)(void))dlsym(plugin, "gpusan_test_who");
  int (*asked_by_plugin)(void) = (int (*)(void))dlsym(plugin, "gpusan_test_next_who");
  printf("next %d, default %d, plugin %d, next of the plugin %d\n", next ? next() : 0,
         first ? first() : 0, of_plugin ? of_plugin() : 0, asked_by_plugin());
  printf("own puts behind us: %s\n", dlsym(RTLD_NEXT, "puts") != NULL ? "yes" : "no");
  printf("versioned: %s\n", dlvsym(RTLD_DEFAULT, "memcpy", "GLIBC_2.14") != NULL ? "yes" : "no");
  printf("no such version: %s\n",
         dlvsym(RTLD_DEFAULT, "memcpy", "GLIBC_9.9") != NULL ? "yes" : "no");
  dlerror();
  printf("missing: %s\n", dlsym(plugin, "clMissing") == NULL ? "null" : "found");
  printf("%s\n", dlerror() != NULL ? "with dlerror" : "without dlerror");
  // The probe replaces names that begin with clP and leaves others of the API alone.
  int (*replaced)(void) = (int (*)(void))dlsym(plugin, "clPluginName");
  int (*kept)(void) = (int (*)(void))dlsym(plugin, "clOtherName");
  printf("found: %s\n", dlerror() != NULL ? "with dlerror" : "without dlerror");
  const int probed = Probe("gpusan_probe_activate") != NULL;
  printf("attach path %s\n", replaced() == (probed ? 42 : 3) && kept() == 4 ? "good" : "bad");
  void* self = dlopen(NULL, RTLD_NOW);
  printf("malloc of all: %s\n",
         dlsym(self, "malloc") == dlsym(RTLD_DEFAULT, "malloc") ? "same" : "differs");
  dlclose(plugin);
  return 0;
}
