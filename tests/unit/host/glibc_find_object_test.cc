// The search for loaded files of C libraries before 2.35, beside the function that newer ones have.
#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>

#include "hooks/glibc/find_object.h"

namespace gpusan {
namespace {

using Find = int (*)(void*, dl_find_object*);

Find OfLoader() { return reinterpret_cast<Find>(dlsym(RTLD_DEFAULT, "_dl_find_object")); }

void CheckSame(Find loader, void* address) {
  dl_find_object expected = {}, found = {};
  const int status = loader(address, &expected);
  CHECK(FindObjectByIteration(address, &found) == status);
  if (status != 0) return;
  CHECK(found.dlfo_map_start == expected.dlfo_map_start);
  CHECK(found.dlfo_map_end == expected.dlfo_map_end);
  CHECK(found.dlfo_link_map == expected.dlfo_link_map);
  CHECK(found.dlfo_eh_frame == expected.dlfo_eh_frame);
}

TEST_CASE("the function of the C library is found if it exists") {
  CHECK(FindObjectOfLibrary() == OfLoader());
}

TEST_CASE("iteration finds the files that the loader finds") {
  const Find loader = OfLoader();
  if (loader == nullptr) return;  // this C library has no such function to compare with
  CheckSame(loader, reinterpret_cast<void*>(&CheckSame));
  CheckSame(loader, reinterpret_cast<void*>(&std::abort));
  CheckSame(loader, reinterpret_cast<void*>(loader));
  CheckSame(loader, reinterpret_cast<void*>(getauxval(AT_SYSINFO_EHDR)));
  for (link_map* file = _r_debug.r_map; file != nullptr; file = file->l_next)
    CheckSame(loader, file->l_ld);
}

TEST_CASE("an address outside of all files is not found") {
  dl_find_object found = {};
  int local = 0;
  CHECK(FindObjectByIteration(&local, &found) == -1);
  CHECK(FindObjectByIteration(nullptr, &found) == -1);
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(FindObjectByIteration(page, &found) == -1);
  munmap(page, 4096);
}

TEST_CASE("a file is found while it is loaded") {
  void* handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return;
  void* address = dlsym(handle, "zlibVersion");
  REQUIRE(address != nullptr);
  dl_find_object found = {};
  CHECK(FindObjectByIteration(address, &found) == 0);
  dlclose(handle);
  CHECK(FindObjectByIteration(address, &found) == -1);
}

TEST_CASE("the file's own function is that of the loader, if the loader has one") {
  dl_find_object own = {}, loaders = {};
  const Find loader = OfLoader();
  if (loader == nullptr) return;
  CHECK(_dl_find_object(reinterpret_cast<void*>(&CheckSame), &own) == 0);
  CHECK(loader(reinterpret_cast<void*>(&CheckSame), &loaders) == 0);
  CHECK(own.dlfo_link_map == loaders.dlfo_link_map);
}

}  // namespace
}  // namespace gpusan
