// Check pitch-invalid: a pitch is smaller than its row or slice, or breaks its alignment rule.
#include <algorithm>
#include <utility>

#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct PitchInvalid {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.source.pitches_given) Check(transfer.source, transfer, call);
    if (transfer.destination.pitches_given) Check(transfer.destination, transfer, call);
    if (transfer.one_layout && transfer.source.resource == transfer.destination.resource &&
        transfer.source.resource != nullptr && !call.Has(RuleId::kPitchInvalid)) {
      CheckLayouts(transfer, call);
    }
  }

  static void OnBinding(const Binding& binding, Call& call) {
    if (!binding.pitches_given) return;
    if (binding.row_pitch < binding.row_bytes) {
      Report(absl::StrCat("a row has ", binding.row_bytes, " B, more than the row pitch"),
             binding.row_pitch, 0, binding.row_bytes, call, binding.resource);
    } else if (binding.pitch_alignment != 0 && binding.row_pitch % binding.pitch_alignment != 0) {
      ReportMultiple("the device requires a row pitch that is a multiple of ",
                     binding.pitch_alignment, binding.row_pitch, 0, binding.row_bytes, call,
                     binding.resource);
    }
  }

  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.image == nullptr) return;
    const ImageInfo& image = *creation.image;
    const uint64_t row = image.extent[0] * image.texel_bytes;
    if (creation.host_pointer == nullptr && creation.parent == nullptr &&
        (creation.row_pitch != 0 || creation.slice_pitch != 0)) {
      Report("without a host pointer or a parent buffer both pitches must be 0", creation.row_pitch,
             creation.slice_pitch, row, call, nullptr, " are given without host memory");
    } else if (image.texel_bytes == 0) {
      return;
    } else if (creation.row_pitch != 0 && creation.row_pitch < row) {
      Report(absl::StrCat("the row pitch must be at least width x texel size = ", row, " B"),
             creation.row_pitch, creation.slice_pitch, row, call);
    } else if (creation.row_pitch % image.texel_bytes != 0) {
      ReportMultiple("the row pitch must be a multiple of the texel size, ", image.texel_bytes,
                     creation.row_pitch, creation.slice_pitch, row, call);
    } else if (creation.slice_pitch != 0 && image.dimensions > 1) {
      const uint64_t pitch = creation.row_pitch != 0 ? creation.row_pitch : row;
      const bool one_dimensional_array = image.array && image.dimensions == 2;
      const uint64_t slice = one_dimensional_array ? pitch : pitch * image.extent[1];
      if (image.dimensions == 3 || one_dimensional_array) {
        if (creation.slice_pitch < slice || creation.slice_pitch % pitch != 0) {
          ReportSlice(absl::StrCat("the slice pitch must be at least ", slice,
                                   " B and a multiple of the row pitch ", pitch, " B"),
                      {creation.row_pitch, creation.slice_pitch, row, pitch, slice}, call);
        }
      }
    }
  }

 private:
  // Only pitches that are used: those of several rows, and of several slices.
  static void CheckLayouts(const Transfer& transfer, Call& call) {
    const Side& from = transfer.source;
    const Side& to = transfer.destination;
    const uint64_t from_row = from.row_pitch != 0 ? from.row_pitch : from.row_bytes;
    const uint64_t to_row = to.row_pitch != 0 ? to.row_pitch : to.row_bytes;
    const uint64_t from_slice =
        from.slice_pitch != 0 ? from.slice_pitch : SaturatingMultiply(from.rows, from_row);
    const uint64_t to_slice =
        to.slice_pitch != 0 ? to.slice_pitch : SaturatingMultiply(to.rows, to_row);
    const bool rows = from.rows > 1 && from_row != to_row;
    const bool slices = (from.region.slices > 1 || to.region.slices > 1) && from_slice != to_slice;
    if (!rows && !slices) return;
    call.MayCrash();
    call.Add(RuleId::kPitchInvalid)
        .What(absl::StrCat("a rectangle is copied within ",
                           ObjectText(*from.resource, call.words()), ": the source has row pitch ",
                           from_row, " B and slice pitch ", from_slice, " B, the target ", to_row,
                           " B and ", to_slice, " B"))
        .Why("source and target of a copy within one buffer must have the same pitches",
             Clause::kPitch)
        .Fix("pass the pitches of the buffer for both, or copy through another buffer")
        .WithCreation(*from.resource)
        .Fact("row_pitch", from_row)
        .Fact("slice_pitch", from_slice)
        .Fact("target_row_pitch", to_row)
        .Fact("target_slice_pitch", to_slice);
  }

  static void Check(const Side& side, const Transfer& transfer, Call& call) {
    const Side& other = &side == &transfer.source ? transfer.destination : transfer.source;
    const Resource* resource = side.is_host() ? other.resource : side.resource;
    const uint64_t row = side.row_bytes;
    if (side.flat && side.slice_pitch != 0) {
      Add(absl::StrCat("slice pitch ", side.slice_pitch, " B is given for an image without slices"),
          "the image has no slices, so the slice pitch must be 0", "pass 0 as the slice pitch",
          side.row_pitch, side.slice_pitch, row, call, resource);
      return;
    }
    if (side.row_pitch != 0 && side.row_pitch < row) {
      Report(absl::StrCat("a row of the region has ", row, " B, more than the row pitch"),
             side.row_pitch, side.slice_pitch, row, call, resource);
      return;
    }
    const uint64_t pitch = side.row_pitch != 0 ? side.row_pitch : row;
    if (side.slice_pitch == 0 || pitch == 0) return;
    const uint64_t slice = SaturatingMultiply(side.rows, pitch);
    if (side.slice_pitch < slice) {
      ReportSlice(absl::StrCat("a slice of the region has ", side.rows, " rows x ", pitch,
                               " B = ", slice, " B, more than the slice pitch"),
                  {side.row_pitch, side.slice_pitch, row, pitch, slice}, call, resource);
    } else if (side.slice_pitch % pitch != 0) {
      ReportSlice(absl::StrCat("the slice pitch must be a multiple of the row pitch ", pitch, " B"),
                  {side.row_pitch, side.slice_pitch, row, pitch, slice}, call, resource);
    }
  }

  // The pitches as the call gives them, and what they must be [bytes].
  struct Pitches {
    uint64_t row_pitch, slice_pitch;
    uint64_t row;         // of a row without padding
    uint64_t used_pitch;  // of a row: `row_pitch`, or `row` if that is 0
    uint64_t slice;       // the smallest slice pitch
  };

  // The row pitch is right, but not the slice pitch.
  static void ReportSlice(std::string rule, const Pitches& pitches, Call& call,
                          const Resource* resource = nullptr) {
    const uint64_t pitch = pitches.used_pitch;
    const uint64_t least =
        std::max(pitches.slice, (pitches.slice_pitch + pitch - 1) / pitch * pitch);
    Add(absl::StrCat("slice pitch ", pitches.slice_pitch, " B does not fit ", pitches.slice / pitch,
                     " rows of pitch ", pitch, " B"),
        std::move(rule),
        absl::StrCat("pass a slice pitch that is a multiple of the row pitch, ", pitch,
                     " B, and at least ", pitches.slice, " B, such as ", least, " B"),
        pitches.row_pitch, pitches.slice_pitch, pitches.row, call, resource);
  }

  // The row pitch is large enough, but is no multiple of `bytes`.
  static void ReportMultiple(const char* rule, uint64_t bytes, uint64_t row_pitch,
                             uint64_t slice_pitch, uint64_t row, Call& call,
                             const Resource* resource = nullptr) {
    const uint64_t next = (row_pitch / bytes + 1) * bytes;
    Add(absl::StrCat("row pitch ", row_pitch, " B is not a multiple of ", bytes, " B"),
        absl::StrCat(rule, bytes, " B"),
        absl::StrCat("pass a row pitch that is a multiple of ", bytes, " B, such as ", next,
                     " B, and place the rows accordingly"),
        row_pitch, slice_pitch, row, call, resource);
  }

  static void Report(std::string rule, uint64_t row_pitch, uint64_t slice_pitch, uint64_t row,
                     Call& call, const Resource* resource = nullptr, const char* fault = nullptr) {
    Add(absl::StrCat("row pitch ", row_pitch, " B",
                     slice_pitch != 0 ? absl::StrCat(" and slice pitch ", slice_pitch, " B") : "",
                     fault != nullptr ? std::string(fault)
                                      : absl::StrCat(slice_pitch != 0 ? " do" : " does",
                                                     " not describe rows of ", row, " B")),
        std::move(rule),
        fault != nullptr
            ? "pass 0 for both pitches, or the host memory that they describe"
            : absl::StrCat("pass a row pitch of at least ", row, " B",
                           slice_pitch != 0 ? ", and a slice pitch that holds all rows of a slice "
                                              "and is a multiple of the row pitch"
                                            : ""),
        row_pitch, slice_pitch, row, call, resource);
  }

  static void Add(std::string what, std::string rule, std::string fix, uint64_t row_pitch,
                  uint64_t slice_pitch, uint64_t row, Call& call, const Resource* resource) {
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kPitchInvalid);
    finding.What(std::move(what))
        .Why(rule, Clause::kPitch)
        .Fix(std::move(fix))
        .Fact("row_pitch", row_pitch)
        .Fact("slice_pitch", slice_pitch)
        .Fact("row_bytes", row);
    if (resource != nullptr) finding.WithCreation(*resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
