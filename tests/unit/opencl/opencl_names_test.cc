// Names of OpenCL constants and arithmetic of image formats.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>  // CL_DEPTH_STENCIL

#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <string>

#include "hooks/opencl/words/formats.h"
#include "hooks/opencl/words/names.h"

namespace gpusan::opencl {
namespace {

TEST_CASE("an error code has the name that the headers give it") {
  CHECK(std::string(ErrorName(CL_SUCCESS)) == "CL_SUCCESS");
  CHECK(std::string(ErrorName(-59)) == "CL_INVALID_OPERATION");
  CHECK(std::string(ErrorName(-14)) == "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST");
  CHECK(std::string(ErrorName(-1138)) == "CL_INVALID_COMMAND_BUFFER_KHR");
  CHECK(std::string(ErrorName(-1093)) == "CL_INVALID_EGL_OBJECT_KHR");
}

TEST_CASE("every core error code from 0 to -72 has a name, except the gap that the headers leave") {
  for (cl_int code = 0; code >= -72; --code) {
    INFO(code);
    const bool gap = code <= -20 && code >= -29;
    CHECK((ErrorName(code) == nullptr) == gap);
  }
}

TEST_CASE("an unknown error code is given as a number") {
  CHECK(ErrorName(-9999) == nullptr);
  CHECK(ErrorText(-9999) == "CL error -9999");
  CHECK(ErrorText(-5) == "CL_OUT_OF_RESOURCES");
}

TEST_CASE("flags are joined in a fixed order and unknown bits come last in hex") {
  CHECK(MemFlagsText(0) == "0");
  CHECK(MemFlagsText(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY) ==
        "CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR");
  CHECK(MemFlagsText(CL_MEM_READ_WRITE | (cl_mem_flags{1} << 40)) ==
        "CL_MEM_READ_WRITE | 0x10000000000");
  CHECK(MemFlagsText(cl_mem_flags{1} << 40) == "0x10000000000");
  CHECK(SvmFlagsText(CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS) ==
        "CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS");
  CHECK(SvmFlagsText(CL_MEM_USE_HOST_PTR) == "0x8");
}

TEST_CASE("an unknown channel order or type has no name") {
  CHECK(ChannelOrderName(0) == nullptr);
  CHECK(ChannelTypeName(0) == nullptr);
}

// The lists give values themselves, so that newer channel types work with older headers: compare
// where both exist.
TEST_CASE("channel orders and types have the values of the headers") {
  const std::pair<cl_uint, const char*> orders[] = {{CL_R, "CL_R"},
                                                    {CL_A, "CL_A"},
                                                    {CL_RG, "CL_RG"},
                                                    {CL_RA, "CL_RA"},
                                                    {CL_RGB, "CL_RGB"},
                                                    {CL_RGBA, "CL_RGBA"},
                                                    {CL_BGRA, "CL_BGRA"},
                                                    {CL_ARGB, "CL_ARGB"},
                                                    {CL_INTENSITY, "CL_INTENSITY"},
                                                    {CL_Rx, "CL_Rx"},
                                                    {CL_RGx, "CL_RGx"},
                                                    {CL_RGBx, "CL_RGBx"},
                                                    {CL_DEPTH, "CL_DEPTH"},
                                                    {CL_sRGB, "CL_sRGB"},
                                                    {CL_sRGBx, "CL_sRGBx"},
                                                    {CL_sRGBA, "CL_sRGBA"},
                                                    {CL_sBGRA, "CL_sBGRA"},
                                                    {CL_LUMINANCE, "CL_LUMINANCE"},
                                                    {CL_ABGR, "CL_ABGR"},
                                                    {CL_DEPTH_STENCIL, "CL_DEPTH_STENCIL"}};
  for (const auto& [value, name] : orders) CHECK(std::string(ChannelOrderName(value)) == name);
  const std::pair<cl_uint, const char*> types[] = {
      {CL_SNORM_INT8, "CL_SNORM_INT8"},
      {CL_SNORM_INT16, "CL_SNORM_INT16"},
      {CL_UNORM_INT8, "CL_UNORM_INT8"},
      {CL_UNORM_INT16, "CL_UNORM_INT16"},
      {CL_UNORM_SHORT_565, "CL_UNORM_SHORT_565"},
      {CL_UNORM_SHORT_555, "CL_UNORM_SHORT_555"},
      {CL_UNORM_INT_101010, "CL_UNORM_INT_101010"},
      {CL_SIGNED_INT8, "CL_SIGNED_INT8"},
      {CL_SIGNED_INT16, "CL_SIGNED_INT16"},
      {CL_SIGNED_INT32, "CL_SIGNED_INT32"},
      {CL_UNSIGNED_INT8, "CL_UNSIGNED_INT8"},
      {CL_UNSIGNED_INT16, "CL_UNSIGNED_INT16"},
      {CL_UNSIGNED_INT32, "CL_UNSIGNED_INT32"},
      {CL_HALF_FLOAT, "CL_HALF_FLOAT"},
      {CL_FLOAT, "CL_FLOAT"},
      {CL_UNORM_INT24, "CL_UNORM_INT24"},
      {CL_UNORM_INT_101010_2, "CL_UNORM_INT_101010_2"}};
  for (const auto& [value, name] : types) CHECK(std::string(ChannelTypeName(value)) == name);
}

TEST_CASE("the bytes of a texel follow from channels and type, except for packed types") {
  CHECK(TexelBytes({CL_RGBA, CL_FLOAT}) == 16);
  CHECK(TexelBytes({CL_RGBA, CL_UNORM_INT8}) == 4);
  CHECK(TexelBytes({CL_R, CL_HALF_FLOAT}) == 2);
  CHECK(TexelBytes({CL_RG, CL_SIGNED_INT32}) == 8);
  CHECK(TexelBytes({CL_sRGB, CL_UNORM_INT8}) == 3);
  CHECK(TexelBytes({CL_sRGBx, CL_UNORM_INT8}) == 4);
  CHECK(TexelBytes({CL_RGB, CL_UNORM_SHORT_565}) == 2);
  CHECK(TexelBytes({CL_RGBx, CL_UNORM_SHORT_555}) == 2);
  CHECK(TexelBytes({CL_RGB, CL_UNORM_INT_101010}) == 4);
  CHECK(TexelBytes({CL_RGBA, CL_UNORM_INT_101010_2}) == 4);
  CHECK(TexelBytes({CL_DEPTH, CL_FLOAT}) == 4);
  CHECK(TexelBytes({CL_DEPTH, CL_UNORM_INT16}) == 2);
  CHECK(TexelBytes({CL_DEPTH_STENCIL, CL_UNORM_INT24}) == 4);
  CHECK(TexelBytes({CL_DEPTH_STENCIL, CL_FLOAT}) == 8);
}

TEST_CASE("an unknown order or type has no size") {
  CHECK(ChannelCount(0) == 0);
  CHECK(TexelBytes({0, CL_FLOAT}) == 0);
  CHECK(TexelBytes({CL_RGBA, 0}) == 0);
  CHECK(FormatText({0x4076, CL_UNORM_INT8}) == "0x4076/CL_UNORM_INT8");
}

TEST_CASE("packed types belong to their own orders") {
  CHECK(FormatIsConsistent({CL_RGBA, CL_UNORM_INT_101010_2}));
  CHECK_FALSE(FormatIsConsistent({CL_RGBA, CL_UNORM_SHORT_565}));
  CHECK_FALSE(FormatIsConsistent({CL_RGB, CL_UNORM_INT_101010_2}));
  CHECK_FALSE(FormatIsConsistent({CL_DEPTH, CL_UNORM_INT24}));
  CHECK_FALSE(FormatIsConsistent({CL_DEPTH_STENCIL, CL_UNORM_INT8}));
  CHECK(FormatIsConsistent({0x4076, CL_UNORM_INT8}));
}

TEST_CASE("bytes for a float image are most likely normalized") {
  CHECK(FittingTypes(CL_RGBA, 4, CL_FLOAT) == "CL_UNORM_INT8 or CL_UNSIGNED_INT8");
  CHECK(FittingTypes(CL_RGBA, 8, CL_FLOAT) == "CL_HALF_FLOAT or CL_UNORM_INT16");
  CHECK(FittingTypes(CL_R, 1, CL_FLOAT) == "CL_UNORM_INT8 or CL_UNSIGNED_INT8");
}

TEST_CASE("a type that fits keeps the class of the image's type if it can") {
  CHECK(FittingTypes(CL_RGBA, 16, CL_UNORM_INT8) == "CL_UNSIGNED_INT32 or CL_FLOAT");
  CHECK(FittingTypes(CL_RGBA, 4, CL_UNSIGNED_INT32) == "CL_UNSIGNED_INT8 or CL_SIGNED_INT8");
  CHECK(FittingTypes(CL_R, 2, CL_SIGNED_INT8) == "CL_SIGNED_INT16 or CL_UNSIGNED_INT16");
}

TEST_CASE("no type fits an odd number of bytes") {
  CHECK(FittingTypes(CL_RGBA, 3, CL_UNORM_INT8).empty());
  CHECK(FittingTypes(CL_RGBA, 0, CL_UNORM_INT8).empty());
  CHECK(FittingTypes(0, 4, CL_UNORM_INT8).empty());
}

TEST_CASE("a format reads as order, type and size") {
  CHECK(FormatText({CL_RGBA, CL_FLOAT}) == "CL_RGBA/CL_FLOAT, 16 B a texel");
}

}  // namespace
}  // namespace gpusan::opencl
