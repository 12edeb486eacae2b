/* fmod and fmodf, exact: frem has no instruction, so LLVM calls these. Shift and subtract over the
 * significands, one bit of the quotient a step. */

static int exponent_of(unsigned long* significand, unsigned long magnitude) {
  const unsigned long one = 1ul << 52;
  int exponent = (int)(magnitude >> 52);
  *significand = magnitude & (one - 1);
  if (exponent) {
    *significand |= one;
    return exponent;
  }
  /* A denormal: bring its leading bit to where a normal number has it. */
  exponent = 1;
  while (*significand < one) {
    *significand <<= 1;
    --exponent;
  }
  return exponent;
}

double fmod(double x, double y) {
  const unsigned long infinity = 0x7fful << 52, sign_bit = 1ul << 63;
  unsigned long x_bits, y_bits, result, divisor;
  __builtin_memcpy(&x_bits, &x, 8);
  __builtin_memcpy(&y_bits, &y, 8);
  const unsigned long sign = x_bits & sign_bit;
  x_bits &= ~sign_bit;
  y_bits &= ~sign_bit;
  if (x_bits >= infinity || y_bits > infinity || y_bits == 0) return (x * y) / (x * y); /* NaN */
  if (x_bits < y_bits) return x;
  if (x_bits == y_bits) return x * 0.0;
  int exponent = exponent_of(&result, x_bits);
  const int last = exponent_of(&divisor, y_bits);
  for (;; --exponent, result <<= 1) {
    if (result >= divisor) result -= divisor;
    if (result == 0) return x * 0.0;
    if (exponent == last) break;
  }
  exponent = last;
  while (result < 1ul << 52) {
    result <<= 1;
    --exponent;
  }
  if (exponent > 0)
    result = (result & ((1ul << 52) - 1)) | (unsigned long)exponent << 52;
  else
    result >>= 1 - exponent; /* exact: the remainder is a multiple of the smallest denormal */
  result |= sign;
  double remainder;
  __builtin_memcpy(&remainder, &result, 8);
  return remainder;
}

float fmodf(float x, float y) { return (float)fmod(x, y); }
