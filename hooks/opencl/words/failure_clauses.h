// The clauses of the OpenCL specification by which an entry point can return an error code, for
// findings about calls that failed.
//
// Thread-safe. Only ClauseText allocates.
#pragma once

#include <CL/cl.h>

#include <string>

#include "absl/types/span.h"

namespace gpusan::opencl {

// All strings live as long as the process.
struct Clause {
  const char* argument;  // as cl.h spells it; "" if no argument is at fault
  const char* text;      // one line, "offset + size is past the end of buffer", no full stop
  const char* section;   // "§5.2.2" of OpenCL 3.0, or the name of an extension
};

// Returns the clauses by which `entry_point` ("clCreateBuffer") may have returned `code`, most
// likely first. An extension's alias of a core function has the clauses of the core function. If no
// row has this entry point and code, returns the general meaning of the code, or an empty span if
// no row has the code. clSVMAlloc returns no code: pass CL_SUCCESS to get the reasons for NULL.
absl::Span<const Clause> ClausesFor(const char* entry_point, cl_int code);

// "offset + size is past the end of buffer (OpenCL 3.0 §5.2.2)"
std::string ClauseText(const Clause& clause);

// All rows, for tests and documentation. `entry_point` is "" in rows that apply to all entry
// points.
struct ClauseRow {
  const char* entry_point;
  cl_int code;
};
absl::Span<const ClauseRow> AllClauseRows();
absl::Span<const Clause> AllClauses();  // parallel to AllClauseRows()

}  // namespace gpusan::opencl
