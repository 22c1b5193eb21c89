// Defect: A pipeline that was created without VK_PIPELINE_CREATE_DISPATCH_BASE_BIT is dispatched
// with a base.
// Fix: It is created with the flag.
// EXPECT error usage-missing vkCmdDispatchBase at BASE
// EXPECT-FACT vuid=VUID-vkCmdDispatchBase-baseGroupX-00427
#include "common/vulkan_tiles.h"

int main() {
  Open();
#ifdef DEFECT
  const Tiles tiles = MakeTiles(8, 8, 0);
#else
  const Tiles tiles = MakeTiles(8, 8);
#endif
  Begin();
  Bind(tiles.compute);
  // The flag is not needed for this one.
  vkCmdDispatchBase(commands, 0, 0, 0, 4, 1, 1);
  // @BASE
  vkCmdDispatchBase(commands, 4, 0, 0, 4, 1, 1);
  Run();
  Close(tiles);
}
