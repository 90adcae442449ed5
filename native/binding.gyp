{
  "targets": [{
    "target_name": "tidemark",
    "sources": ["<!@(node list-sources.mjs)"],
    "include_dirs": ["src", "<!(node fetch-headers.mjs)"],
    "defines": [
      "NAPI_VERSION=8",
      "TIDEMARK_VERSION=\"<!(node -p \"require('../package.json').version\")\""
    ],
    "cflags!": ["-fno-exceptions"],
    "cflags_cc!": ["-fno-exceptions", "-fno-rtti", "-std=gnu++17", "-std=gnu++20"],
    "cflags": ["-O2", "-Wall", "-Wextra", "-fvisibility=hidden"],
    "cflags_cc": ["-std=c++17", "-fexceptions", "-fvisibility-inlines-hidden"],
    "conditions": [
      ["OS=='linux'", {
        "libraries": ["-l:libz.a", "-lpthread"],
        "ldflags": ["-static-libstdc++", "-static-libgcc", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections", "-Wl,-z,defs", "-Wl,--version-script=<(module_root_dir)/exports.map"]
      }],
      ["OS=='mac'", {
        "libraries": ["-lz"],
        "xcode_settings": {
          "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
          "GCC_ENABLE_CPP_EXCEPTIONS": "YES",
          "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
          "OTHER_LDFLAGS": ["-undefined", "dynamic_lookup"]
        }
      }]
    ]
  }]
}
