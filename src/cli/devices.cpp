// sprue devices: what this machine can run kernels on.
#include "cli/command.h"
#include "device/device.h"

namespace sprue::cli {

namespace {

Result<int> list_devices(bool json) {
  Device& cpu = cpu_device();
  std::vector<std::string> targets;
  for (const char* name : {"cpu:x86-64-v3", "cpu:x86-64-v4"}) {
    SPRUE_ASSIGN(const Target target, Target::from_name(name));
    if (cpu.accepts(target)) targets.push_back(name);
  }
  if (json) {
    print_json(
        {{"devices",
          {{{"name", "cpu"}, {"description", cpu.description()}, {"casting_targets", targets}}}}});
    return kSuccess;
  }
  fmt::print("cpu    {}; runs castings for {}\n", cpu.description(), fmt::join(targets, ", "));
  return kSuccess;
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("devices", "list the devices of this machine");
  static bool json = false;
  add_output_options(*command, json);
  command->callback([&action] {
    error_style().json = json;
    action = [] { return list_devices(json); };
  });
}

}  // namespace sprue::cli
