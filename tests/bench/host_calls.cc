// Bench program: allocation and mapping calls of a process that never uses a GPU API.
#include "host_cases.h"

int main(int argc, char** argv) {
  bench::Options options = bench::ParseOptions(argc, argv);
  if (options.cases.empty()) options.cases.emplace_back("host");
  bench::RunHostCases(options);
  bench::PrintAttached();
}
