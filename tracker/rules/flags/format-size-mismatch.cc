// Check format-size-mismatch: the host block has the size for another element type than that of the
// image's format.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/host_block_text.h"

namespace gpusan::rules {
namespace {

// Reports host blocks that are too small for region x texel size and have exactly the size for
// smaller texels. The typical case is unsigned-char data for a float image. If no smaller texel
// size fits the block, host-buffer-overrun reports it.
struct FormatSizeMismatch {
  // Returns the texel size that fits the host block exactly, or 0 if the block is large enough or
  // no texel size fits.
  static uint64_t FittingTexel(const Side& device, const Side& host) {
    if (!device.is_image() || !host.is_host() || !host.block_known) return 0;
    const ImageInfo& image = *device.resource->image;
    const uint64_t texels = device.box.extent[0] * device.box.extent[1] * device.box.extent[2];
    if (image.texel_bytes == 0 || texels < 2 || host.region.empty()) return 0;
    const uint64_t available = host.block.end() - reinterpret_cast<uintptr_t>(host.pointer);
    if (host.region.end() <= available) return 0;
    const uint64_t texel = available / texels;
    if (texel == 0 || texel >= image.texel_bytes || available != texel * texels) return 0;
    return texel;
  }

  // Returns the fix for a host block with `texel` bytes a texel of the image. `fits`: the channel
  // types of this size; may be empty. `object`: the image, in words.
  static std::string FixOf(const ImageInfo& image, uint64_t texel, const std::string& fits,
                           const std::string& object) {
    const uint64_t channel = image.channels != 0 ? image.texel_bytes / image.channels : 0;
    const uint64_t channels = channel != 0 && texel % channel == 0 ? texel / channel : 0;
    const std::string fewer =
        channels == 0 ? ""
                      : absl::StrCat("give the host data ", image.channels,
                                     " channels a texel (it ", "has ", channels, " of this type)");
    if (fits.empty()) {
      return !fewer.empty() ? fewer
                            : absl::StrCat("make the host elements match the format, ",
                                           image.texel_bytes, " B a texel");
    }
    return absl::StrCat("create the ", object, " with channel type ", fits,
                        ", or convert the host data to its format first",
                        fewer.empty() ? "" : ", or ", fewer);
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    const Side& source = transfer.source;
    const Side& destination = transfer.destination;
    const bool upload = source.is_host();
    const Side& device = upload ? destination : source;
    const Side& host = upload ? source : destination;
    if (device.is_host()) return;
    if (!source.is_host() && !destination.is_host()) return CheckStaging(transfer, call);
    const uint64_t texel = FittingTexel(device, host);
    if (texel == 0) [[likely]]
      return;
    const Vocabulary& words = call.words();
    const ImageInfo& image = *device.resource->image;
    const uint64_t available = host.block.end() - reinterpret_cast<uintptr_t>(host.pointer);
    const std::string fits = words.FittingType(image, texel);
    call.MayCrash();
    call.Add(RuleId::kFormatSizeMismatch)
        .What(absl::StrCat(upload ? "the upload reads " : "the download writes ",
                           BytesText(host.region.end()), ", but the host block has ",
                           BytesText(available), ": ", texel, " B a texel, and the ",
                           words.KindNameOf(*device.resource), " is ", words.Format(image)))
        .Why(absl::StrCat("the size of the host memory follows from the format of the ",
                          words.KindNameOf(*device.resource), ": ", device.box.extent[0], " x ",
                          device.box.extent[1], " x ", device.box.extent[2], " texels x ",
                          image.texel_bytes, " B = ",
                          device.box.extent[0] * device.box.extent[1] * device.box.extent[2] *
                              image.texel_bytes,
                          " B"),
             Clause::kHostBlock)
        .Fix(FixOf(image, texel, fits, std::string(words.KindNameOf(*device.resource))))
        .CreatedBy(*device.resource)
        .Party("host-block", HostBlockText(host.block, call), host.block.site)
        .About(*device.resource)
        .Fact("texel_bytes", image.texel_bytes)
        .Fact("block_texel_bytes", texel)
        .Fact("needed_bytes", host.region.end())
        .Fact("block_bytes", available)
        .Fact("fits", fits);
  }

