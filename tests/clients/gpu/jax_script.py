"""JAX: jit, grad and scan on the GPU."""
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp

x = jnp.arange(4096.0).reshape(64, 64) / 4096


@jax.jit
def step(w, x):
    return jnp.tanh(x @ w).sum()


w = jnp.ones((64, 64)) * 0.01
gradient = jax.grad(step)(w, x)
total, _ = jax.lax.scan(lambda carry, row: (carry + row.sum(), None), 0.0, x)
print(jax.devices()[0].platform, f"{float(gradient.sum()):.4f}", f"{float(total):.4f}")
