// Which clauses of the OpenCL specification can be behind an error code, by entry point.
//
// Thread-safe, no allocation. For findings about calls that failed: the caller shows the clauses,
// or the ones that its shadow state cannot rule out, beside what it knows about the arguments.
#pragma once

#include <CL/cl.h>

#include <string>

#include "absl/types/span.h"

namespace gpusan::opencl {

// All strings live as long as the process.
struct Clause {
  const char* argument;  // as cl.h spells it; "" where no argument is at fault
  const char* text;      // one line, "offset + size is past the end of buffer", no full stop
  const char* section;   // "§5.2.2" of OpenCL 3.0, or the name of an extension
};

// The clauses by which `entry_point` ("clCreateBuffer") may have answered `code`, likeliest first.
// An extension's alias of a core function has the clauses of the core function. Without a row for
// the two together, what the code means everywhere; empty for a code that no row knows. clSVMAlloc
// has no code: ask with CL_SUCCESS for the reasons of a NULL.
absl::Span<const Clause> ClausesFor(const char* entry_point, cl_int code);

// "offset + size is past the end of buffer (OpenCL 3.0 §5.2.2)"
std::string ClauseText(const Clause& clause);

// All rows, for tests and documentation. `entry_point` is "" for what holds everywhere.
struct ClauseRow {
  const char* entry_point;
  cl_int code;
};
absl::Span<const ClauseRow> AllClauseRows();
absl::Span<const Clause> AllClauses();  // parallel to AllClauseRows()

}  // namespace gpusan::opencl
