// What categories mean, by today's names and by those of older files.
#pragma once

#include <string_view>

#include "model/trace.h"

namespace tidemark::readers::trace {

inline CategoryKind kind_of_category(std::string_view name) {
  struct Known {
    std::string_view name;
    CategoryKind kind;
  };
  // Names of Kineto's activity types; the capitalised ones were written until 2022.
  static constexpr Known kKnown[] = {
      {"cpu_op", CategoryKind::cpu_op},
      {"Operator", CategoryKind::cpu_op},
      {"python_function", CategoryKind::python_function},
      {"Python", CategoryKind::python_function},
      {"user_annotation", CategoryKind::user_annotation},
      {"User", CategoryKind::user_annotation},
      {"cuda_runtime", CategoryKind::runtime},
      {"cuda_driver", CategoryKind::runtime},
      {"Runtime", CategoryKind::runtime},
      {"xpu_runtime", CategoryKind::runtime},
      {"xpu_driver", CategoryKind::runtime},
      {"mtia_runtime", CategoryKind::runtime},
      {"glow_runtime", CategoryKind::runtime},
      {"privateuse1_runtime", CategoryKind::runtime},
      {"privateuse1_driver", CategoryKind::runtime},
      {"kernel", CategoryKind::gpu},
      {"Kernel", CategoryKind::gpu},
      {"gpu_memcpy", CategoryKind::gpu},
      {"Memcpy", CategoryKind::gpu},
      {"gpu_memset", CategoryKind::gpu},
      {"Memset", CategoryKind::gpu},
      {"cuda_sync", CategoryKind::gpu},
      {"xpu_sync", CategoryKind::gpu},
      {"cuda_event", CategoryKind::gpu},
      {"mtia_ccp_events", CategoryKind::gpu},
      {"hpu_op", CategoryKind::gpu},
      {"gpu_user_annotation", CategoryKind::gpu_annotation},
      {"overhead", CategoryKind::overhead},
      {"Trace", CategoryKind::span},
  };
  for (const Known& known : kKnown) {
    if (known.name == name) return known.kind;
  }
  return CategoryKind::other;
}

}  // namespace tidemark::readers::trace
