// A render pass whose subpasses draw, load, clear and read each other's attachments, twice in one
// command buffer: within a subpass draws need nothing between them, between subpasses and between the
// passes the dependencies order.
#include "common/vulkan_deferred.h"

int main() {
  Open();
  VkSubpassDependency dependencies[3] = {};
  // What the pass before read, drew and stored, in front of the first and of the second subpass.
  for (uint32_t i = 0; i < 2; ++i) {
    dependencies[i].srcSubpass = VK_SUBPASS_EXTERNAL;
    dependencies[i].dstSubpass = i;
    dependencies[i].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                   VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    dependencies[i].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    dependencies[i].dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    dependencies[i].dstAccessMask =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  }
  dependencies[2].srcSubpass = 0;
  dependencies[2].dstSubpass = 1;
  dependencies[2].srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependencies[2].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependencies[2].dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependencies[2].dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  const Deferred deferred = MakeDeferred(VK_ATTACHMENT_LOAD_OP_LOAD, 3, dependencies);
  VkClearAttachment part = {};
  part.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkClearRect rect = {{{4, 4}, {8, 8}}, 0, 1};
  const VkRenderPassBeginInfo begin = DeferredBegin(deferred);
  Begin();
  for (int i = 0; i < 2; ++i) {
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    BindFirst(deferred);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdClearAttachments(commands, 1, &part, 1, &rect);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    BindSecond(deferred);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(commands);
  }
  Run();
  Close(deferred);
}
