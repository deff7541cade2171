"""Certificates: conditions under which the coupling variable xi, or w itself, has a log-concave law."""

import ctypes
import textwrap
from typing import NamedTuple

import numpy

from ._library import CODES, STRUCTS, at, call, name_of, number_by


class Certificate(NamedTuple):
    """One condition: it holds where `value` is at most `threshold`. `status` says what follows: already-log-concave, proved,
    conditional, empirical, not-log-concave, not-satisfied, inconclusive, published-false or not-applicable. `error` is the
    Monte Carlo standard error of an estimate, else 0."""

    name: str
    value: float
    threshold: float
    status: str
    error: float
    equation: str
    assumption: str


class Certificates(NamedTuple):
    """The strongest thing that they allow to be said (`conclusion`), in words (`verdict`), the certificates by name
    (`entries["lemma-2"].value`), and how many xi were visited. Printed it is the table of `lcc certify`."""

    conclusion: str
    verdict: str
    entries: dict
    visited: int

    def __repr__(self):
        lines = [f"  {'certificate':<24} {'value':>12} {'threshold':>10}  status"]
        for e in self.entries.values():
            value = f"{e.value:.6g}" if numpy.isfinite(e.value) else "-"
            lines.append(f"  {e.name:<24} {value:>12} {e.threshold:>10.4g}  {e.status}"
                         + (f" (+- {e.error:.2g})" if e.error > 0 else ""))
            lines.append(f"      {e.equation}")
        return "\n".join([*lines, "", textwrap.fill(self.verdict, 78, break_on_hyphens=False, break_long_words=False)])


def _words(kind, what):
    return _text(256, "lcc_certificate_describe", kind, CODES[f"LCC_DESCRIBE_{what}"])


def _text(size, name, *arguments):
    text = ctypes.create_string_buffer(size)
    number_by(name, *arguments, text, size, out=ctypes.c_size_t)
    return text.value.decode()


def certificates(posterior, asked, probes, draws):
    """Those of a posterior; with visits from the draws `draws()`, if there are to be any."""
    p, where = posterior._precision, posterior.where
    made, room = STRUCTS[f"lcc_certificates_{p}"](), posterior._scratch("certificates")
    call(f"lcc_certificates_evaluate_{p}", *where, at(room), room.size, ctypes.byref(made))
    if probes and made.coupling == 0:  # without a coupling there is no xi to visit
        w, room = draws(), posterior._scratch("certificates_probe", ctypes.byref(asked))
        chains, length = w.shape[:2]
        if w.shape[2:] != (posterior.dim,):
            raise ValueError(f"the sample has {w.shape[2]} coordinates, and the posterior {posterior.dim}")
        w = w.astype(posterior._rows.dtype, copy=False)
        for k in range(probes):
            # A draw of one chain, and of another the one that is half of all draws further on.
            draw = int(length * (k + 0.5) / probes)
            one = numpy.ascontiguousarray(w[k % chains, draw])
            other = numpy.ascontiguousarray(w[(k + chains // 2) % chains, (draw + length // 2) % length])
            call(f"lcc_certificates_probe_{p}", ctypes.byref(made), *where, ctypes.byref(asked), at(one), at(other), k, at(room),
                 room.size)
    listed = [Certificate(_words(e.kind, "NAME"), e.value, e.threshold, _words(e.status, "STATUS"), e.error,
                          _words(e.kind, "EQUATION"), _words(e.kind, "ASSUMPTION")) for e in made.entries[:made.count]]
    verdict = _text(2048, f"lcc_certificates_explain_{p}", ctypes.byref(made))
    return Certificates(name_of("CONCLUSION", made.conclusion), verdict, {entry.name: entry for entry in listed}, made.probes)


__all__ = ["Certificate", "Certificates"]
