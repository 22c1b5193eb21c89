// Defect: A C# program with the same mistake in two methods: an asynchronous upload is downloaded on
// another stream. Each method is a finding of its own, although both call through the same stub.
// Fix: The downloads are on the stream of the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2
// EXPECT-PARTY pending-command
// EXPECT-FACT hazard=RAW
// EXPECT error race cuMemcpyDtoHAsync_v2
// EXPECT-PARTY pending-command
// EXPECT-FACT hazard=RAW
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

static class Program {
  const string Driver = "libcuda.so.1";
  [DllImport(Driver)] static extern int cuInit(uint flags);
  [DllImport(Driver)] static extern int cuDevicePrimaryCtxRetain(out IntPtr context, int device);
  [DllImport(Driver)] static extern int cuDevicePrimaryCtxRelease_v2(int device);
  [DllImport(Driver)] static extern int cuCtxSetCurrent(IntPtr context);
  [DllImport(Driver)] static extern int cuCtxSynchronize();
  [DllImport(Driver)] static extern int cuMemAlloc_v2(out ulong memory, UIntPtr bytes);
  [DllImport(Driver)] static extern int cuMemFree_v2(ulong memory);
  [DllImport(Driver)] static extern int cuMemAllocHost_v2(out IntPtr memory, UIntPtr bytes);
  [DllImport(Driver)] static extern int cuMemFreeHost(IntPtr memory);
  [DllImport(Driver)] static extern int cuMemcpyHtoDAsync_v2(ulong to, IntPtr from, UIntPtr bytes, IntPtr stream);
  [DllImport(Driver)] static extern int cuMemcpyDtoHAsync_v2(IntPtr to, ulong from, UIntPtr bytes, IntPtr stream);
  [DllImport(Driver)] static extern int cuStreamCreate(out IntPtr stream, uint flags);
  [DllImport(Driver)] static extern int cuStreamDestroy_v2(IntPtr stream);

  static readonly UIntPtr Bytes = (UIntPtr)4096;

  static void Ok(int code) {
    if (code != 0) throw new Exception("CUDA error " + code);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Train(ulong memory, IntPtr data, IntPtr result, IntPtr first, IntPtr second) {
    Ok(cuMemcpyHtoDAsync_v2(memory, data, Bytes, first));
#if DEFECT
    Ok(cuMemcpyDtoHAsync_v2(result, memory, Bytes, second));
#else
    Ok(cuMemcpyDtoHAsync_v2(result, memory, Bytes, first));
#endif
    Ok(cuCtxSynchronize());
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Test(ulong memory, IntPtr data, IntPtr result, IntPtr first, IntPtr second) {
    Ok(cuMemcpyHtoDAsync_v2(memory, data, Bytes, first));
#if DEFECT
    Ok(cuMemcpyDtoHAsync_v2(result, memory, Bytes, second));
#else
    Ok(cuMemcpyDtoHAsync_v2(result, memory, Bytes, first));
#endif
    Ok(cuCtxSynchronize());
  }

  static void Main() {
    Ok(cuInit(0));
    Ok(cuDevicePrimaryCtxRetain(out IntPtr context, 0));
    Ok(cuCtxSetCurrent(context));
    Ok(cuStreamCreate(out IntPtr first, 1));
    Ok(cuStreamCreate(out IntPtr second, 1));
    Ok(cuMemAllocHost_v2(out IntPtr data, Bytes));
    Ok(cuMemAllocHost_v2(out IntPtr result, Bytes));
    Ok(cuMemAlloc_v2(out ulong memory, Bytes));
    Train(memory, data, result, first, second);
    Test(memory, data, result, first, second);
    Ok(cuMemFree_v2(memory));
    Ok(cuMemFreeHost(result));
    Ok(cuMemFreeHost(data));
    Ok(cuStreamDestroy_v2(second));
    Ok(cuStreamDestroy_v2(first));
    Ok(cuDevicePrimaryCtxRelease_v2(0));
  }
}
