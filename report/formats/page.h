// The text of report/formats/page.html; @DATA@ marks the position of the data.
#pragma once

namespace gpusan {

extern const char kPage[];

}  // namespace gpusan
