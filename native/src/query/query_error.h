// How a query answers when it cannot: a coded value, never an exception across the SQL boundary.
#pragma once

#include <string>
#include <utility>

#include "model/failure.h"

namespace tidemark {

inline Failure bad_argument(std::string message) { return {"query/bad_argument", std::move(message)}; }
inline Failure query_cancelled() { return {"query/cancelled", "The query was interrupted."}; }

// Asked in every long loop; a default-constructed signal never stops.
struct StopSignal {
  bool (*stopped)(void* context) = nullptr;
  void* context = nullptr;
  bool operator()() const { return stopped != nullptr && stopped(context); }
};

}  // namespace tidemark
