// Whole kernels in the style of those that people run: forces between particles in a periodic box.
// A simdgroup packs an atom's neighbours by running sums, walks them, and adds to both partners.
#include <cmath>
#include <memory>

#include "language/matrix.h"

namespace sprue::language {
namespace {

Real at(const Array& array, int64_t i) { return value_at(array, i); }

constexpr char kPotential[] = R"(
    // The shortest of a separation's images.
    float3 nearest_image(float3 separation, float3 box) {
      return separation - box * metal::rint(separation / box);
    }
    // Lennard-Jones, brought to zero at the cutoff together with its slope. False beyond that.
    bool pair_force(float3 separation, float cutoff_squared, float3 charges,
                    thread float3& force, thread float& energy) {
      float squared = metal::dot(separation, separation);
      if (squared >= cutoff_squared) return false;
      float inverse = 1 / squared;
      float cubed = inverse * inverse * inverse;
      float plain = 4 * (cubed * cubed - cubed);
      float slope = 4 * (-6 * cubed * cubed + 3 * cubed) * inverse;
      float rest = 1 - squared / cutoff_squared;
      energy += charges.x * plain * rest * rest;
      force = -2 * charges.x * separation *
              (slope * rest * rest - 2 * plain * rest / cutoff_squared);
      return true;
    }
)";

constexpr char kForces[] = R"(
    constexpr uint kCapacity = 128;  // neighbours of an atom
    threadgroup uint lists[SIMDGROUPS * kCapacity];
    const uint atoms = positions_shape[0];
    const uint lane = thread_index_in_simdgroup;
    const uint own = thread_position_in_grid.x / 32;
    threadgroup uint* list = lists + simdgroup_index_in_threadgroup * kCapacity;
    const device packed_float3* places = (const device packed_float3*)positions;
    const float3 place = float3(places[own]);
    const float3 box = float3(box_x, box_yz[0], box_yz[1]);
    const float reach = cutoff * cutoff;

    // Those that come later in the order, packed; each pair is seen once.
    uint count = 0;
    for (uint first = own + 1; first < atoms; first += 32) {
      const uint other = first + lane;
      bool near = other < atoms;
      if (near) {
        float3 separation = nearest_image(place - float3(places[other]), box);
        near = metal::length_squared(separation) < reach;
      }
      const uint before = simd_prefix_exclusive_sum(near ? 1u : 0u);
      if (near && count + before < kCapacity) list[count + before] = other;
      count += simd_sum(uint(near));
    }
    simdgroup_barrier(mem_flags::mem_threadgroup);

    float3 total = float3(0);
    float own_energy = 0;
    uint k = lane;
    while (k < count) {
      const uint other = list[k];
      float3 force;
      float3 separation = nearest_image(place - float3(places[other]), box);
      if (pair_force(separation, reach, float3(strength[0], 0, 0), force, own_energy)) {
        total += force;
        for (int axis = 0; axis < 3; ++axis)
          atomic_fetch_add_explicit(&forces[3 * other + axis], -force[axis], memory_order_relaxed);
      }
      k += 32;
    }
    total = simd_sum(total);
    own_energy = simd_sum(own_energy);
    if (lane < 3)
      atomic_fetch_add_explicit(&forces[3 * own + lane], total[lane], memory_order_relaxed);
    if (lane == 0) {
      atomic_fetch_add_explicit(&energy[0], own_energy, memory_order_relaxed);
      atomic_store_explicit(&neighbours[own], float(count), memory_order_relaxed);
    }
)";

// Atoms near the points of a lattice, so that no two are too close for float.
std::vector<Real> jittered_lattice(int64_t atoms, const Real* box) {
  const std::vector<Real> jitter = uniform(3 * atoms, -0.12L, 0.12L, 201);
  const auto side = static_cast<int64_t>(std::ceil(std::cbrt(static_cast<double>(atoms)) - 1e-9));
  std::vector<Real> places;
  for (int64_t i = 0; i < atoms; ++i) {
    const int64_t cell[3] = {i % side, i / side % side, i / side / side};
    for (int64_t axis = 0; axis < 3; ++axis)
      places.push_back(to_float(box[axis] * (Real(cell[axis]) + 0.3L) / Real(side) +
                                jitter[static_cast<size_t>(3 * i + axis)]));
  }
  return places;
}

