// Defect: A C# program, which loads the driver itself: an allocation fails, and the program ignores
// the error and uses the pointer.
// Fix: The allocation succeeds.
// EXPECT warning out-of-memory cuMemAlloc_v2 CUDA_ERROR_OUT_OF_MEMORY
// EXPECT error error-ignored cuMemcpyHtoD_v2
// EXPECT-TEXT CUDA_ERROR_OUT_OF_MEMORY
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
  [DllImport(Driver)] static extern int cuMemcpyHtoD_v2(ulong to, byte[] from, UIntPtr bytes);

  static void Ok(int code) {
    if (code != 0) throw new Exception("CUDA error " + code);
  }

  static void Main() {
    Ok(cuInit(0));
    Ok(cuDevicePrimaryCtxRetain(out IntPtr context, 0));
    Ok(cuCtxSetCurrent(context));
    var data = new byte[4096];
    ulong memory = 0;
#if DEFECT
    cuMemAlloc_v2(out memory, (UIntPtr)(1UL << 42));
#else
    cuMemAlloc_v2(out memory, (UIntPtr)(1UL << 12));
#endif
    cuMemcpyHtoD_v2(memory, data, (UIntPtr)data.Length);
    if (memory != 0) Ok(cuMemFree_v2(memory));
    Ok(cuDevicePrimaryCtxRelease_v2(0));
  }
}
