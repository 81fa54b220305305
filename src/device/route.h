// Where the packets of a slice come from through the Switch Engine: nested loops over digits of
// the number of the packet, those that change the source outermost.
#ifndef CONTRA_DEVICE_ROUTE_H
#define CONTRA_DEVICE_ROUTE_H

#include "command/command.h"

typedef struct {
    int64_t size;         // iterations
    int64_t place;        // packets that go out from one to the next
    int64_t slice_stride; // of the source
    int64_t time_stride;
} RouteLoop;

enum { ROUTE_MOST_LOOPS = 2 * 64 + 1 };

typedef struct {
    const HwSwitchRoute *route;
    RouteLoop loops[ROUTE_MOST_LOOPS];
    int64_t count;  // 0: the digits do not nest; each packet is asked for
    bool has_zeros; // packets that come from nowhere
} Route;

void route_plan(Route *route, const HwSwitchRoute *from);

// The part that the slice decides. False: all of its packets come from nowhere.
bool route_slice(const Route *route, int64_t slice, int64_t *from_slice, int64_t *from_time);
// Packet `time` of a slice. False: it comes from nowhere.
bool route_packet(const Route *route, int64_t slice, int64_t time, int64_t *from_slice,
                  int64_t *from_time);

#endif
