/* Stands for the watchdog of a real board, which resets it unless it is fed in time: here it measures the longest
 * time between two feeds. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "port.h"

static struct {
    uint64_t fed;
    uint64_t longest;
} watchdog;

static uint64_t start_the_watchdog(void)
{
    return watchdog.fed = port_clock();
}

static void feed_the_watchdog(void)
{
    const uint64_t now = port_clock();
    watchdog.longest = now - watchdog.fed > watchdog.longest ? now - watchdog.fed : watchdog.longest;
    watchdog.fed = now;
}

#endif