  static void OnBinding(const Binding& binding, Call& call) {
    if (binding.needed_format == nullptr) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *binding.resource;
    call.Add(RuleId::kFormatSizeMismatch)
        .What(absl::StrCat("the ", ObjectKindName(binding.kind), " reads ",
                           ObjectText(resource, words), " in a format that needs ",
                           binding.needed_format))
        .Why("a view may reinterpret the bytes of an element, but must keep the element size",
             Clause::kUsage)
        .Fix(
            "create the memory in the format that the view needs, or choose a view that fits the "
            "memory")
        .WithCreation(resource)
        .Fact("needed_format", std::string(binding.needed_format));
  }

  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.image == nullptr || creation.host_pointer == nullptr ||
        creation.image->texel_bytes == 0)
      return;
    HostBlock block;
    if (!FindBlock(creation.host_pointer, creation.host_bytes, call, &block)) return;
    const ImageInfo& image = *creation.image;
    const uint64_t texels = image.extent[0] * image.extent[1] * image.extent[2];
    const uint64_t available = block.end() - reinterpret_cast<uintptr_t>(creation.host_pointer);
    if (creation.host_bytes <= available || texels < 2) return;
    const uint64_t texel = available / texels;
    if (texel == 0 || texel >= image.texel_bytes || available != texel * texels) return;
    const Vocabulary& words = call.words();
    const std::string fits = words.FittingType(image, texel);
    call.MayCrash();
    call.Add(RuleId::kFormatSizeMismatch)
        .What(absl::StrCat("the creation reads ", BytesText(creation.host_bytes),
                           ", but the host block has ", BytesText(available), ": ", texel,
                           " B a texel, and the image is ", words.Format(image)))
        .Why("the host memory given at creation must hold the whole image", Clause::kHostBlock)
        .Fix(FixOf(image, texel, fits, "image"))
        .Party("host-block", HostBlockText(block, call), block.site)
        .Fact("texel_bytes", image.texel_bytes)
        .Fact("block_texel_bytes", texel)
        .Fact("needed_bytes", creation.host_bytes)
        .Fact("block_bytes", available)
        .Fact("fits", fits);
  }

  // Returns the texel size that fits exactly the source buffer of a copy to an image, or 0 if the
  // buffer is large enough or no texel size fits. A destination buffer that is too small is always
  // reported by copy-out-of-bounds.
  static uint64_t StagedTexel(const Side& image, const Side& buffer) {
    if (!image.is_image() || buffer.is_host() || buffer.is_image()) return 0;
    const uint32_t texel_bytes = image.resource->image->texel_bytes;
    const uint64_t texels = image.box.extent[0] * image.box.extent[1] * image.box.extent[2];
    const uint64_t bytes = buffer.resource->bytes;
    if (texel_bytes == 0 || texels < 2 || buffer.region.end() <= bytes ||
        buffer.region.offset >= bytes)
      return 0;
    const uint64_t available = bytes - buffer.region.offset;
    const uint64_t texel = available / texels;
    return texel != 0 && texel < texel_bytes && available == texel * texels ? texel : 0;
  }

  static void CheckStaging(const Transfer& transfer, Call& call) {
    if (!transfer.reads_source()) return;
    const Side& device = transfer.destination;
    const Side& buffer = transfer.source;
    const uint64_t texel = StagedTexel(device, buffer);
    if (texel == 0) [[likely]]
      return;
    const Vocabulary& words = call.words();
    const ImageInfo& image = *device.resource->image;
    const uint64_t texels = device.box.extent[0] * device.box.extent[1] * device.box.extent[2];
    const std::string fits = words.FittingType(image, texel);
    call.MayCrash();
    call.Add(RuleId::kFormatSizeMismatch)
        .What(absl::StrCat(ObjectText(*buffer.resource, words), " holds ", texel,
                           " B a texel, the image is ", words.Format(image), ": the copy reads ",
                           BytesText(texels * image.texel_bytes)))
        .Why(absl::StrCat(
                 "the bytes of the copy follow from the image's format: ", device.box.extent[0],
                 " x ", device.box.extent[1], " x ", device.box.extent[2], " texels x ",
                 image.texel_bytes, " B = ", texels * image.texel_bytes, " B"),
             Clause::kBufferBounds)
        .Fix(fits.empty() ? absl::StrCat("make the elements of the buffer match the format, ",
                                         image.texel_bytes, " B a texel")
                          : absl::StrCat("create the image as ", fits,
                                         ", or convert the data to the image's format first"))
        .CreatedBy(*device.resource)
        .CreatedBy(*buffer.resource)
        .About(*device.resource)
        .About(*buffer.resource)
        .Fact("texel_bytes", image.texel_bytes)
        .Fact("buffer_texel_bytes", texel)
        .Fact("fits", fits);
  }

  static bool FindBlock(const void* pointer, uint64_t bytes, Call& call, HostBlock* block) {
    return call.shadow().host_memory().FindSpan(reinterpret_cast<uintptr_t>(pointer), bytes, block);
  }
};

}  // namespace
}  // namespace gpusan::rules