Row forces(int64_t atoms, int64_t simdgroups) {
  const Real side = std::ceil(std::cbrt(static_cast<Real>(atoms)) - 1e-9L) * 1.25L;
  const Real box[3] = {to_float(side), to_float(side + 0.4L), to_float(side + 0.7L)};
  const Real cutoff = to_float(std::min(2.2L, side / 2)), strength = 0.5L;
  const Array positions = make_array(float32, jittered_lattice(atoms, box)).reshaped({atoms, 3});
  Row row{.name = "forces_of_" + std::to_string(atoms)};
  row.kernel = "pair_forces";
  row.header = kPotential;
  row.body = kForces;
  row.atomic_outputs = true;
  row.init_value = 0;
  row.template_arguments = {{"SIMDGROUPS", static_cast<int>(simdgroups)}};
  row.inputs = {{"positions", positions},
                {"box_x", Array(static_cast<float>(box[0]))},
                {"box_yz", make_array(float32, {box[1], box[2]})},
                {"cutoff", Array(static_cast<float>(cutoff))},
                {"strength", make_array(float32, {strength})}};

  struct Result {
    std::vector<Real> forces, neighbours, sizes;  // sizes: of what was added up in a force
    Real energy = 0, energies = 0;
  };
  const auto result = std::make_shared<Result>();
  result->forces.resize(static_cast<size_t>(3 * atoms));
  result->sizes.resize(static_cast<size_t>(3 * atoms));
  result->neighbours.resize(static_cast<size_t>(atoms));
  for (int64_t i = 0; i < atoms; ++i)
    for (int64_t j = i + 1; j < atoms; ++j) {
      Real d[3], squared = 0;
      for (int64_t axis = 0; axis < 3; ++axis) {
        d[axis] = at(positions, 3 * i + axis) - at(positions, 3 * j + axis);
        d[axis] -= box[axis] * std::nearbyint(d[axis] / box[axis]);
        squared += d[axis] * d[axis];
      }
      const Real reach = cutoff * cutoff, rest = 1 - squared / reach;
      if (rest <= 0) continue;
      result->neighbours[static_cast<size_t>(i)] += 1;
      const Real sixth = std::pow(squared, -3.0L), plain = 4 * (sixth * sixth - sixth);
      const Real slope = 4 * (3 * sixth - 6 * sixth * sixth) / squared;
      result->energy += strength * plain * rest * rest;
      result->energies += std::fabs(strength * plain * rest * rest);
      for (int64_t axis = 0; axis < 3; ++axis) {
        const Real force =
            -2 * strength * d[axis] * (slope * rest * rest - 2 * plain * rest / reach);
        const auto own = static_cast<size_t>(3 * i + axis),
                   other = static_cast<size_t>(3 * j + axis);
        result->forces[own] += force;
        result->forces[other] -= force;
        // 12th powers of a separation that is known to 2^-24 of the box.
        result->sizes[own] += std::fabs(force) + 1;
        result->sizes[other] += std::fabs(force) + 1;
      }
    }
  const Real largest = *std::max_element(result->sizes.begin(), result->sizes.end());
  const double error = 64 * 0x1p-24;  // of a term: 14 powers of the separation, and the sums
  row.outputs = {{"forces",
                  float32,
                  {atoms, 3},
                  [result](int64_t i) { return result->forces[static_cast<size_t>(i)]; },
                  0,
                  static_cast<double>(largest) * error},
                 {"energy",
                  float32,
                  {1},
                  [result](int64_t) { return result->energy; },
                  0,
                  static_cast<double>(result->energies) * error},
                 {"neighbours", float32, {atoms}, [result](int64_t i) {
                    return result->neighbours[static_cast<size_t>(i)];
                  }}};
  row.grid = {32 * atoms, 1, 1};
  row.threadgroup = {32 * simdgroups, 1, 1};
  return row;
}

std::vector<Row> rows() { return {forces(70, 4), forces(27, 4), forces(125, 4)}; }
SPRUE_MATRIX(MolecularKernels, rows)

}  // namespace
}  // namespace sprue::language
