#define LOAD(i, ...) (*(const device float*)(&x[i])) \
  + 1
#if defined(N) && N > 4  // large
  threadgroup float buffer[N];
#elif 0
  ])
#else
  threadgroup float buffer[4];
#endif
#define JOIN(a, b) a##b
%:define QUOTE(a) #a
auto scale = [&](thread const float& v, uint grid_size) -> float { return v * grid_size; };
constant int* shape = x_shape;
const constant char* text = R"x(raw " text)x" "\"\\" "?\?/";
y<:0:> = scale(LOAD(0), grid_size.x) + '\'' + 1'000 + JOIN(thread, s_per_grid).x;
