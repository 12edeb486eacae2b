// Where labels go so that none covers another.
//
//   std::vector<double> y = spread_labels({80, 82, 200}, 15, 10, 240);   // 73.5, 88.5, 200
//   LabelSpace space({70, 10, 670, 350});
//   space.occupy(box_of_a_point);
//   if (auto box = space.place(x, y, width, height)) ...                  // beside (x, y), or further off
//
// Greedy, in the order of the calls; not an optimum. Cost: candidates times boxes for each label.
#pragma once

#include <optional>
#include <vector>

namespace sprue {

// Centres of labels `height` high in one column, in the order given: near the wanted ones, not less than
// `height` apart, from `low` to `high` as far as there is room; beyond `high` where there isn't.
std::vector<double> spread_labels(const std::vector<double>& wanted, double height, double low,
                                  double high);

struct Box {
  double left, top, right, bottom;
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class LabelSpace {
 public:
  explicit LabelSpace(const Box& bounds) : bounds_(bounds) {}
  void occupy(const Box& box) { boxes_.push_back(box); }
  // A free place for a label of a point, which is then occupied; none near enough: nothing.
  std::optional<Box> place(double x, double y, double width, double height);

 private:
  bool is_free(const Box& box) const;

  Box bounds_;
  std::vector<Box> boxes_;
};

}  // namespace sprue
