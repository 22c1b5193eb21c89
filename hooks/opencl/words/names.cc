// Names of OpenCL constants: the lists of names.def as look-ups.
#include "hooks/opencl/words/names.h"

#include <CL/cl_ext.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tracker/base/text_util.h"

namespace gpusan::opencl {
namespace {

struct Flag {
  uint64_t bits;
  const char* name;
};

#define GPUSAN_FLAG(name) {name, #name},
#define GPUSAN_FLAG_VALUE(name, value) {value, #name},

constexpr Flag kMemFlags[] = {
#define GPUSAN_CL_MEM_FLAG GPUSAN_FLAG
#define GPUSAN_CL_MEM_FLAG_VALUE GPUSAN_FLAG_VALUE
#include "hooks/opencl/words/names.def"
};
constexpr Flag kSvmFlags[] = {
#define GPUSAN_CL_SVM_FLAG GPUSAN_FLAG
#include "hooks/opencl/words/names.def"
};

#undef GPUSAN_FLAG
#undef GPUSAN_FLAG_VALUE

std::string FlagsText(uint64_t flags, absl::Span<const Flag> known) {
  if (flags == 0) return "0";
  std::string text;
  for (const Flag& flag : known) {
    if ((flags & flag.bits) == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : " | ", flag.name);
    flags &= ~flag.bits;
  }
  if (flags != 0) absl::StrAppend(&text, text.empty() ? "" : " | ", Hex(flags));
  return text;
}

}  // namespace

const char* ErrorName(cl_int code) {
  switch (code) {
#define GPUSAN_CL_ERROR(name) \
  case name:                  \
    return #name;
#define GPUSAN_CL_ERROR_VALUE(name, value) \
  case value:                              \
    return #name;
#include "hooks/opencl/words/names.def"
    default:
      return nullptr;
  }
}

std::string ErrorText(cl_int code) {
  const char* name = ErrorName(code);
  return name != nullptr ? std::string(name) : absl::StrCat("CL error ", code);
}

std::string MemFlagsText(cl_mem_flags flags) { return FlagsText(flags, kMemFlags); }
std::string SvmFlagsText(cl_svm_mem_flags flags) { return FlagsText(flags, kSvmFlags); }

const char* ChannelOrderName(cl_channel_order order) {
  switch (order) {
#define GPUSAN_CL_CHANNEL_ORDER(name, value, channels) \
  case value:                                          \
    return #name;
#include "hooks/opencl/words/names.def"
    default:
      return nullptr;
  }
}

const char* ChannelTypeName(cl_channel_type type) {
  switch (type) {
#define GPUSAN_CL_CHANNEL_TYPE(name, value, channel_bytes, texel_bytes, class) \
  case value:                                                                  \
    return #name;
#include "hooks/opencl/words/names.def"
    default:
      return nullptr;
  }
}

}  // namespace gpusan::opencl
