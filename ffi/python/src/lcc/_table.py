"""A sample as a table, for terminals and notebooks."""

import html

import numpy

_HEAD = ("", "mean", "error", "sd", "5 %", "50 %", "95 %", "ESS bulk", "ESS tail", "R-hat")
_MOST = 30


def _number(value, form):
    return "-" if numpy.isnan(value) else format(value, form)


def rows(of, most=_MOST):
    """The rows of some summaries by name, `most` of them at most, and how many more there are."""
    out, count = [], 0
    for name, summary in of.items():
        shape = numpy.shape(summary.mean)
        count += int(numpy.prod(shape, dtype=int))
        for index in numpy.ndindex(*shape):
            if len(out) == most:
                break
            values = [numpy.asarray(field)[index] for field in summary]
            texts = [_number(v, form) for v, form in zip(values, [".4g", ".2g", *[".4g"] * 4, ".0f", ".0f", ".3f"])]
            out.append([name + (f"[{', '.join(map(str, index))}]" if index else ""), *texts])
    return out, count - len(out)


def _parts(sample):
    body, more = rows(sample.of)
    chains, draws = sample.draws.shape[:2]
    size = f"{chains} particles." if draws == 1 else f"{chains} chains of {draws} draws."
    return body, f"... {more} more" if more else "", size, sample.report


def text(sample):
    """For a terminal."""
    body, more, size, report = _parts(sample)
    table = [list(_HEAD), *body]
    widths = [max(len(row[k]) for row in table) for k in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths)))
             for row in table]
    return "\n".join([*lines, *([more] if more else []), f"{size} {report}"])


def page(sample):
    """For a notebook."""
    body, more, size, report = _parts(sample)

    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    end = "".join(f"<p>{html.escape(part)}</p>" for part in (more, f"{size} {report}") if part)
    return f"<table><thead>{line(_HEAD, 'th')}</thead><tbody>{''.join(line(r, 'td') for r in body)}</tbody></table>{end}"
