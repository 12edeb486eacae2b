// y = softmax(x) of each row: one block a row, the row in dynamic shared memory.
extern __shared__ float values[];  // N, then one for each warp
float* partial = values + N;
const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
const T* from = x + blockIdx.y * static_cast<size_t>(N);
T* to = y + blockIdx.y * static_cast<size_t>(N);

float top = -INFINITY;
for (int k = threadIdx.x; k < N; k += blockDim.x) {
  values[k] = static_cast<float>(from[k]);
  top = fmaxf(top, values[k]);
}
top = warp_max(top);
if (lane == 0) partial[warp] = top;
__syncthreads();
for (int w = 0; w < warps; ++w) top = fmaxf(top, partial[w]);
__syncthreads();

float sum = 0.0f;
for (int k = threadIdx.x; k < N; k += blockDim.x) sum += values[k] = expf(values[k] - top);
sum = warp_sum(sum);
if (lane == 0) partial[warp] = sum;
__syncthreads();
sum = 0.0f;
for (int w = 0; w < warps; ++w) sum += partial[w];
for (int k = threadIdx.x; k < N; k += blockDim.x) to[k] = static_cast<T>(values[k] / sum);
