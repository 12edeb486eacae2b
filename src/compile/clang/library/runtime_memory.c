/* Memory functions that LLVM may call on its own account. They are linked into a kernel on demand, so
 * that its shared object has no imports. Built with -ffreestanding -fno-builtin: a loop here must not
 * become a call of itself. */
typedef unsigned long size_t;

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  void* result = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

void* memset(void* to, int value, size_t size) {
  void* result = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

void* memmove(void* to, const void* from, size_t size) {
  if ((size_t)to - (size_t)from >= size) return memcpy(to, from, size);
  unsigned char* target = (unsigned char*)to + size;
  const unsigned char* source = (const unsigned char*)from + size;
  while (size--) *--target = *--source;
  return to;
}

int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char* x = a;
  const unsigned char* y = b;
  for (; size--; ++x, ++y)
    if (*x != *y) return *x - *y;
  return 0;
}

/* Debian builds compiler-rt with the stack protector. */
void __stack_chk_fail(void) { __builtin_trap(); }
