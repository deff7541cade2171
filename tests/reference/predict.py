"""Writes predict.json: Student-t laws and mixtures of them to 17 digits (needs mpmath).

    python3 predict.py > predict.json
"""

import json
import mpmath
from mpmath import mp, mpf

mp.dps = 40
INF = mpmath.inf


def number(x):
    return float(mpmath.nstr(x, 17))


def density(z, nu):
    z = mpf(z)
    if nu == INF:
        return mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
    nu = mpf(nu)
    c = mpmath.exp(mpmath.loggamma((nu + 1) / 2) - mpmath.loggamma(nu / 2))
    return c / mpmath.sqrt(nu * mpmath.pi) * (1 + z * z / nu) ** (-(nu + 1) / 2)


def upper(z, nu):
    """P(T > z)."""
    z = mpf(z)
    if z < 0:
        return 1 - upper(-z, nu)
    if nu == INF:
        return mpmath.erfc(z / mpmath.sqrt(2)) / 2
    nu = mpf(nu)
    x = nu / (nu + z * z)
    if x < 0.5:
        return mpmath.betainc(nu / 2, mpf(1) / 2, 0, x, regularized=True) / 2
    y = z * z / (nu + z * z)
    return (1 - mpmath.betainc(mpf(1) / 2, nu / 2, 0, y, regularized=True)) / 2


def laws():
    out = []
    for nu in [0.5, 1, 1.7, 2, 3, 4.5, 7, 11.9, 12, 20, 30, 60, 99.9, 100, 200, 1000, 1e5, INF]:
        for z in [0, 0.001, 0.1, 0.5, 0.9, 1.3, 1.7, 1.95, 2.2, 2.45, 2.7, 2.95, 3.2, 3.9, 4.1, 6, 9, 30, 1000]:
            out.append([
                "inf" if nu == INF else nu, z,
                number(mpmath.log(density(z, nu))), number(upper(z, nu)),
            ])
    return out


class Mixture:
    def __init__(self, parts):
        self.parts = [(mpf(m), mpf(s), nu) for m, s, nu in parts]

    def average(self, f):
        return mpmath.fsum(f(*p) for p in self.parts) / len(self.parts)

    def density(self, x):
        return self.average(lambda m, s, nu: density((x - m) / s, nu) / s)

    def upper(self, x):
        return self.average(lambda m, s, nu: upper((x - m) / s, nu))

    def lower(self, x):
        return self.average(lambda m, s, nu: upper((m - x) / s, nu))

    def mean(self):
        return self.average(lambda m, s, nu: m)

    def sd(self):
        mean = self.mean()
        noise = lambda s, nu: s * s * (1 if nu == INF else mpf(nu) / (nu - 2))
        return mpmath.sqrt(self.average(lambda m, s, nu: noise(s, nu) + (m - mean) ** 2))

    def quantile(self, p, above=False):
        """The point with probability p below it (or above), by bisection."""
        p = mpf(p)
        tail = self.upper if above else self.lower
        low, high = mpf(-10) ** 9, mpf(10) ** 9
        # Few digits first, then Newton's steps to all of them.
        while high - low > mpf(10) ** -3:
            x = (low + high) / 2
            if (tail(x) > p) == above:
                low = x
            else:
                high = x
        x = (low + high) / 2
        for _ in range(8):
            step = (tail(x) - p) / self.density(x) * (-1 if above else 1)
            x -= step
            if abs(step) < mpf(10) ** -28:
                break
        assert low - 1e-3 <= x <= high + 1e-3, (low, x, high)
        return x

    def crps(self, y):
        """The integral of (F(x) - 1{y <= x})^2, in pieces between all centres."""
        mp.dps = 20
        cuts = sorted({-INF, INF, mpf(y)} | {m + k * s for m, s, _ in self.parts for k in (-8, -2, 0, 2, 8)})
        below = lambda x: self.lower(x) ** 2
        above = lambda x: self.upper(x) ** 2
        total = mpf(0)
        for a, b in zip(cuts, cuts[1:]):
            total += mpmath.quad(below if b <= y else above, [a, b])
        mp.dps = 40
        return total


MIXTURES = {
    "one": [(1, 2, 3)],
    "gaussian": [(-1, 0.5, INF)],
    "alike": [(0.1, 1, 3), (-0.2, 1.1, 4.5), (0.3, 0.9, 7), (0, 1.2, 12), (0.05, 1, 30), (-0.1, 0.8, 200), (0.2, 1, INF), (0, 1, 4.5), (-0.3, 1.3, 7), (0.15, 0.95, 3), (0.4, 1.05, 12)],
    "scales": [(0, 0.2, 3), (1, 1, 4.5), (0.5, 3, 30)],
    "apart": [(-10, 0.7, 3), (12, 1, INF), (13, 0.9, 7)],
}


def mixture(name, parts):
    m = Mixture(parts)
    mean, sd = m.mean(), m.sd()
    points = [mean + k * sd for k in (-30, -4, -1.3, -0.2, 0, 0.6, 2, 9)]
    points = [mpf(float(x)) for x in points]
    tails = [1e-6, 0.001, 0.025, 0.05, 0.3, 0.5]
    row = lambda x: [number(x), number(mpmath.log(m.density(x))), number(m.lower(x)), number(m.upper(x))]
    return {
        "parts": [[p[0], p[1], "inf" if p[2] == INF else p[2]] for p in parts],
        "mean": number(mean),
        "sd": number(sd),
        "points": [row(x) for x in points],
        "tails": tails,
        "lower": [number(m.quantile(p)) for p in tails],
        "upper": [number(m.quantile(p, True)) for p in tails],
        "crps": [[number(y), number(m.crps(y))] for y in points[1:7:2]],
    }


def lines(items):
    return ",\n".join(items)


print('{"laws": [\n' + lines(map(json.dumps, laws())) + '\n],\n"mixtures": {')
print(lines(json.dumps(name) + ": " + json.dumps(mixture(name, parts)) for name, parts in MIXTURES.items()) + "\n}}")
