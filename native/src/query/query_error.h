// How a query answers when it cannot: a coded value, never an exception across the SQL boundary.
#pragma once

#include <string>

namespace tidemark {

// code: one of the closed list in native/README.md; "" = success. message: one English sentence.
struct QueryError {
  std::string code;
  std::string message;
  bool failed() const { return !code.empty(); }
};

inline QueryError bad_argument(std::string message) { return {"query/bad_argument", std::move(message)}; }
inline QueryError query_cancelled() { return {"query/cancelled", "The query was interrupted."}; }

// Asked in every long loop; a default-constructed signal never stops.
struct StopSignal {
  bool (*stopped)(void* context) = nullptr;
  void* context = nullptr;
  bool operator()() const { return stopped != nullptr && stopped(context); }
};

}  // namespace tidemark
