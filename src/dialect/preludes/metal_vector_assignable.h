// Some components of a vector as the left side of an assignment: `v.zx = w`, `v.xyz += 1`, `++v.rg`.
// Included where a text has one.
#pragma once

namespace sprue_vector {

// References to some components, for assignments.
template <typename T, int N>
struct references;
template <typename T>
struct references<T, 2> {
  T &x, &y;
};
template <typename T>
struct references<T, 3> {
  T &x, &y, &z;
};
template <typename T>
struct references<T, 4> {
  T &x, &y, &z, &w;
};

template <typename T, int N>
struct assignable : references<T, N> {
  typedef metal::vec<T, N> value_type;

  SPRUE_MEMBER assignable(const references<T, N>& r) : references<T, N>(r) {}
  SPRUE_MEMBER operator value_type() const {
    return converted<typename value_type::base, N, T>(*this);
  }
  SPRUE_MEMBER value_type operator=(const value_type& v) const {
    this->x = v.x;
    this->y = v.y;
    if constexpr (N > 2) this->z = v.z;
    if constexpr (N > 3) this->w = v.w;
    return v;
  }
#define SPRUE_COMPOUND(op)                                \
  template <typename B>                                   \
  SPRUE_MEMBER value_type operator op(const B& b) const { \
    value_type v = *this;                                 \
    v op b;                                               \
    return *this = v;                                     \
  }
  SPRUE_COMPOUND(+=)
  SPRUE_COMPOUND(-=)
  SPRUE_COMPOUND(*=)
  SPRUE_COMPOUND(/=)
  SPRUE_COMPOUND(%=)
  SPRUE_COMPOUND(&=)
  SPRUE_COMPOUND(|=)
  SPRUE_COMPOUND(^=)
  SPRUE_COMPOUND(<<=)
  SPRUE_COMPOUND(>>=)
#undef SPRUE_COMPOUND
  SPRUE_MEMBER value_type operator++() const { return *this += T(1); }
  SPRUE_MEMBER value_type operator--() const { return *this -= T(1); }
  SPRUE_MEMBER value_type operator++(int) const {
    const value_type before = *this;
    *this += T(1);
    return before;
  }
  SPRUE_MEMBER value_type operator--(int) const {
    const value_type before = *this;
    *this -= T(1);
    return before;
  }
  SPRUE_MEMBER T& operator[](int i) const {
    constexpr int kThird = N == 2 ? 1 : 2;
    T* const last = &component<N - 1>(*this);
    T* const third = &component<kThird>(*this);
    return *(i == 0 ? &this->x : i == 1 ? &this->y : i == 2 ? third : last);
  }
  template <int... I>
  SPRUE_MEMBER metal::vec<T, sizeof...(I)> swizzle() const {
    return value_type(*this).template swizzle<I...>();
  }
  template <int... I>
  SPRUE_MEMBER assignable<T, sizeof...(I)> place() const {
    static_assert(((I < N) && ...), "the swizzle names a component that the vector doesn't have");
    return references<T, sizeof...(I)>{component<I>(*this)...};
  }
};

}  // namespace sprue_vector
