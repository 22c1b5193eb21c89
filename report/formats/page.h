// The text of report/formats/page.html, in which @DATA@ stands for the data.
#pragma once

namespace gpusan {

extern const char kPage[];

}  // namespace gpusan
