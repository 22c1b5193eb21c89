// A window on a virtual screen of its own, and a swapchain for it: needs Xvfb, and a driver that
// presents by XCB.
#pragma once

#define VK_USE_PLATFORM_XCB_KHR
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb.h>

#include <string>

#include "common/vulkan.h"

struct Window {
  pid_t server;
  xcb_connection_t* connection;
  VkSurfaceKHR surface;
  VkSwapchainKHR swapchain;
  VkFormat format;
  std::vector<VkImage> images;
  VkSemaphore acquired, drawn;
};

// Ends with this process, whatever comes.
[[maybe_unused]] static pid_t StartServer() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const std::string number = std::to_string(ends[1]);
  const pid_t server = fork();
  CHECK(server >= 0);
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; ++i) dup2(null, i);
    close(ends[0]);
    execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "64x64x24", "-noreset",
           "-nolisten", "tcp", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string display = ":";
  for (char c; read(ends[0], &c, 1) == 1 && c != '\n';) display += c;
  close(ends[0]);
  NEEDS(display.size() > 1);
  setenv("DISPLAY", display.c_str(), 1);
  return server;
}

// Two servers that start at once may take the same display, and then one of them gets no client.
[[maybe_unused]] static xcb_connection_t* ConnectToServer(pid_t* server) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    *server = StartServer();
    xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
    if (xcb_connection_has_error(connection) == 0) return connection;
    xcb_disconnect(connection);
    kill(*server, SIGTERM);
    waitpid(*server, nullptr, 0);
  }
  NEEDS(!"a display");
  return nullptr;
}

constexpr uint32_t kWindowSize = 32;

// Another window on the same screen, with a swapchain of its own. The device is open.
[[maybe_unused]] static Window AddWindow(pid_t server, xcb_connection_t* connection) {
  Window window;
  window.server = server;
  window.connection = connection;
  const xcb_screen_t* screen = xcb_setup_roots_iterator(xcb_get_setup(window.connection)).data;
  VkXcbSurfaceCreateInfoKHR surface = {VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR};
  surface.connection = window.connection;
  surface.window = xcb_generate_id(window.connection);
  xcb_create_window(window.connection, XCB_COPY_FROM_PARENT, surface.window, screen->root, 0, 0,
                    kWindowSize, kWindowSize, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                    0, nullptr);
  xcb_map_window(window.connection, surface.window);
  xcb_flush(window.connection);
  OK(vkCreateXcbSurfaceKHR(instance, &surface, nullptr, &window.surface));
  VkBool32 presents = VK_FALSE;
  OK(vkGetPhysicalDeviceSurfaceSupportKHR(physical, family, window.surface, &presents));
  NEEDS(presents);
  uint32_t count = 1;
  VkSurfaceFormatKHR format;
  vkGetPhysicalDeviceSurfaceFormatsKHR(physical, window.surface, &count, &format);
  NEEDS(count == 1);
  VkSurfaceCapabilitiesKHR able;
  OK(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, window.surface, &able));
  constexpr VkImageUsageFlags kUsage =
      VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  NEEDS((able.supportedUsageFlags & kUsage) == kUsage);
  VkSwapchainCreateInfoKHR info = {VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = window.surface;
  info.minImageCount = able.minImageCount + 1;
  info.imageFormat = window.format = format.format;
  info.imageColorSpace = format.colorSpace;
  info.imageExtent = {kWindowSize, kWindowSize};
  info.imageArrayLayers = 1;
  info.imageUsage = kUsage;
  info.preTransform = able.currentTransform;
  info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_TRUE;
  OK(vkCreateSwapchainKHR(device, &info, nullptr, &window.swapchain));
  OK(vkGetSwapchainImagesKHR(device, window.swapchain, &count, nullptr));
  window.images.resize(count);
  OK(vkGetSwapchainImagesKHR(device, window.swapchain, &count, window.images.data()));
  const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &window.acquired));
  OK(vkCreateSemaphore(device, &semaphore, nullptr, &window.drawn));
  return window;
}

// `lost_by`: as of Wanted.
[[maybe_unused]] static Window OpenWindow(bool test_device = false, const char* lost_by = nullptr) {
  pid_t server;
  xcb_connection_t* connection = ConnectToServer(&server);
  Open({.extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME},
        .test_device = test_device,
        .lost_by = lost_by,
        .instance_extensions = {VK_KHR_SURFACE_EXTENSION_NAME, VK_KHR_XCB_SURFACE_EXTENSION_NAME}});
  return AddWindow(server, connection);
}

// The index of the image that may be used behind window.acquired.
[[maybe_unused]] static uint32_t Acquire(const Window& window) {
  uint32_t index;
  OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, window.acquired, VK_NULL_HANDLE,
                           &index));
  return index;
}

// Of an image whose content is not needed, behind the wait for window.acquired.
[[maybe_unused]] static void CmdMakeWritable(VkImage image) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                   VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 0, nullptr, 1, &barrier);
}
[[maybe_unused]] static void CmdMakePresentable(VkImage image) {
  const VkImageMemoryBarrier barrier =
      ImageBarrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                   VK_ACCESS_TRANSFER_WRITE_BIT, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
}

// A frame that clears the image.
[[maybe_unused]] static void CmdClear(VkImage image) {
  CmdMakeWritable(image);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &kWhole);
  CmdMakePresentable(image);
}

// Submits the command buffer, behind window.acquired and in front of window.drawn.
[[maybe_unused]] static void SubmitFrame(
    const Window& window, VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT) {
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo info = SubmitInfo();
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &window.acquired;
  info.pWaitDstStageMask = &stage;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &window.drawn;
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

[[maybe_unused]] static VkPresentInfoKHR PresentInfo(const Window& window, const uint32_t* index) {
  VkPresentInfoKHR info = {VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &window.drawn;
  info.swapchainCount = 1;
  info.pSwapchains = &window.swapchain;
  info.pImageIndices = index;
  return info;
}

// One that was added.
[[maybe_unused]] static void RemoveWindow(const Window& window) {
  vkDeviceWaitIdle(device);  // it may be lost
  vkDestroySemaphore(device, window.acquired, nullptr);
  vkDestroySemaphore(device, window.drawn, nullptr);
  vkDestroySwapchainKHR(device, window.swapchain, nullptr);
  vkDestroySurfaceKHR(instance, window.surface, nullptr);
}

[[maybe_unused]] static void CloseWindow(const Window& window) {
  RemoveWindow(window);
  Close();
  xcb_disconnect(window.connection);
  kill(window.server, SIGTERM);
  waitpid(window.server, nullptr, 0);
}
