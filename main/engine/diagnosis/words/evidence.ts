// Sentences of evidence: [English, Chinese].

export const evidenceWords = {
  free_other_streams: [
    '{value} were reserved and free on other streams, which no request of this stream can use',
    '其他流上有 {value} 已预留但空闲，该流的请求无法使用',
  ],
  free_in_pool: [
    '{value} were reserved and free where the request could have used them, {share} of all that was reserved',
    '请求可以使用的池中有 {value} 已预留但空闲，占全部已预留内存的 {share}',
  ],
  largest_free: ['the largest free block there was {value}, the request {request}', '其中最大的空闲块为 {value}，而请求为 {request}'],
  held_and_request: [
    'held {held} + request {request} = {value}, no more than the {limit} that could be reserved',
    '占用 {held} + 请求 {request} = {value}，不超过可预留的 {limit}',
  ],
  held_and_request_reserved: [
    'held {held} + request {request} = {value}, no more than the {limit} that were once reserved: the limit is not known exactly, but so much fits below it',
    '占用 {held} + 请求 {request} = {value}，不超过曾经预留的 {limit}：上限不能确知，但至少有这么多',
  ],
  held_and_request_left: [
    'held {held} + request {request} = {value}, no more than the {limit} that were reserved or still free on the device',
    '占用 {held} + 请求 {request} = {value}，不超过已预留与设备空闲之和 {limit}',
  ],
  held_and_request_open: [
    'held {held} + request {request} = {value}; the limit lies between {limit} and {below}, so that it may or may not be above it',
    '占用 {held} + 请求 {request} = {value}；上限介于 {limit} 与 {below} 之间，因此可能超过，也可能不超过',
  ],
  kept_forward: [
    '{value} made in forward passes were kept from step to step and never given back, most by {stack}; {count} {count|line|lines} of the program made it',
    '前向计算产生的 {value} 在各步之间一直被保留，从未释放，最多的来自 {stack}；共由 {count} 行程序产生',
  ],
  forward_bytes: [
    '{value} of what was held were made in forward passes (workspaces included), {share} of what was reserved, most by {stack}',
    '占用的内存中有 {value} 来自前向计算（含工作区），占已预留内存的 {share}，最多的来自 {stack}',
  ],
  step_memory: [
    '{value} of what was held had been made since the last quiet moment, {share} of what was reserved: the step itself needed it',
    '占用的内存中有 {value} 是在上一个低谷之后产生的，占已预留内存的 {share}：由这一步本身所需',
  ],
  peak_with_size: ['the peak of a step rose and fell with its size: rank correlation {value}', '每步的峰值随其规模升降：秩相关 {value}'],
  peak_with_sequence: [
    'the peak of a step rose and fell with the sequence length: rank correlation {value} over {count} steps; no change of the batch is noted',
    '每步的峰值随序列长度升降：{count} 步的秩相关为 {value}；没有记录到 batch 的变化',
  ],
  peak_with_batch: [
    'the peak of a step rose and fell with the batch: rank correlation {value} over {count} steps; no change of the sequence length is noted',
    '每步的峰值随 batch 升降：{count} 步的秩相关为 {value}；没有记录到序列长度的变化',
  ],
  peak_with_both: [
    'the peak of a step rose and fell with batch × sequence length: rank correlation {value} over {count} steps',
    '每步的峰值随 batch × 序列长度升降：{count} 步的秩相关为 {value}',
  ],
  peak_with_size_few: [
    'the peak of a step rose and fell with its size in all {value} steps that are noted: a hint only, so few may agree by chance',
    '在记录的全部 {value} 步中，每步的峰值随其规模升降：只是线索，步数太少，可能是偶然',
  ],
  peak_rose_with_sequence: [
    'the peak of a step rose with the sequence length, over {value} steps in which the length never fell: a hint, as whatever grows with the steps would look the same',
    '每步的峰值随序列长度上升，共 {value} 步，其间长度从未下降：只是线索，因为任何随步数增长的内存看起来都一样',
  ],
  peak_rose_with_batch: [
    'the peak of a step rose with the batch, over {value} steps in which the batch never fell: a hint, as whatever grows with the steps would look the same',
    '每步的峰值随 batch 上升，共 {value} 步，其间 batch 从未下降：只是线索，因为任何随步数增长的内存看起来都一样',
  ],
  peak_rose_with_both: [
    'the peak of a step rose with batch and sequence length, over {value} steps in which neither fell: a hint, as whatever grows with the steps would look the same',
    '每步的峰值随 batch 与序列长度上升，共 {value} 步，其间二者从未下降：只是线索，因为任何随步数增长的内存看起来都一样',
  ],
  pattern_kept: [
    'without stacks: the last {count} allocations that are held, {value} of {sizes} sizes, come in the same order as those before them: each step kept so much',
    '没有调用栈：最后持有的 {count} 个分配（{sizes} 种大小，共 {value}）与之前的顺序相同：每步都保留了这么多',
  ],
  traceback: ['the traceback ends in {value}', '回溯结束于 {value}'],
  gradient_copies: [
    'allocations with the sizes of the parameters, made neither by forward passes nor by the optimizer, asked for {bytes} (before rounding up): {value} copies of the parameters',
    '有共申请 {bytes}（未计取整）的分配与参数大小相同，且既不来自前向计算也不来自优化器：相当于 {value} 份参数',
  ],
  gradient_kept: ['these copies grew with the steps and were never given back: {stack}', '这些副本随步数增长且从未释放：{stack}'],
  per_sample: [
    'gradients of single samples were computed: {value} were held or asked for by the backward pass, {share} of all',
    '计算了逐样本梯度：反向计算占用或请求了 {value}，占全部的 {share}',
  ],
  backward_bytes: [
    'the backward pass had made {value} of what was held, {copies} times the parameters ({parameters})',
    '占用的内存中有 {value} 来自反向计算，是参数（{parameters}）的 {copies} 倍',
  ],
  gradients_held: [
    'the backward pass had made {value} of what was held, {share} of what was reserved',
    '占用的内存中有 {value} 来自反向计算，占已预留内存的 {share}',
  ],
  sets_held: [
    'one line of the program held {bytes} in the sizes of the parameters, {value} sets of them: gradients or weights that were copied',
    '程序的同一行持有 {bytes} 与参数大小相同的分配，共 {value} 份：是被复制的梯度或权重',
  ],
  gradient_norm: ['the last gradient norm was {value} times the usual one', '最后的梯度范数是平常的 {value} 倍'],
  gradient_norm_not_finite: ['the last gradient norm was no finite number (NaN or infinite)', '最后的梯度范数不是有限数（NaN 或无穷大）'],
  small_blocks: ['{value} blocks of the small pool were held, {mean} each on average', '小块池中有 {value} 个块被占用，平均每个 {mean}'],
  small_share: ['they are {value} of what was reserved ({bytes})', '它们占已预留内存的 {value}（{bytes}）'],
  small_segment: [
    'the failing segment was {value}, the size of segments for requests up to 1 MiB: memory ran out over small requests',
    '失败的段为 {value}，即 1 MiB 以下请求所用的段：内存因小请求耗尽',
  ],
  host_growth: ['host memory grew by {value} a step', '主机内存每步增长 {value}'],
  outside_bytes: [
    '{value} of the device were in use outside this program’s PyTorch: total {total} − free {free} − reserved {reserved}',
    '设备上有 {value} 被本程序的 PyTorch 之外占用：总量 {total} − 空闲 {free} − 预留 {reserved}',
  ],
  outside_unknown_total: [
    'the device had {value} free, too little for a segment of {segment}, while PyTorch had reserved {reserved} only',
    '设备只剩 {value}，不足以分配 {segment} 的段，而 PyTorch 只预留了 {reserved}',
  ],
  outside_growth: ['memory in use outside grew by {value} a step', '外部占用每步增长 {value}'],
  own_outside: [
    'this process itself held {value} of it outside PyTorch: what the error text says that it has in use, less what PyTorch had reserved',
    '其中 {value} 由本进程自身在 PyTorch 之外占用：错误文本所说的本进程占用，减去 PyTorch 的预留',
  ],
  outside_growth_own: [
    'memory in use outside grew by {value} a step, and most of it is of this process: something in it, outside PyTorch, takes memory with every step and does not give it back',
    '外部占用每步增长 {value}，且大部分属于本进程：其中 PyTorch 之外的某部分每步占用内存而不归还',
  ],
  other_processes: ['other processes held {value}', '其他进程占用 {value}'],
  private_pools: [
    '{value} were reserved in private pools (CUDA graphs, own pools), {share} of all; requests of the default pool cannot use them',
    '私有池（CUDA graph、自建池）预留了 {value}，占全部的 {share}；默认池的请求无法使用',
  ],
  optimizer_state_bytes: [
    'the optimizer held {value} of state, {share} of what was reserved',
    '优化器状态占用 {value}，占已预留内存的 {share}',
  ],
  optimizer_request: [
    'the failing request was made while the optimizer set up its state: {value}',
    '失败的请求发生在优化器建立状态时：{value}',
  ],
  optimizer_first_step: [
    'it failed inside optimizer step {value}: state is made in the first one',
    '失败发生在第 {value} 次优化器更新内：状态在第一次更新时建立',
  ],
  larger_tensors: [
    '{stack} held as many allocations as before, each larger than its forerunner: {value} at the end, {grown} more than at the start',
    '{stack} 持有的分配数量不变，但每个都比前一个更大：最后为 {value}，比开始多 {grown}',
  ],
  longer_request: [
    'the request was a little larger than {count} held allocations of one size, {value} together: such as a cache that is extended has',
    '请求略大于 {count} 个大小相同的已占用分配（共 {value}）：被扩展的缓存正是如此',
  ],
  cache_bytes: ['caches of keys and values held {value}, {share} of what was reserved', '键值缓存占用 {value}，占已预留内存的 {share}'],
  weights_twin: [
    '{count} allocations that asked for {value} (before rounding up) repeat the sizes of the parameters (sizes × {scale})',
    '{count} 个分配（共申请 {value}，未计取整）重复了参数的大小（大小 × {scale}）',
  ],
  weights_repeated: [
    'the parameters of the model were loaded again from the beginning, {value} of them so far (as asked for, before rounding up)',
    '模型的参数从头再次加载，目前已申请 {value}（未计取整）',
  ],
  sizes_repeated: [
    'without stacks: the sizes of the first {count} allocations come again in the same order, {value} times in all',
    '没有调用栈：最初 {count} 个分配的大小以相同顺序再次出现，共 {value} 次',
  ],
  sizes_reversed: [
    'without stacks: the sizes of the first {count} allocations come again in the opposite order, as a backward pass makes gradients, {value} times in all',
    '没有调用栈：最初 {count} 个分配的大小以相反顺序再次出现（反向计算产生梯度的顺序），共 {value} 次',
  ],
  weights_bytes: ['parameters asked for {value} (before rounding up)', '参数申请了 {value}（未计取整）'],
  request_share: [
    'one request of {bytes} was {value} of all that could be reserved ({limit})',
    '单个 {bytes} 的请求占可预留内存（{limit}）的 {value}',
  ],
  request_share_reserved: [
    'one request of {bytes} was as large as {value} of all that was reserved ({limit}); the limit is not known exactly',
    '单个 {bytes} 的请求相当于全部已预留内存（{limit}）的 {value}；上限不能确知',
  ],
  request_stack: ['it was made by {value}', '它来自 {value}'],
  leak_slope: [
    'memory that is never given back grew by {value} a step, by {bytes} in the recorded history ({share} of what was reserved)',
    '从未释放的内存每步增长 {value}，在记录的历史中共增长 {bytes}（相当于已预留内存的 {share}）',
  ],
  leak_bytes: [
    'memory that is never given back grew by {value} in the recorded history ({share} of what was reserved)',
    '从未释放的内存在记录的历史中增长了 {value}（相当于已预留内存的 {share}）',
  ],
  leak_stack: ['most of it was made by {value}', '其中最多的来自 {value}'],
  leak_end_count: [
    'at that pace {limit} would be full after about {value} steps, counted from the first',
    '按此速度，从第一步算起约 {value} 步后 {limit} 将用尽',
  ],
  line_holds: [
    '{stack} held {value} in {count} allocations, {share} of what was reserved',
    '{stack} 以 {count} 个分配占用 {value}，占已预留内存的 {share}',
  ],
  leak_end: ['at that pace {limit} would be full about step {value}', '按此速度，约在第 {value} 步时 {limit} 将用尽'],
  quiet_growth: [
    'between steps memory grew from {first} to {value}; without stacks what grew is not known',
    '步间的内存从 {first} 增长到 {value}；没有调用栈，无法知道增长来自哪里',
  ],
  metrics_slope: [
    'memory held between steps grew by {value} (by the metrics), from {first} to {last}',
    '步间占用的内存每步增长 {value}（据指标），从 {first} 到 {last}',
  ],
} as const satisfies Record<string, readonly [string, string]>
