// Starts a program on C libraries before 2.34 as well. From 2.34 on the C library runs the
// constructors of the program. Before, code that the linker put into the program did so, which
// newer development files no longer bring. A program that passes its own code is served by all
// versions.
extern "C" {

using Main = int (*)(int, char**, char**);
using Initialize = void (*)(int, char**, char**);

int GpusanOldStart(Main main, int count, char** arguments, Initialize initialize, void (*finish)(),
                   void (*finish_loader)(), void* stack_end);
#if defined(__x86_64__)
__asm__(".symver GpusanOldStart, __libc_start_main@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver GpusanOldStart, __libc_start_main@GLIBC_2.17");
#endif

__attribute__((visibility("hidden"))) void _init();
__attribute__((visibility("hidden"))) extern const Initialize __init_array_start[];
__attribute__((visibility("hidden"))) extern const Initialize __init_array_end[];

static void RunConstructors(int count, char** arguments, char** environment) {
  _init();
  for (const Initialize* constructor = __init_array_start; constructor != __init_array_end;
       ++constructor)
    (*constructor)(count, arguments, environment);
}

__attribute__((visibility("hidden"))) int __libc_start_main(Main main, int count, char** arguments,
                                                            Initialize, void (*finish)(),
                                                            void (*finish_loader)(),
                                                            void* stack_end) {
  return GpusanOldStart(main, count, arguments, RunConstructors, finish, finish_loader, stack_end);
}

}  // extern "C"
