// Font stacks by name only: nothing is bundled. CSS (as --ui, --mono) and canvas read the same.
const chinese = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC"'

// Named fonts stand before system-ui: on Linux the latter may be a font of another width, and canvases do not resolve it everywhere.
export const uiFont = `-apple-system, "Segoe UI", Inter, "Noto Sans", system-ui, ${chinese}, sans-serif`
export const monoFont = `ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", ${chinese}, monospace`
