// Pairs of the corpus that are of one run: name, snapshot, trace, device.
const ranks = ['bucket_view', 'default', 'fsdp', 'small_buckets'].flatMap((run) =>
  [0, 1].map(
    (rank) => [`ddp/${run} rank ${rank}`, `ddp/${run}/rank${rank}.snapshot.pickle`, `ddp/${run}/rank${rank}.trace.json.gz`, rank] as const,
  ),
)

export const pairFiles = [
  ['healthy/trace_lora', 'healthy/trace_lora/snapshot.pickle', 'healthy/trace_lora/trace.json', 0],
  ['extra/execution_trace', 'extra/execution_trace/snapshot.pickle', 'extra/execution_trace/trace.json.gz', 0],
  ...ranks,
] as const
