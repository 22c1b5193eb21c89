// Check image-region-out-of-bounds: a transfer region exceeds the extent of an image.
#include "tracker/rules/events/copy_limit.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ImageRegionOutOfBounds {
  static void OnCopyLimit(const CopyLimit& limit, Call& call) {
    if (limit.fault != CopyLimit::Fault::kAspect) return;
    call.MayCrash();
    call.Add(RuleId::kImageRegionOutOfBounds)
        .What(absl::StrCat("a region of ", call.info().name, " names ", limit.aspect, " of ",
                           ObjectText(*limit.resource, call.words()), ", whose format lacks it"))
        .Why(absl::StrCat("a copy must name only aspects that the format of the image has (Vulkan "
                          "1.3 §20.3, ",
                          limit.vuid, ")"))
        .Fix("name the aspect of the format that is copied")
        .WithCreation(*limit.resource)
        .Fact("aspect", std::string(limit.aspect))
        .Fact("vuid", std::string(limit.vuid));
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind == TransferKind::kUnmap) return;  // an unmap has no region
    const size_t before = call.finding_count();
    if (transfer.reads_source() && transfer.source.is_image()) Check(transfer.source, call);
    if (transfer.has_destination() && transfer.destination.is_image())
      Check(transfer.destination, call);
    // Drivers execute fills and copies of images, and transfers of arrays, on threads of their own,
    // some without a check.
    if (call.finding_count() != before &&
        (IsArray(transfer.source) || IsArray(transfer.destination) ||
         (!transfer.destination.is_host() &&
          (transfer.kind == TransferKind::kFill || !transfer.source.is_host()))))
      call.MayCrash();
  }

 private:
  static bool IsArray(const Side& side) { return side.is_image() && side.resource->image->array; }

  static void Check(const Side& side, Call& call) {
    const Resource& resource = *side.resource;
    const ImageInfo& image = side.level != nullptr ? *side.level : *resource.image;
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t origin = side.box.origin[axis];
      const uint64_t extent = side.box.extent[axis];
      const uint64_t limit = axis < image.dimensions ? image.extent[axis] : 1;
      if (extent <= limit && origin <= limit - extent) [[likely]]
        continue;
      const Vocabulary& words = call.words();
      const bool layer = image.array && axis == image.dimensions - 1;
      const char* name = layer ? "layer" : axis == 0 ? "x" : axis == 1 ? "y" : "z";
      const std::string sum = absl::StrCat("origin ", origin, " + region ", extent, " = ",
                                           SaturatingAdd(origin, extent));
      call.Add(RuleId::kImageRegionOutOfBounds)
          .What(absl::StrCat("the region exceeds ", ObjectText(resource, words), " in ",
                             layer ? "its layers" : name, ": ", sum, ", but the ",
                             words.KindNameOf(resource), " has ", limit))
          .Why(axis >= image.dimensions
                   ? "origin + region must not exceed the image in any dimension; dimensions that "
                     "the image does not have require origin 0 and region 1"
                   : "origin + region must not exceed the image in any dimension",
               Clause::kImageRegion)
          .Fix(origin < limit ? absl::StrCat("transfer at most ", limit - origin,
                                             layer ? " layers" : " texels in ", layer ? "" : name,
                                             ", or create a larger ", words.KindNameOf(resource))
                              : absl::StrCat("begin below ", limit, " in ", name,
                                             ", or create a larger ", words.KindNameOf(resource)))
          .WithCreation(resource)
          .Fact("axis", std::string(name))
          .Fact("origin", origin)
          .Fact("region", extent)
          .Fact("extent", limit);
    }
  }
};

}  // namespace
}  // namespace gpusan::rules
