// Defect: A C# program, which loads the driver itself: an asynchronous upload is downloaded on
// another stream.
// Fix: The download is on the stream of the upload.
// EXPECT error race cuMemcpyDtoHAsync_v2
// EXPECT-PARTY pending-command
// EXPECT-FACT hazard=RAW
using System;
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

  static void Ok(int code) {
    if (code != 0) throw new Exception("CUDA error " + code);
  }

  static void Main() {
    Ok(cuInit(0));
    Ok(cuDevicePrimaryCtxRetain(out IntPtr context, 0));
    Ok(cuCtxSetCurrent(context));
    Ok(cuStreamCreate(out IntPtr first, 1));
    Ok(cuStreamCreate(out IntPtr second, 1));
    var bytes = (UIntPtr)4096;
    Ok(cuMemAllocHost_v2(out IntPtr data, bytes));
    Ok(cuMemAllocHost_v2(out IntPtr result, bytes));
    Ok(cuMemAlloc_v2(out ulong memory, bytes));
    Ok(cuMemcpyHtoDAsync_v2(memory, data, bytes, first));
#if DEFECT
    Ok(cuMemcpyDtoHAsync_v2(result, memory, bytes, second));
#else
    Ok(cuMemcpyDtoHAsync_v2(result, memory, bytes, first));
#endif
    Ok(cuCtxSynchronize());
    Ok(cuMemFree_v2(memory));
    Ok(cuMemFreeHost(result));
    Ok(cuMemFreeHost(data));
    Ok(cuStreamDestroy_v2(second));
    Ok(cuStreamDestroy_v2(first));
    Ok(cuDevicePrimaryCtxRelease_v2(0));
  }
}
