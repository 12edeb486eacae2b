// What stands behind a Kernel: its definition, where its binaries come from, its specialisations.
#pragma once

#include <memory>
#include <string>

#include "device/device.h"
#include "kernel/specialization_table.h"
#include "program/definition.h"

namespace sprue {

class KernelState {
 public:
  KernelState(KernelDefinition definition, std::string origin,
              Optimization optimization = Optimization::standard)
      : definition_(std::move(definition)),
        origin_(std::move(origin)),
        optimization_(optimization) {}
  virtual ~KernelState() = default;

  const KernelDefinition& definition() const { return definition_; }
  const std::string& origin() const { return origin_; }        // "metal_kernel", for errors
  Optimization optimization() const { return optimization_; }  // of its binaries
  SpecializationTable& table() { return table_; }

  // Text, binary and loaded code for one specialisation: the slow path, no table involved.
  virtual Result<std::shared_ptr<const ReadySpecialization>> make(
      const Specialization& specialization, Device& device, CompilePolicy policy) = 0;
  // The generated text alone, for the check of SPRUE_VERIFY_KEYS. Empty if there is none to compare.
  virtual Result<std::string> regenerate(const Specialization& specialization) = 0;

 private:
  const KernelDefinition definition_;
  const std::string origin_;
  const Optimization optimization_;
  SpecializationTable table_;
};

// A Kernel whose specialisations are compiled when they are first needed. Equal definitions of one
// optimisation share one state, process-wide: ten thousand factories of one text have one table and one
// compile.
Result<Kernel> intern_kernel(const KernelOptions& options, std::string_view origin,
                             Dialect dialect = Dialect::metal);

}  // namespace sprue
