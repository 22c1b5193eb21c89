# pyopencl's algorithms: reduction, scan, radix sort, lists by scan, random numbers.
# packages: python3-pyopencl python3-numpy
# suite: long
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clrandom
from pyopencl.algorithm import ListOfListsBuilder, RadixSort
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(7)
a = rng.random((100, 37), dtype=np.float32)
dev_a = cl_array.to_device(queue, a)


def check(name, got, want, tolerance=0.0):
    fits = np.allclose(got, want, rtol=tolerance, atol=tolerance) if tolerance else np.array_equal(got, want)
    print(name, "ok" if fits else "WRONG")


squares = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*x[i]",
                          arguments="__global const float *x")
check("reduction", squares(dev_a).get(), (a.astype(np.float64) ** 2).sum(), 1e-4)
numbers = rng.integers(0, 100, 10007).astype(np.int32)
scan = GenericScanKernel(context, np.int32, arguments="__global const int *x, __global int *y", input_expr="x[i]",
                         scan_expr="a+b", neutral="0", output_statement="y[i] = item")
dev_numbers = cl_array.to_device(queue, numbers)
sums = cl_array.empty_like(dev_numbers)
scan(dev_numbers, sums)
check("scan", sums.get(), np.cumsum(numbers, dtype=np.int32))
sort = RadixSort(context, "int *x", key_expr="x[i]", sort_arg_names=["x"], key_dtype=np.int32)
(ordered,), event = sort(dev_numbers, key_bits=8)
event.wait()
check("radix sort", ordered.get(), np.sort(numbers))
builder = ListOfListsBuilder(context, [("mylist", np.int32)], """
void generate(LIST_ARG_DECL USER_ARG_DECL index_type i) {
  for (int j = 0; j < i % 4; ++j)
    APPEND_mylist(i * 10 + j);
}
""", arg_decls=[])
result, event = builder(queue, 500)
event.wait()
starts = np.cumsum([0] + [i % 4 for i in range(500)])
check("list starts", result["mylist"].starts.get(), starts)
check("list entries", result["mylist"].lists.get(), np.array([i * 10 + j for i in range(500) for j in range(i % 4)]))
random = pyopencl.clrandom.PhiloxGenerator(context, seed=15).uniform(queue, 10000, np.float32).get()
check("random", bool((0 <= random).all() and (random < 1).all() and abs(random.mean() - 0.5) < 0.02), True)
