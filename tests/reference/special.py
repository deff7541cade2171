"""Writes special.json: the special functions at double-precision points, as unevaluated sums of two
doubles (about 32 digits), each row one string. Needs mpmath.

    python special.py [points a piece, 100 unless told] > special.json

Points are random with a fixed seed, uniform or logarithmically uniform over pieces of the range.
"""
import json
import random
import sys

from mpmath import mp, mpf
import mpmath as m

mp.dps = 60
count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
random.seed(20261120)


def uniform(a, b):
    return [random.uniform(a, b) for _ in range(count)]


def scaled(a, b):
    """Logarithmically uniform."""
    return [float(m.exp(random.uniform(float(m.log(a)), float(m.log(b))))) for _ in range(count)]


def both(points):
    return points + [-x for x in points]


def near_quarters(top):
    """The doubles next to multiples of pi/2."""
    return [float(m.pi / 2 * random.randint(1, top)) for _ in range(count)]


def quantile(p):
    """x with Phi(-x) = p, by Newton's method on the logarithm."""
    target = m.log(p)
    x = m.sqrt(2) * m.erfinv(1 - 2 * p) if p > mpf("1e-3") else m.sqrt(-2 * target)
    for _ in range(200):
        tail = m.erfc(x / m.sqrt(2)) / 2
        step = (m.log(tail) - target) * tail / m.npdf(x)
        x += step
        if abs(step) < mpf(10) ** -45 * (1 + abs(x)):
            return x
    raise ArithmeticError(p)


def log_erfc(x):
    return m.log1p(-m.erf(x)) if x < 0.1 else m.log(m.erfc(x))


def laplace(g):
    return m.sign(g) * -log_erfc(abs(g) / m.sqrt(2))


def hazard(g):
    g = abs(g)
    return m.sqrt(2 / m.pi) * m.exp(-g * g / 2) / m.erfc(g / m.sqrt(2))


def logistic(x):
    return 1 / (1 + m.exp(-x))


def binet(x):
    return m.loggamma(x) - (x - mpf(1) / 2) * m.log(x) + x - m.log(2 * m.pi) / 2


def log_erfc_slope(x):
    return -2 / m.sqrt(m.pi) * m.exp(-x * x) / m.erfc(x)


tiny = scaled(1e-300, 1e-3)
small = scaled(1e-3, 1)
# name: (points, value, derivative or None)
functions = {
    "exp": (both(uniform(0, 1)) + uniform(-708, 709.7) + both(small), m.exp, None),
    "exp_m1": (both(uniform(0, 2)) + both(small) + both(tiny) + uniform(-40, 709), m.expm1, None),
    "ln": (uniform(0.5, 2) + uniform(0.9, 1.1) + scaled(1e-323, 1.7e308) + uniform(0, 100), m.log, None),
    "ln_1p": (both(small) + uniform(-0.9, 2) + both(tiny) + scaled(1, 1e300), m.log1p, None),
    "tanh": (both(uniform(0, 2)) + both(small) + both(tiny) + uniform(-350, 350) + uniform(0, 20), m.tanh,
             lambda x: 1 / m.cosh(x) ** 2),
    "logistic": (both(uniform(0, 2)) + both(small) + uniform(-700, 700) + both(uniform(0, 40)), logistic,
                 lambda x: 1 / (2 * m.cosh(x / 2)) ** 2),
    "softplus": (both(uniform(0, 2)) + both(small) + uniform(-700, 700) + both(uniform(0, 40)),
                 lambda x: m.log1p(m.exp(x)), logistic),
    "erf": (both(uniform(0, 2)) + both(small) + both(tiny) + uniform(-26, 26) + uniform(0.4, 0.6) + uniform(0, 6),
            m.erf, lambda x: 2 / m.sqrt(m.pi) * m.exp(-x * x)),
    "erfc": (both(uniform(0, 2)) + both(small) + uniform(0, 26.5) + uniform(-6, 6), m.erfc, None),
    "log_erfc": (both(uniform(0, 2)) + both(small) + both(tiny) + uniform(-26, 26) + scaled(1, 1000), log_erfc,
                 log_erfc_slope),
    "laplace_from_normal": (both(uniform(0, 2)) + small + tiny + uniform(-40, 40) + uniform(0, 8) + scaled(1, 1000),
                            laplace, hazard),
    "normal_from_half": (uniform(0, 0.5) + scaled(2.0**-92, 0.5) + scaled(1e-3, 0.02)
                         + [0.5 - 0.5 * x for x in small], quantile, None),
    "normal_quantile": (uniform(0, 1) + scaled(2.0**-92, 0.5) + [1 - x / 2 for x in small],
                        lambda p: -quantile(p) if p < 0.5 else quantile(1 - p), None),
    "normal_cdf": (both(uniform(0, 2)) + both(small) + uniform(-37, 8) + uniform(-8, 8), m.ncdf, m.npdf),
    "sin_cos": (both(uniform(0, 4)) + both(small) + uniform(-1000, 1000) + near_quarters(636), m.sin, m.cos),
    "arctan": (both(uniform(0, 4)) + both(small) + both(tiny) + both(scaled(1, 1e300)), m.atan, None),
    "ln_1p_and_inverse": ((uniform(-0.5, 2) + both(small)[::2] + both(tiny)[::2] + scaled(1, 1e300))[::2], m.log1p,
                          lambda x: 1 / (1 + x)),
    "ln_add_exp": ((uniform(-4, -2) + uniform(-60, 40) + uniform(-750, 750))[::2],
                   lambda x: m.log(m.exp(x) + m.exp(-3)), lambda x: logistic(x + 3)),
    "ln_gamma": ((uniform(0, 20) + scaled(1e-30, 1) + scaled(1, 1e15) + uniform(0.8, 2.2))[::2], m.loggamma, None),
    "binet": ((uniform(0, 20) + scaled(1e-30, 1) + scaled(1, 1e15) + uniform(7, 9))[::2], binet,
              lambda x: m.digamma(x) - m.log(x)),
    "asinh": ((both(uniform(0, 2)) + both(small) + both(tiny) + both(scaled(1, 1e18)))[::2], m.asinh, None),
}


def double_double(y):
    high = float(y)
    return [high, float(y - mpf(high))]


out = {}
for name, (points, value, slope) in functions.items():
    rows = []
    for x in sorted(points):
        row = [x] + double_double(value(mpf(x)))
        rows.append(row + (double_double(slope(mpf(x))) if slope else []))
    out[name] = rows
    print(name, len(rows), file=sys.stderr)
print("{")
print(",\n".join(json.dumps(k) + ":[\n" + ",\n".join(json.dumps(" ".join(map(repr, r))) for r in v) + "]" for k, v in out.items()))
print("}")
