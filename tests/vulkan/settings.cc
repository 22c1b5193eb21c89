// Makes an instance with settings for layers, given as arguments "name=value" ("name:bool=1",
// "name:int=4096" for other types than text), then one finding and one leak.
#include <string>

#include "common/vulkan.h"

// VK_EXT_layer_settings as its registration has it; older headers lack it.
struct Setting {
  const char* layer;
  const char* name;
  int32_t type;
  uint32_t count;
  const void* values;
};
struct SettingsInfo {
  VkStructureType type;
  const void* next;
  uint32_t count;
  const Setting* settings;
};

int main(int count, char** arguments) {
  constexpr int kMost = 16;
  std::string names[kMost], texts[kMost];
  const char* pointers[kMost];
  VkBool32 bools[kMost];
  int64_t numbers[kMost];
  Setting settings[kMost];
  uint32_t given = 0;
  for (int i = 1; i < count && given < kMost; ++i, ++given) {
    const std::string argument = arguments[i];
    const size_t sign = argument.find('=');
    names[given] = argument.substr(0, sign);
    texts[given] = argument.substr(sign + 1);
    pointers[given] = texts[given].c_str();
    settings[given] = {"VK_LAYER_GPUSAN_shadow", nullptr, 7, 1, &pointers[given]};
    if (const size_t colon = names[given].find(':'); colon != std::string::npos) {
      const bool is_bool = names[given].substr(colon) == ":bool";
      names[given].resize(colon);
      bools[given] = numbers[given] = atoi(pointers[given]);
      settings[given].type = is_bool ? 0 : 2;
      settings[given].values = is_bool ? static_cast<void*>(&bools[given]) : &numbers[given];
    }
    settings[given].name = names[given].c_str();
  }
  const SettingsInfo info = {static_cast<VkStructureType>(1000496000), nullptr, given, settings};
  Wanted wanted;
  if (given != 0) wanted.instance_chain = &info;
  Open(wanted);
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  vkUnmapMemory(device, buffer.memory);
  vkDestroyBuffer(device, buffer.handle, nullptr);
  // The memory is left to the device.
  Close();
}
