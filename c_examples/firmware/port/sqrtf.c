/* The square root by the FPU's instruction: the hook that the library is built with (feature `sqrtf-hook`). */
float lcc_hook_sqrtf(float x);

float lcc_hook_sqrtf(float x)
{
    float root;
    __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
    return root;
}
