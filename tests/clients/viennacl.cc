// ViennaCL with its OpenCL backend: vectors, dense and sparse matrices, conjugate gradients and
// GMRES.
// packages: libviennacl-dev ocl-icd-opencl-dev
// suite: long
// build: -DVIENNACL_WITH_OPENCL -DCL_TARGET_OPENCL_VERSION=120 -lOpenCL
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "viennacl/compressed_matrix.hpp"
#include "viennacl/linalg/cg.hpp"
#include "viennacl/linalg/gmres.hpp"
#include "viennacl/linalg/inner_prod.hpp"
#include "viennacl/linalg/norm_2.hpp"
#include "viennacl/linalg/prod.hpp"
#include "viennacl/matrix.hpp"
#include "viennacl/vector.hpp"

static void Report(const char* name, double error) {
  std::printf("%s: %s\n", name, error < 1e-3 ? "ok" : "WRONG");
}

static double Distance(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, double(std::abs(a[i] - b[i])));
  return worst;
}

static std::vector<float> Download(const viennacl::vector<float>& from) {
  std::vector<float> to(from.size());
  viennacl::copy(from.begin(), from.end(), to.begin());
  return to;
}

static void Dense() {
  size_t rows = 70, columns = 50;
  std::vector<std::vector<float>> a(rows, std::vector<float>(columns));
  std::vector<float> x(columns), want(rows, 0.0f);
  for (size_t j = 0; j < columns; ++j) x[j] = std::cos(0.3f * j);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns; ++j) {
      a[i][j] = std::sin(0.1f * i + j);
      want[i] += a[i][j] * x[j];
    }
  }
  viennacl::matrix<float> dense(rows, columns);
  viennacl::vector<float> dx(columns), dy(rows);
  viennacl::copy(a, dense);
  viennacl::fast_copy(x, dx);
  dy = viennacl::linalg::prod(dense, dx);
  Report("dense product", Distance(Download(dy), want));
  dy = 2.0f * dy + dy;
  for (float& value : want) value *= 3;
  Report("vector expression", Distance(Download(dy), want));
  double norm = 0;
  for (float value : want) norm += double(value) * value;
  Report("norm",
         std::abs(double(viennacl::linalg::norm_2(dy)) - std::sqrt(norm)) / std::sqrt(norm));
  viennacl::vector_range<viennacl::vector<float>> half(dy, viennacl::range(10, 30));
  half = viennacl::scalar_vector<float>(20, 1.0f);
  Report("range", std::abs(double(viennacl::linalg::inner_prod(half, half)) - 20));
}

// The Laplacian of a line: symmetric, positive definite and sparse.
static void Sparse() {
  size_t n = 500;
  std::vector<std::map<unsigned, float>> laplacian(n);
  std::vector<float> solution(n), right(n, 0.0f);
  for (size_t i = 0; i < n; ++i) {
    laplacian[i][i] = 2.5f;
    if (i > 0) laplacian[i][i - 1] = -1;
    if (i + 1 < n) laplacian[i][i + 1] = -1;
    solution[i] = std::sin(0.05f * i);
  }
  for (size_t i = 0; i < n; ++i) {
    for (auto& [column, value] : laplacian[i]) right[i] += value * solution[column];
  }
  viennacl::compressed_matrix<float> sparse(n, n);
  viennacl::vector<float> b(n);
  viennacl::copy(laplacian, sparse);
  viennacl::copy(right.begin(), right.end(), b.begin());
  viennacl::vector<float> x = viennacl::linalg::prod(sparse, b);
  x = viennacl::linalg::solve(sparse, b, viennacl::linalg::cg_tag(1e-6, 200));
  Report("conjugate gradients", Distance(Download(x), solution));
  x = viennacl::linalg::solve(sparse, b, viennacl::linalg::gmres_tag(1e-6, 200, 20));
  Report("GMRES", Distance(Download(x), solution));
}

int main() {
  Dense();
  Sparse();
}
