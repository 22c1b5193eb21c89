// OpenCV's transparent API: the same operations on cv::UMat with OpenCL and on cv::Mat without,
// compared.
// packages: libopencv-imgproc-dev libopencv-core-dev
// suite: long
// expect: error leak clCreateBuffer
// expect: warning leak clCreateCommandQueue
// expect: warning leak clCreateContext
// allow: warning leak clCreateProgramWithBinary
// allow: warning leak clCreateProgramWithSource
// env: OPENCV_OPENCL_DEVICE=:CPU:
// build: -I/usr/include/opencv4 -lopencv_imgproc -lopencv_core
#include <cstdio>
#include <functional>
#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <thread>
#include <vector>

using Operation = std::function<void(cv::InputArray, cv::OutputArray)>;

static bool Same(const cv::Mat& in, const Operation& operation) {
  cv::Mat want, got;
  cv::ocl::setUseOpenCL(false);
  operation(in, want);
  cv::ocl::setUseOpenCL(true);
  cv::UMat device_in = in.getUMat(cv::ACCESS_READ).clone(), device_out;
  operation(device_in, device_out);
  device_out.copyTo(got);
  if (got.size() != want.size() || got.type() != want.type()) return false;
  return cv::norm(got, want, cv::NORM_INF) <= (in.depth() == CV_8U ? 2 : 1e-2);
}

int main() {
  if (!cv::ocl::haveOpenCL() || !cv::ocl::useOpenCL()) {
    std::puts("OpenCV found no OpenCL device");
    return 1;
  }
  cv::RNG random(5);
  cv::Mat grey(211, 317, CV_8UC1), colour(211, 317, CV_8UC3), real(128, 96, CV_32FC1);
  random.fill(grey, cv::RNG::UNIFORM, 0, 255);
  random.fill(colour, cv::RNG::UNIFORM, 0, 255);
  random.fill(real, cv::RNG::UNIFORM, 0, 1);
  cv::Mat map_x(100, 120, CV_32FC1), map_y(100, 120, CV_32FC1);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 120; ++x) {
      map_x.at<float>(y, x) = x * 1.5f + 2;
      map_y.at<float>(y, x) = 200 - y * 1.25f;
    }
  }
  struct Case {
    const char* name;
    const cv::Mat& in;
    Operation operation;
  };
  const std::vector<Case> cases = {
      {"gaussian blur", grey,
       [](auto in, auto out) {
         cv::GaussianBlur(in, out, {5, 5}, 1.5);
       }},
      {"box blur", colour,
       [](auto in, auto out) {
         cv::blur(in, out, {3, 3});
       }},
      {"median", grey, [](auto in, auto out) { cv::medianBlur(in, out, 3); }},
      {"resize", colour,
       [](auto in, auto out) {
         cv::resize(in, out, {200, 100}, 0, 0, cv::INTER_LINEAR);
       }},
      {"resize area", grey,
       [](auto in, auto out) {
         cv::resize(in, out, {100, 50}, 0, 0, cv::INTER_AREA);
       }},
      {"threshold", grey,
       [](auto in, auto out) { cv::threshold(in, out, 100, 255, cv::THRESH_BINARY); }},
      {"to grey", colour, [](auto in, auto out) { cv::cvtColor(in, out, cv::COLOR_BGR2GRAY); }},
      {"sobel", grey, [](auto in, auto out) { cv::Sobel(in, out, CV_16S, 1, 0); }},
      {"erode", grey, [](auto in, auto out) { cv::erode(in, out, cv::Mat()); }},
      {"add", real, [](auto in, auto out) { cv::add(in, cv::Scalar(1.5), out); }},
      {"transpose", grey, [](auto in, auto out) { cv::transpose(in, out); }},
      {"flip", colour, [](auto in, auto out) { cv::flip(in, out, 1); }},
      {"product", real,
       [](auto in, auto out) { cv::gemm(in, in, 1, cv::noArray(), 0, out, cv::GEMM_2_T); }},
      {"pyramid", grey, [](auto in, auto out) { cv::pyrDown(in, out); }},
      {"remap", grey,
       [&](auto in, auto out) { cv::remap(in, out, map_x, map_y, cv::INTER_NEAREST); }},
      {"Fourier", real,
       [](auto in, auto out) { cv::dft(in, out, cv::DFT_COMPLEX_OUTPUT | cv::DFT_SCALE); }},
      {"equalize", grey, [](auto in, auto out) { cv::equalizeHist(in, out); }},
  };
  for (const Case& one : cases)
    std::printf("%s: %s\n", one.name, Same(one.in, one.operation) ? "ok" : "WRONG");

  cv::UMat whole = grey.getUMat(cv::ACCESS_RW).clone();
  cv::UMat part = whole(cv::Rect(10, 20, 100, 80));
  part.setTo(cv::Scalar(7));
  cv::Mat seen = whole.getMat(cv::ACCESS_READ);
  std::printf("part: %s\n", cv::countNonZero(seen(cv::Rect(10, 20, 100, 80)) != 7) == 0 &&
                                    seen.at<uchar>(0, 0) == grey.at<uchar>(0, 0)
                                ? "ok"
                                : "WRONG");
  seen.release();
  std::printf("sum: %s\n",
              cv::sum(whole)[0] == cv::sum(whole.getMat(cv::ACCESS_READ))[0] ? "ok" : "WRONG");

  // Each thread has a queue of its own in OpenCV.
  std::vector<std::thread> threads;
  std::vector<double> means(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      cv::UMat image = grey.clone().getUMat(cv::ACCESS_READ).clone(), out;
      for (int step = 0; step < 5; ++step) {
        cv::add(image, cv::Scalar(1), out);
        cv::swap(image, out);
      }
      means[i] = cv::mean(image)[0];
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("threads: %s\n", means[0] == means[1] && means[0] == means[3] ? "ok" : "WRONG");
  cv::ocl::finish();
}
