// What the VkFFT clients transform, and the Fourier transform written out as sums.
#pragma once

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Complex = std::complex<float>;

static void Succeed(int code, const char* what) {
  if (code != 0) {
    std::printf("%s failed: %d\n", what, code);
    std::exit(1);
  }
}

static std::vector<Complex> Input(size_t count) {
  std::vector<Complex> values(count);
  unsigned state = 12345;
  for (Complex& value : values) {
    state = state * 1664525u + 1013904223u;
    float real = static_cast<float>(state >> 16) / 65536.0f - 0.5f;
    state = state * 1664525u + 1013904223u;
    value = Complex(real, static_cast<float>(state >> 16) / 65536.0f - 0.5f);
  }
  return values;
}

// The discrete Fourier transform of `width` x `height` values at one frequency.
static Complex Frequency(const std::vector<Complex>& in, size_t width, size_t height, size_t u,
                         size_t v) {
  std::complex<double> sum = 0;
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      double angle = -2 * M_PI * (double(u * x) / width + double(v * y) / height);
      sum += std::complex<double>(in[y * width + x]) * std::polar(1.0, angle);
    }
  }
  return Complex(sum);
}
