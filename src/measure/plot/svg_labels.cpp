#include "measure/plot/svg_labels.h"

#include <algorithm>
#include <numeric>

namespace sprue {

std::vector<double> spread_labels(const std::vector<double>& wanted, double height, double low,
                                  double high) {
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
  // Neighbours that would touch form a cluster, centred on the mean of what its members want.
  struct Cluster {
    double sum;
    size_t count;
    double begin;
  };
  std::vector<Cluster> clusters;
  const auto place = [&](Cluster& cluster) {
    const double extent = height * static_cast<double>(cluster.count);
    const double begin = cluster.sum / static_cast<double>(cluster.count) - extent / 2;
    cluster.begin = std::max(low, std::min(begin, high - extent));
  };
  for (size_t i : order) {
    clusters.push_back({wanted[i], 1, 0});
    place(clusters.back());
    while (clusters.size() > 1) {
      const Cluster last = clusters.back();
      Cluster& before = clusters[clusters.size() - 2];
      if (before.begin + height * static_cast<double>(before.count) <= last.begin) break;
      before.sum += last.sum;
      before.count += last.count;
      clusters.pop_back();
      place(clusters.back());
    }
  }
  std::vector<double> centres(wanted.size());
  size_t next = 0;
  for (const Cluster& cluster : clusters) {
    for (size_t i = 0; i < cluster.count; ++i) {
      centres[order[next++]] = cluster.begin + height * (static_cast<double>(i) + 0.5);
    }
  }
  return centres;
}

bool LabelSpace::is_free(const Box& box) const {
  if (box.left < bounds_.left || box.right > bounds_.right || box.top < bounds_.top ||
      box.bottom > bounds_.bottom) {
    return false;
  }
  return std::none_of(boxes_.begin(), boxes_.end(),
                      [&](const Box& other) { return box.overlaps(other); });
}

std::optional<Box> LabelSpace::place(double x, double y, double width, double height) {
  constexpr double kGap = 8;     // beside the point
  constexpr double kStep = 7;    // up and down from there
  constexpr int kMostSteps = 9;  // further off nobody would find it
  for (int step = 0; step <= kMostSteps; ++step) {
    for (double direction : {-1.0, 1.0}) {
      const double top = y - height / 2 + direction * step * kStep;
      // Away from the point's own height the label may also stand right above or below it.
      const bool is_clear = step * kStep > height;
      for (double left : {x + kGap, x - kGap - width, is_clear ? x - width / 2 : x + kGap}) {
        const Box box{left, top, left + width, top + height};
        if (!is_free(box)) continue;
        occupy(box);
        return box;
      }
    }
  }
  return std::nullopt;
}

}  // namespace sprue
