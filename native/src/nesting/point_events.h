// Instants and counter samples on their tracks.
#pragma once

#include "nesting/capture_span.h"
#include "nesting/nested_trace.h"
#include "nesting/track_order.h"

namespace tidemark {

// Fill `instants` and `instant_track`, and `series` and `samples`, of a trace whose tracks and slices are there; the spans of the tracks widen.
// Give up those of `trace`.
void move_instants(Trace& trace, const CaptureSpan& span, const TrackPlaces& places, NestedTrace& out, const Progress& progress);
void move_samples(Trace& trace, const CaptureSpan& span, const TrackPlaces& places, NestedTrace& out, const Progress& progress);

}  // namespace tidemark
