// Why a file is not read with a failure: [English, Chinese].

export const sourceWords = {
  metrics_above_cap: [
    '{name} is of another run: it notes {noted} at a step, and this program was allowed {most}',
    '{name} 属于另一次运行：其中某一步记有 {noted}，而此程序只允许使用 {most}',
  ],
  metrics_above_history: [
    '{name} is of another run: it notes {noted} at a step, and this program never had more than {most} before its failure',
    '{name} 属于另一次运行：其中某一步记有 {noted}，而此程序失败前从未超过 {most}',
  ],
  metrics_other_device: [
    '{name} is of another run: its device has {noted}, and the one that failed {total}',
    '{name} 属于另一次运行：其设备有 {noted}，而失败的设备有 {total}',
  ],
  metrics_more_steps: [
    '{name} is of another run: it notes {noted} steps, and this program had made {steps}',
    '{name} 属于另一次运行：它记有 {noted} 步，而此程序只做了 {steps} 步',
  ],
  metrics_other_levels: [
    '{name} is of another run: hardly any of the amounts that it notes as reserved were ever reserved here',
    '{name} 属于另一次运行：其中记录的预留量在此几乎从未出现过',
  ],
} as const satisfies Record<string, readonly [string, string]>
