#include "page.h"

#include "plot.h"

#include <math.h>
#include <stdarg.h>

/* Contrast of text on its ground: at least 6.3 in light, 8.5 in dark. Print is light. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fdfdfb;--ink:#1d252d;--soft:#52606d;--rule:#d9dfe4;"
    "--grid:#e9edf0;--blue:#0067a3;--red:#b5440a;--band:#0067a3}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--ground:#12171c;--ink:#e3e8ec;"
    "--soft:#a9b4be;--rule:#333d47;--grid:#222a32;--blue:#62b5ea;--red:#f0935a;--band:#62b5ea}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:2.5rem 1rem 4rem;max-width:46rem;background:var(--ground);"
    "color:var(--ink);font:1rem/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',"
    "'Noto Sans','Liberation Sans',sans-serif;overflow-wrap:break-word}\n"
    "h1{font-size:1.9rem;line-height:1.2;font-weight:650;margin:0 0 .3rem;letter-spacing:-.01em}\n"
    "h2{font-size:1.25rem;line-height:1.3;font-weight:650;margin:3rem 0 .4rem}\n"
    "p{margin:.5rem 0 1rem}.by,figcaption,.note{color:var(--soft)}.by{margin:0}\n"
    ".lead{font-size:1.12rem;border-top:1px solid var(--rule);border-bottom:1px solid var(--rule);"
    "margin:1.6rem 0 0;padding:1rem 0}.lead p{margin:.4rem 0}\n"
    "figcaption,.note{font-size:.86rem;line-height:1.45}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));"
    "gap:1.4rem 1.5rem;margin:1rem 0 1.4rem}\n"
    "figure{margin:0;break-inside:avoid}figure svg{display:block;width:100%;max-width:30rem}\n"
    ".figures figure:only-child{max-width:30rem}figcaption{margin:.2rem 0 0}\n"
    ".wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-size:.92rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.28rem .8rem .28rem 0;text-align:right;border-bottom:1px solid var(--grid);"
    "vertical-align:baseline}\n"
    "th{font-weight:600;color:var(--soft);border-color:var(--rule)}\n"
    "th:first-child,td:first-child,.facts td{text-align:left}\n"
    ".facts td:first-child{color:var(--soft)}.hit{font-weight:650}\n"
    "svg{fill:none;stroke-linejoin:round}svg text{font-size:11px;fill:var(--soft)}"
    "svg .a{fill:var(--ink)}svg .m{text-anchor:middle}svg .e{text-anchor:end}\n"
    ".g{stroke:var(--grid)}.l{stroke:var(--blue);stroke-width:1.8}.l2{stroke:var(--red);"
    "stroke-width:1.8}.l3{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:6 3}"
    ".l4{stroke:var(--soft);stroke-width:1.8;stroke-dasharray:2 3}\n"
    ".d{stroke:var(--ink);stroke-width:1.1;stroke-dasharray:4 3}.r{stroke:var(--soft);"
    "stroke-width:1}.i{stroke:var(--ink);stroke-width:1.3}\n"
    ".b{fill:var(--blue)}.b2{fill:var(--red)}.n{fill:var(--band);fill-opacity:.16}"
    ".n2{fill:var(--red);fill-opacity:.14}.n3{fill:var(--ink);fill-opacity:.1}"
    ".n4{fill:var(--soft);fill-opacity:.12}\n"
    ".p,.p2{stroke:var(--blue);stroke-width:4;stroke-linecap:round;stroke-opacity:.5}"
    ".p2{stroke:var(--red);stroke-opacity:.75}\n"
    ".key{display:inline-block;width:.75em;height:.75em;border-radius:50%;margin:0 .3em 0 .7em;"
    "background:var(--blue)}.k2{background:var(--red)}.k3{background:var(--ink)}"
    ".k4{background:var(--soft)}figcaption .key:first-child{margin-left:0}\n"
    "@media print{body{font-size:10pt;max-width:none;padding:0}h2{break-after:avoid}"
    ".key{-webkit-print-color-adjust:exact;print-color-adjust:exact}}\n";

static void say(FILE *out, const char *format, va_list arguments)
{
    char text[1024];
    (void)vsnprintf(text, sizeof text, format, arguments);
    plot_escaped(out, text);
}

/* The rest of a function of `...`, which ends in `format`. */
#define SAY(out)                    \
    do {                            \
        va_list arguments;          \
        va_start(arguments, format); \
        say(out, format, arguments); \
        va_end(arguments);          \
    } while (0)

void page_say(FILE *out, const char *format, ...)
{
    SAY(out);
}

void page_begin(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          out);
    plot_escaped(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    plot_escaped(out, title);
    fputs("</h1>\n", out);
}

void page_end(FILE *out)
{
    fputs("</body>\n</html>\n", out);
}

void page_section(FILE *out, const char *heading, const char *intro)
{
    fputs("<h2>", out);
    plot_escaped(out, heading);
    fputs("</h2>\n", out);
    if (intro != NULL) {
        fputs("<p>", out);
        plot_escaped(out, intro);
        fputs("</p>\n", out);
    }
}

void page_figures(FILE *out)
{
    fputs("<div class=\"figures\">\n", out);
}

void page_figures_end(FILE *out)
{
    fputs("</div>\n", out);
}

void page_figure(FILE *out)
{
    fputs("<figure>\n", out);
}

void page_caption(FILE *out, const char *format, ...)
{
    fputs("<figcaption>", out);
    SAY(out);
    fputs("</figcaption></figure>\n", out);
}

void page_table(FILE *out, const char *const *headings)
{
    fprintf(out, "<div class=\"wide\"><table%s>\n", headings == NULL ? " class=\"facts\"" : "");
    if (headings != NULL) {
        fputs("<thead><tr>", out);
        for (; *headings != NULL; headings++) {
            fputs("<th>", out);
            plot_escaped(out, *headings);
            fputs("</th>", out);
        }
        fputs("</tr></thead>\n", out);
    }
    fputs("<tbody>\n", out);
}

void page_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

void page_row(FILE *out, const char *format, ...)
{
    fputs("<tr><td>", out);
    SAY(out);
    fputs("</td>", out);
}

void page_cell(FILE *out, const char *format, ...)
{
    fputs("<td>", out);
    SAY(out);
    fputs("</td>", out);
}

void page_row_end(FILE *out)
{
    fputs("</tr>\n", out);
}

void page_fact(FILE *out, const char *what, const char *format, ...)
{
    page_row(out, "%s", what);
    fputs("<td>", out);
    SAY(out);
    fputs("</td></tr>\n", out);
}

const char *page_number(number_text text, double value)
{
    const int digits = 4;
    double size = fabs(value);
    int before = size > 0.0 ? (int)floor(log10(size)) + 1 : 1;
    if (value == floor(value) && before <= 7) {
        (void)snprintf(text, sizeof(number_text), "%.0f", value);
    } else if (size != 0.0 && (before > 9 || before < -3 || !isfinite(value))) {
        (void)snprintf(text, sizeof(number_text), "%.3g", value);
    } else {
        (void)snprintf(text, sizeof(number_text), "%.*f", before < digits ? digits - before : 0,
                       value);
    }
    return text;
}
