// y = exp(x), one thread an element.
const uint i = thread_position_in_grid.x;
y[i] = metal::exp(x[i]);
