// Fuzz target: everything that users and environments write as options. The first byte chooses the
// reader.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/command/report_files.h"
#include "report/findings/stable_fingerprint.h"
#include "report/options/config.h"
#include "report/options/duration.h"
#include "report/options/flags.h"
#include "report/options/layer_settings.h"
#include "report/options/options.h"
#include "report/record/record_name.h"
#include "report/text/redaction.h"

using namespace gpusan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0: {
      Options options;
      std::vector<std::string> given;
      ParseOptions(text, "GPUSAN_OPTIONS", &options, OptionScope::kProcess, &given);
      break;
    }
    case 1: {
      Configuration first, second;
      ParseConfig(text, "file", "run", &first);
      // What is printed is an options file with the same values.
      const std::string printed = ConfigurationText(first, "run");
      const bool whole = text.find('\r') == std::string::npos;
      if (!ParseConfig(printed, "file", "run", &second).empty() && whole &&
          printed.find("= \"") == std::string::npos)
        __builtin_trap();
      break;
    }
    case 2: {
      Configuration configuration;
      ParseSettingsFile(text, "file", &configuration);
      break;
    }
    case 3: {
      Configuration configuration;
      const std::string variable = "VK_GPUSAN_" + text;
      const char* const variables[] = {variable.c_str(), nullptr};
      ParseSettingsVariables(variables, &configuration);
      break;
    }
    case 4: {
      std::string complaint;
      ExpandRecordName(text, RecordNameParts{}, &complaint);
      HasNumber(text);
      break;
    }
    case 5: {
      FindingKey key;
      if (ParseKey(text, &key) && KeyText(key) != text) __builtin_trap();
      std::vector<ReportFile> files;
      ParseReportFiles(text, &files);
      WithoutCloneSuffix(text);
      break;
    }
    default:
      Redacted({"program", text, "--token=x", "-p", "y"}, text);
      break;
  }
  return 0;
}
