// Opens a plug-in three times, lets it work and closes it:
//   reopen local|deepbind|dlmopen plain|moved KIND PLUGIN [FILE]...
// moved: a file takes the place of what was unloaded before the plug-in comes again, so that it and
// its libraries come to other addresses. KIND is passed to the plug-in. Prints what the plug-in
// returned.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

// Maps the address space around `address`, so that the loader finds no room there.
static void Occupy(char* address) {
  const size_t page = 4096;
  char* begin = (char*)((size_t)address & ~(page - 1));
  for (int i = 0; i < 16; ++i)
    mmap(begin + i * page, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
         0);
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  int unloaded = 0;
  for (int turn = 0; turn < 3; ++turn) {
    void* plugin;
    if (strcmp(argv[1], "dlmopen") == 0) {
      plugin = dlmopen(LM_ID_NEWLM, argv[4], RTLD_NOW);
    } else {
      const int deep = strcmp(argv[1], "deepbind") == 0 ? RTLD_DEEPBIND : 0;
      plugin = dlopen(argv[4], RTLD_NOW | RTLD_LOCAL | deep);
    }
    if (plugin == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
    int (*work)(const char*) = (int (*)(const char*))dlsym(plugin, "plugin_work");
    void* (*api)(void) = (void* (*)(void))dlsym(plugin, "plugin_api");
    printf("turn %d: %d\n", turn, work(argv[3]));
    fflush(stdout);
    char* function = (char*)api();
    if (dlclose(plugin) != 0) return 1;
    Dl_info info;
    if (dladdr(function, &info) == 0) {
      ++unloaded;
      if (strcmp(argv[2], "moved") == 0) Occupy(function);
    }
  }
  fprintf(stderr, "unloaded %d times\n", unloaded);
  return 0;
}
