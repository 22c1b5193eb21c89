// The table of clauses behind error codes, and the table of extension functions.
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "hooks/opencl/words/extension_types.h"
#include "hooks/opencl/words/failure_clauses.h"
#include "hooks/opencl/words/names.h"

namespace gpusan::opencl {
namespace {

// Every entry point of the table is one that cl.h declares.
#define CLAUSE(entry, code, section, text, argument) static_assert(sizeof(decltype(&::entry)) > 0);
#include "hooks/opencl/words/failure_clauses.def"

// What kAsCore promises: the core function's wrapper can stand in for the extension's.
#define AS_CORE_kAsCore(type, core) static_assert(std::is_same_v<type, decltype(&::core)>, #type);
#define AS_CORE_kOwn(type, core)
#define AS_CORE_kDispatch(type, core)
#define AS_CORE_kPass(type, core)
#define EXTENSION(name, type, core, treatment) AS_CORE_##treatment(type, core)
#include "hooks/opencl/extension_entry_points.def"

// The header has one of the two revisions of the recording functions; our own types must be right
// about that one.
#define SAME_AS_HEADER(name)                                               \
  static_assert(std::is_same_v<command_buffer::name##_090, ::name##_fn> || \
                std::is_same_v<command_buffer::name##_095, ::name##_fn>)
#ifdef cl_khr_command_buffer
SAME_AS_HEADER(clCommandBarrierWithWaitListKHR);
SAME_AS_HEADER(clCommandCopyBufferKHR);
SAME_AS_HEADER(clCommandCopyBufferRectKHR);
SAME_AS_HEADER(clCommandCopyBufferToImageKHR);
SAME_AS_HEADER(clCommandCopyImageKHR);
SAME_AS_HEADER(clCommandCopyImageToBufferKHR);
SAME_AS_HEADER(clCommandFillBufferKHR);
SAME_AS_HEADER(clCommandFillImageKHR);
#endif

// The error codes that OpenCL 3.0 (and, for deprecated ones, the version that had them) documents
// for an entry point.
struct Documented {
  const char* entry_point;
  std::vector<cl_int> codes;
};

// What nearly every entry point documents beside its own codes.
const std::vector<cl_int> kResources = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY};
// What every command adds.
const std::vector<cl_int> kCommand = {CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT,
                                      CL_INVALID_EVENT_WAIT_LIST};
const std::vector<cl_int> kBlocking = {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST};
const std::vector<cl_int> kBuffer = {CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE,
                                     CL_MISALIGNED_SUB_BUFFER_OFFSET,
                                     CL_MEM_OBJECT_ALLOCATION_FAILURE};
const std::vector<cl_int> kImage = {CL_INVALID_MEM_OBJECT,
                                    CL_INVALID_VALUE,
                                    CL_INVALID_IMAGE_SIZE,
                                    CL_IMAGE_FORMAT_NOT_SUPPORTED,
                                    CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                    CL_INVALID_OPERATION};

std::vector<cl_int> Join(std::initializer_list<std::vector<cl_int>> lists) {
  std::vector<cl_int> all = kResources;
  for (const std::vector<cl_int>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Documented> DocumentedCodes() {
  const std::vector<cl_int> create_image = {CL_INVALID_CONTEXT,
                                            CL_INVALID_VALUE,
                                            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                                            CL_INVALID_IMAGE_SIZE,
                                            CL_INVALID_HOST_PTR,
                                            CL_IMAGE_FORMAT_NOT_SUPPORTED,
                                            CL_MEM_OBJECT_ALLOCATION_FAILURE,
                                            CL_INVALID_OPERATION};
  const std::vector<cl_int> create_buffer = {CL_INVALID_CONTEXT, CL_INVALID_VALUE,
                                             CL_INVALID_BUFFER_SIZE, CL_INVALID_HOST_PTR,
                                             CL_MEM_OBJECT_ALLOCATION_FAILURE};
  const std::vector<cl_int> svm = {CL_INVALID_VALUE, CL_INVALID_OPERATION};
  const std::vector<cl_int> host = {CL_INVALID_OPERATION};
  const std::vector<cl_int> overlap = {CL_MEM_COPY_OVERLAP};
  const std::vector<cl_int> program = {CL_INVALID_PROGRAM, CL_INVALID_VALUE, CL_INVALID_DEVICE,
                                       CL_INVALID_OPERATION};
  const std::vector<cl_int> run = {
      CL_INVALID_PROGRAM_EXECUTABLE,   CL_INVALID_KERNEL,     CL_INVALID_KERNEL_ARGS,
      CL_INVALID_WORK_GROUP_SIZE,      CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED,
      CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_OPERATION,  CL_MEM_OBJECT_ALLOCATION_FAILURE};
  return {
      {"clCreateContext", Join({{CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE,
                                 CL_INVALID_DEVICE, CL_DEVICE_NOT_AVAILABLE}})},
      {"clCreateContextFromType",
       Join({{CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE, CL_INVALID_DEVICE_TYPE,
              CL_DEVICE_NOT_AVAILABLE, CL_DEVICE_NOT_FOUND}})},
      {"clRetainContext", Join({{CL_INVALID_CONTEXT}})},
      {"clReleaseContext", Join({{CL_INVALID_CONTEXT}})},
      {"clSetContextDestructorCallback", Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE}})},
      {"clCreateSubDevices", Join({{CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED,
                                    CL_INVALID_DEVICE_PARTITION_COUNT}})},
      {"clRetainDevice", Join({{CL_INVALID_DEVICE}})},
      {"clReleaseDevice", Join({{CL_INVALID_DEVICE}})},
      {"clCreateCommandQueue", Join({{CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE,
                                      CL_INVALID_QUEUE_PROPERTIES}})},
      {"clCreateCommandQueueWithProperties",
       Join({{CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE,
              CL_INVALID_QUEUE_PROPERTIES}})},
      {"clSetDefaultDeviceCommandQueue", Join({{CL_INVALID_CONTEXT, CL_INVALID_DEVICE,
                                                CL_INVALID_OPERATION, CL_INVALID_COMMAND_QUEUE}})},
      {"clSetCommandQueueProperty",
       {CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES,
        CL_INVALID_OPERATION}},
      {"clRetainCommandQueue", Join({{CL_INVALID_COMMAND_QUEUE}})},
      {"clReleaseCommandQueue", Join({{CL_INVALID_COMMAND_QUEUE}})},
      {"clFlush", Join({{CL_INVALID_COMMAND_QUEUE}})},
      {"clFinish", Join({{CL_INVALID_COMMAND_QUEUE}})},

      {"clCreateBuffer", Join({create_buffer})},
      {"clCreateBufferWithProperties", Join({create_buffer, {CL_INVALID_PROPERTY}})},
      {"clCreateSubBuffer",
       Join({{CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE,
              CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_MEM_OBJECT_ALLOCATION_FAILURE}})},
      {"clEnqueueReadBuffer", Join({kCommand, kBuffer, kBlocking, host})},
      {"clEnqueueWriteBuffer", Join({kCommand, kBuffer, kBlocking, host})},
      {"clEnqueueReadBufferRect", Join({kCommand, kBuffer, kBlocking, host})},
      {"clEnqueueWriteBufferRect", Join({kCommand, kBuffer, kBlocking, host})},
      {"clEnqueueCopyBuffer", Join({kCommand, kBuffer, overlap})},
      {"clEnqueueCopyBufferRect", Join({kCommand, kBuffer, overlap})},
      {"clEnqueueFillBuffer", Join({kCommand, kBuffer})},
      {"clEnqueueMapBuffer", Join({kCommand, kBuffer, kBlocking, host, {CL_MAP_FAILURE}})},

      {"clCreateImage", Join({create_image, {CL_INVALID_IMAGE_DESCRIPTOR}})},
      {"clCreateImageWithProperties",
       Join({create_image, {CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_PROPERTY}})},
      {"clCreateImage2D", Join({create_image})},
      {"clCreateImage3D", Join({create_image})},
      {"clGetSupportedImageFormats", Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE}})},
      {"clEnqueueReadImage", Join({kCommand, kImage, kBlocking})},
      {"clEnqueueWriteImage", Join({kCommand, kImage, kBlocking})},
      {"clEnqueueCopyImage", Join({kCommand, kImage, overlap, {CL_IMAGE_FORMAT_MISMATCH}})},
      {"clEnqueueFillImage", Join({kCommand, kImage})},
      {"clEnqueueCopyImageToBuffer", Join({kCommand, kImage, {CL_MISALIGNED_SUB_BUFFER_OFFSET}})},
      {"clEnqueueCopyBufferToImage", Join({kCommand, kImage, {CL_MISALIGNED_SUB_BUFFER_OFFSET}})},
      {"clEnqueueMapImage", Join({kCommand, kImage, kBlocking, {CL_MAP_FAILURE}})},

      {"clCreatePipe", Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_PIPE_SIZE,
                              CL_INVALID_OPERATION, CL_MEM_OBJECT_ALLOCATION_FAILURE}})},
      {"clRetainMemObject", Join({{CL_INVALID_MEM_OBJECT}})},
      {"clReleaseMemObject", Join({{CL_INVALID_MEM_OBJECT}})},
      {"clSetMemObjectDestructorCallback", Join({{CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE}})},
      {"clEnqueueUnmapMemObject", Join({kCommand, {CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE}})},
      {"clEnqueueMigrateMemObjects",
       Join({kCommand,
             {CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_MEM_OBJECT_ALLOCATION_FAILURE}})},

      {"clSVMAlloc", {CL_SUCCESS}},
      {"clEnqueueSVMFree", Join({kCommand, svm})},
      {"clEnqueueSVMMemcpy", Join({kCommand, svm, kBlocking, overlap})},
      {"clEnqueueSVMMemFill", Join({kCommand, svm})},
      {"clEnqueueSVMMap", Join({kCommand, svm, kBlocking})},
      {"clEnqueueSVMUnmap", Join({kCommand, svm})},
      {"clEnqueueSVMMigrateMem", Join({kCommand, svm})},

      {"clCreateSampler", Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clCreateSamplerWithProperties",
       Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clRetainSampler", Join({{CL_INVALID_SAMPLER}})},
      {"clReleaseSampler", Join({{CL_INVALID_SAMPLER}})},

      {"clCreateProgramWithSource", Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE}})},
      {"clCreateProgramWithIL",
       Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clCreateProgramWithBinary",
       Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_BINARY}})},
      {"clCreateProgramWithBuiltInKernels",
       Join({{CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_DEVICE}})},
      {"clRetainProgram", Join({{CL_INVALID_PROGRAM}})},
      {"clReleaseProgram", Join({{CL_INVALID_PROGRAM}})},
      {"clSetProgramReleaseCallback",
       Join({{CL_INVALID_PROGRAM, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clSetProgramSpecializationConstant",
       Join({{CL_INVALID_PROGRAM, CL_INVALID_SPEC_ID, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clBuildProgram", Join({program,
                               {CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS,
                                CL_COMPILER_NOT_AVAILABLE, CL_BUILD_PROGRAM_FAILURE}})},
      {"clCompileProgram", Join({program,
                                 {CL_INVALID_COMPILER_OPTIONS, CL_COMPILER_NOT_AVAILABLE,
                                  CL_COMPILE_PROGRAM_FAILURE}})},
      {"clLinkProgram", Join({program,
                              {CL_INVALID_CONTEXT, CL_INVALID_LINKER_OPTIONS,
                               CL_LINKER_NOT_AVAILABLE, CL_LINK_PROGRAM_FAILURE}})},

      {"clCreateKernel",
       Join({{CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME,
              CL_INVALID_KERNEL_DEFINITION, CL_INVALID_VALUE}})},
      {"clCreateKernelsInProgram",
       Join({{CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE}})},
      {"clCloneKernel", Join({{CL_INVALID_KERNEL}})},
      {"clRetainKernel", Join({{CL_INVALID_KERNEL}})},
      {"clReleaseKernel", Join({{CL_INVALID_KERNEL}})},
      {"clSetKernelArg", Join({{CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE,
                                CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER, CL_INVALID_DEVICE_QUEUE,
                                CL_INVALID_ARG_SIZE, CL_MAX_SIZE_RESTRICTION_EXCEEDED}})},
      {"clSetKernelArgSVMPointer", Join({{CL_INVALID_KERNEL, CL_INVALID_OPERATION,
                                          CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE}})},
      {"clSetKernelExecInfo", Join({{CL_INVALID_KERNEL, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clGetKernelArgInfo",
       {CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX, CL_INVALID_VALUE,
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE}},
      {"clEnqueueNDRangeKernel", Join({kCommand,
                                       run,
                                       {CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE,
                                        CL_INVALID_GLOBAL_OFFSET, CL_INVALID_WORK_ITEM_SIZE}})},
      {"clEnqueueTask", Join({kCommand, run})},
      {"clEnqueueNativeKernel", Join({kCommand,
                                      {CL_INVALID_VALUE, CL_INVALID_OPERATION,
                                       CL_INVALID_MEM_OBJECT, CL_MEM_OBJECT_ALLOCATION_FAILURE}})},

      {"clCreateUserEvent", Join({{CL_INVALID_CONTEXT}})},
      {"clSetUserEventStatus", Join({{CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION}})},
      {"clWaitForEvents",
       Join({kBlocking, {CL_INVALID_VALUE, CL_INVALID_CONTEXT, CL_INVALID_EVENT}})},
      {"clSetEventCallback", Join({{CL_INVALID_EVENT, CL_INVALID_VALUE}})},
      {"clGetEventInfo", Join({{CL_INVALID_EVENT, CL_INVALID_VALUE}})},
      {"clRetainEvent", Join({{CL_INVALID_EVENT}})},
      {"clReleaseEvent", Join({{CL_INVALID_EVENT}})},
      {"clEnqueueMarkerWithWaitList", Join({kCommand})},
      {"clEnqueueBarrierWithWaitList", Join({kCommand})},
      {"clEnqueueMarker", Join({{CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE}})},
      {"clEnqueueBarrier", Join({{CL_INVALID_COMMAND_QUEUE}})},
      {"clEnqueueWaitForEvents",
       Join({{CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_EVENT}})},
      {"clGetEventProfilingInfo",
       Join({{CL_PROFILING_INFO_NOT_AVAILABLE, CL_INVALID_VALUE, CL_INVALID_EVENT}})},
  };
}

TEST_CASE("every documented error code of every entry point has a clause") {
  for (const Documented& documented : DocumentedCodes()) {
    for (const cl_int code : documented.codes) {
      INFO(documented.entry_point << " " << ErrorText(code));
      CHECK_FALSE(ClausesFor(documented.entry_point, code).empty());
    }
  }
}

// "a value is not allowed" and "not supported" explain nothing: an entry point must say which value
// and what.
TEST_CASE("a vague code has a clause of the entry point's own") {
  const absl::Span<const Clause> vague_value = ClausesFor("", CL_INVALID_VALUE);
  const absl::Span<const Clause> vague_operation = ClausesFor("", CL_INVALID_OPERATION);
  for (const Documented& documented : DocumentedCodes()) {
    for (const cl_int code : documented.codes) {
      INFO(documented.entry_point << " " << ErrorText(code));
      const auto found = ClausesFor(documented.entry_point, code);
      if (code == CL_INVALID_VALUE &&
          std::string_view(documented.entry_point) != "clGetKernelArgInfo") {
        CHECK(found.data() != vague_value.data());
      }
      if (code == CL_INVALID_OPERATION) CHECK(found.data() != vague_operation.data());
    }
  }
}

TEST_CASE("every row of the table is for a documented code") {
  std::set<std::pair<std::string, cl_int>> documented_codes;
  for (const Documented& documented : DocumentedCodes()) {
    for (const cl_int code : documented.codes)
      documented_codes.emplace(documented.entry_point, code);
  }
  for (const ClauseRow& row : AllClauseRows()) {
    if (*row.entry_point == '\0') continue;
    INFO(row.entry_point << " " << ErrorText(row.code));
    CHECK(documented_codes.count({row.entry_point, row.code}) == 1);
  }
}

TEST_CASE("rows of one entry point and code are adjacent and unique") {
  std::set<std::pair<std::string, cl_int>> closed;
  std::set<std::tuple<std::string, cl_int, std::string>> texts;
  std::pair<std::string, cl_int> open;
  const auto rows = AllClauseRows();
  for (size_t i = 0; i < rows.size(); ++i) {
    const ClauseRow& row = rows[i];
    INFO(row.entry_point << " " << ErrorText(row.code) << " " << AllClauses()[i].text);
    const std::pair<std::string, cl_int> key(row.entry_point, row.code);
    if (key != open) CHECK(closed.insert(key).second);
    open = key;
    CHECK(texts.emplace(row.entry_point, row.code, AllClauses()[i].text).second);
  }
}

TEST_CASE("a clause is one line without full stop and names its section") {
  for (const Clause& clause : AllClauses()) {
    const std::string_view text = clause.text;
    INFO(text);
    CHECK_FALSE(text.empty());
    CHECK(text.back() != '.');
    CHECK(text.find('\n') == std::string_view::npos);
    CHECK(text.find("  ") == std::string_view::npos);
    CHECK(text.size() <= 170);
    const std::string_view section = clause.section;
    CHECK((section.substr(0, 2) == "\xC2\xA7" || section.substr(0, 3) == "cl_"));
  }
}

TEST_CASE("the likeliest clause comes first") {
  const auto clauses = ClausesFor("clCreateBuffer", CL_INVALID_BUFFER_SIZE);
  REQUIRE(clauses.size() == 2);
  CHECK(std::string(clauses[0].text) == "size is 0");
  CHECK(std::string(clauses[0].argument) == "size");
  CHECK(ClauseText(clauses[0]) == "size is 0 (OpenCL 3.0 §5.2.1)");
}

TEST_CASE("a host access that flags deny is explained with the flags") {
  const auto clauses = ClausesFor("clEnqueueWriteImage", CL_INVALID_OPERATION);
  REQUIRE(clauses.size() == 2);
  CHECK(std::string_view(clauses[0].text).find("CL_MEM_HOST_NO_ACCESS") != std::string_view::npos);
  CHECK(std::string(clauses[0].argument) == "image");
}

TEST_CASE("an entry point without a row for the code gets the general meaning of the code") {
  const auto clauses = ClausesFor("clNeverHeardOf", CL_INVALID_EVENT_WAIT_LIST);
  REQUIRE(clauses.size() == 2);
  CHECK(std::string(clauses[0].argument) == "event_wait_list");
  CHECK(ClausesFor("clNeverHeardOf", -9999).empty());
}

TEST_CASE("an extension's function has the clauses of the core function that it behaves as") {
  CHECK(ClausesFor("clEnqueueSVMMemcpyARM", CL_MEM_COPY_OVERLAP).data() ==
        ClausesFor("clEnqueueSVMMemcpy", CL_MEM_COPY_OVERLAP).data());
  CHECK(ClausesFor("clCommandFillBufferKHR", CL_INVALID_VALUE).data() ==
        ClausesFor("clEnqueueFillBuffer", CL_INVALID_VALUE).data());
}

TEST_CASE("clauses of an extension contain the name of the extension") {
  const auto clauses = ClausesFor("clEnqueueCommandBufferKHR", CL_INVALID_COMMAND_BUFFER_KHR);
  REQUIRE(clauses.size() == 1);
  CHECK(ClauseText(clauses[0]) ==
        "command_buffer is not a live command buffer (cl_khr_command_buffer)");
}

TEST_CASE("no extension function is listed twice") {
  std::set<std::string> names;
#define EXTENSION(name, type, core, treatment) CHECK(names.insert(#name).second);
#include "hooks/opencl/extension_entry_points.def"
}

}  // namespace
}  // namespace gpusan::opencl
