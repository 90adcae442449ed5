#include "store/trace_relations.h"

#include "store/columnar_vtab.h"
#include "store/relation.h"
#include "store/trace_columns.h"

namespace tidemark {
namespace {

// Complete, begin/end and async events: by track, lane, start.
const RelationColumn kSlice[] = {
    {"slice_id", "INTEGER", Show::row_id, ""},
    {"track_id", "INTEGER", Show::lane_track, ""},
    {"name", "TEXT", Show::string, "name", kStoredNothing},
    {"category", "TEXT", Show::category, "category"},
    {"start_ns", "INTEGER", Show::integer, "start"},                            // since the capture's start
    {"dur_ns", "INTEGER", Show::integer, "dur"},
    {"depth", "INTEGER", Show::lane_depth, ""},                                 // row within the track, from 0
    {"parent_id", "INTEGER", Show::integer, "parent", kStoredNothing},          // the deepest slice of the track around it
    {"external_id", "INTEGER", Show::integer, "external_id", kStoredNothing},
    {"correlation", "INTEGER", Show::integer, "correlation", kStoredNothing},
    {"is_unfinished", "INTEGER", Show::flag, "flags"},                          // 1 = the file has no end of it
    {"args", "TEXT", Show::args, "offset"},                                     // JSON; NULL without the source
};

// Events without a length: by track, then time.
const RelationColumn kInstant[] = {
    {"instant_id", "INTEGER", Show::row_id, ""},
    {"track_id", "INTEGER", Show::integer, "track", kNeverNull, true},
    {"name", "TEXT", Show::string, "name", kStoredNothing},
    {"category", "TEXT", Show::category, "category"},
    {"time_ns", "INTEGER", Show::integer, "time"},
    {"args", "TEXT", Show::args, "offset"},
};

// Samples of counters: by track, series, then time. A value holds until the next sample of its series.
const RelationColumn kCounter[] = {
    {"track_id", "INTEGER", Show::series_track, ""},
    {"series", "TEXT", Show::series_name, ""},
    {"time_ns", "INTEGER", Show::integer, "time"},
    {"value", "REAL", Show::real, "value"},
};

// Arrows from slice to slice: by from_slice, then to_slice.
const RelationColumn kFlow[] = {
    {"flow_id", "INTEGER", Show::row_id, ""},
    {"from_slice", "INTEGER", Show::integer, "from", kNeverNull, true},
    {"to_slice", "INTEGER", Show::integer, "to"},
    {"name", "TEXT", Show::string, "name", kStoredNothing},                     // NULL: found by equal correlations alone
    {"category", "TEXT", Show::category, "category"},
};

template <size_t N>
constexpr int count(const RelationColumn (&)[N]) {
  return static_cast<int>(N);
}

const Relation kRelations[] = {
    {"slice", kSliceRelation, "SELECT 0, row_count, 0 FROM relation_size WHERE relation = 'slice'", kSlice, count(kSlice), true, false},
    {"instant", kInstantRelation, "SELECT 0, row_count, 0 FROM relation_size WHERE relation = 'instant'", kInstant, count(kInstant),
     true, false},
    {"counter", kCounterRelation, "SELECT 0, row_count, 0 FROM relation_size WHERE relation = 'counter'", kCounter, count(kCounter),
     false, false},
    {"flow", kFlowRelation, "SELECT 0, row_count, 0 FROM relation_size WHERE relation = 'flow'", kFlow, count(kFlow), true, false},
};

}  // namespace

int register_trace_relations(sqlite3* db, ConnectionState* state) {
  for (const Relation& relation : kRelations) {
    const int result = register_relation(db, state, relation);
    if (result != SQLITE_OK) return result;
  }
  return SQLITE_OK;
}

}  // namespace tidemark
