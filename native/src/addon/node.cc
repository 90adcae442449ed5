// The Node-API face: progress(job), cancel(job), sniff(path). Argument checks and conversions, nothing else.
// The symbols are weak, so that SQLite can load the same file where there is no Node.
#if defined(__linux__)
#define NAPI_EXTERN __attribute__((weak)) __attribute__((visibility("default")))
#endif
#include <node_api.h>

#include <exception>
#include <string>

#include "readers/read_snapshot.h"
#include "store/jobs.h"

namespace {

const char* const kStages[] = {"read", "replay", "index", "summarise"};

napi_value null_value(napi_env env) {
  napi_value out;
  napi_get_null(env, &out);
  return out;
}

void set_text(napi_env env, napi_value object, const char* key, const std::string& text) {
  napi_value value;
  if (napi_create_string_utf8(env, text.data(), text.size(), &value) == napi_ok) {
    napi_set_named_property(env, object, key, value);
  }
}

void set_number(napi_env env, napi_value object, const char* key, double number) {
  napi_value value;
  if (napi_create_double(env, number, &value) == napi_ok) napi_set_named_property(env, object, key, value);
}

napi_value type_error(napi_env env, const char* message) {
  napi_throw_type_error(env, "query/bad_argument", message);
  return nullptr;
}

// The job number of the call, or false after throwing a TypeError.
bool job_argument(napi_env env, napi_callback_info info, int64_t& job) {
  size_t count = 1;
  napi_value argument;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_get_value_int64(env, argument, &job) != napi_ok) {
    type_error(env, "job must be a number");
    return false;
  }
  return true;
}

napi_value progress_call(napi_env env, napi_callback_info info) {
  int64_t job;
  if (!job_argument(env, info, job)) return nullptr;
  const auto progress = tidemark::find_job(job);
  if (!progress) return null_value(env);
  napi_value out;
  if (napi_create_object(env, &out) != napi_ok) return nullptr;
  set_text(env, out, "stage", kStages[progress->stage.load() & 3]);
  set_number(env, out, "done", static_cast<double>(progress->done.load()));
  set_number(env, out, "total", static_cast<double>(progress->total.load()));
  return out;
}

napi_value cancel_call(napi_env env, napi_callback_info info) {
  int64_t job;
  if (!job_argument(env, info, job)) return nullptr;
  const auto progress = tidemark::find_job(job);
  if (progress) progress->cancel = true;
  napi_value out;
  return napi_get_boolean(env, progress != nullptr, &out) == napi_ok ? out : nullptr;
}

bool path_argument(napi_env env, napi_callback_info info, std::string& path) {
  size_t count = 1;
  size_t length = 0;
  napi_value argument;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_get_value_string_utf8(env, argument, nullptr, 0, &length) != napi_ok) {
    type_error(env, "path must be a string");
    return false;
  }
  path.resize(length + 1);
  napi_get_value_string_utf8(env, argument, &path[0], path.size(), &length);
  path.resize(length);
  return true;
}

napi_value sniff_call(napi_env env, napi_callback_info info) {
  try {
    std::string path;
    if (!path_argument(env, info, path)) return nullptr;
    tidemark::Failure error;
    const tidemark::Sniffed sniffed = tidemark::sniff(path, error);
    napi_value out;
    if (napi_create_object(env, &out) != napi_ok) return nullptr;
    set_text(env, out, error.failed() ? "code" : "kind", error.failed() ? error.code : sniffed.kind);
    set_text(env, out, error.failed() ? "message" : "detail", error.failed() ? error.message : sniffed.detail);
    return out;
  } catch (const std::exception& error) {
    napi_throw_error(env, "engine/internal", error.what());
    return nullptr;
  }
}

void set_function(napi_env env, napi_value exports, const char* name, napi_callback call) {
  napi_value function;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call, nullptr, &function) == napi_ok) {
    napi_set_named_property(env, exports, name, function);
  }
}

}  // namespace

NAPI_MODULE_INIT() {
  set_function(env, exports, "progress", progress_call);
  set_function(env, exports, "cancel", cancel_call);
  set_function(env, exports, "sniff", sniff_call);
  return exports;
}
