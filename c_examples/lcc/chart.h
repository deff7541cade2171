/* Figures inside a page: axes, and marks in the units of the data. What they look like is the style sheet's, by class:
 * chart_styles. */
#ifndef CHART_H
#define CHART_H

#include <stddef.h>
#include <stdio.h>

/* The plot area, in pixels of a sheet 340 wide: as wide as a telephone, where nothing is scaled down. */
typedef struct {
    FILE *out;
    double left;
    double top;
    double width;
    double height;
    double low[2]; /* the ends of the axes: across, up */
    double high[2];
    int words[2]; /* set before chart_axes: this axis has names in place of numbers, by chart_name */
} chart;

/* Opens a figure whose plot area is so high; `said` is what it shows, for whoever does not see it. The ends of the axes
 * are the caller's, before chart_axes. */
void chart_begin(chart *c, FILE *out, double height, const char *said);
/* Moves the left end, so that names beside it have so many pixels: before anything is drawn. Numbers have theirs. */
void chart_room(chart *c, double pixels);
/* Grid, numbers at round ticks, and what the axes are; as much of the words as there is room for. */
void chart_axes(chart *c, const char *across, const char *up);
/* Across, in so many pixels; upwards, in those at the left. */
void chart_name(const chart *c, int axis, double at, const char *name, double room);
void chart_end(const chart *c);

double chart_x(const chart *c, double value);
double chart_y(const chart *c, double value);

/* The ends of an axis about these values; of one value, about it. */
void chart_range(chart *c, int axis, double low, double high, double air);

void chart_line(const chart *c, const char *kind, const double *x, const double *y, size_t n);
void chart_segment(const chart *c, const char *kind, double x, double y, double to_x, double to_y);
void chart_band(const chart *c, const char *kind, const double *x, const double *low,
                const double *high, size_t n);
/* One of many points, between fprintf's of the group that has their class. */
void chart_point(const chart *c, double x, double y);
void chart_bar(const chart *c, const char *kind, double x, double to_x, double y, double to_y);

#endif
