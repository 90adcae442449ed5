// Facts that do not hold, and facts that cannot be known: [English, Chinese].

export const factStateWords = {
  not_failed: ['no request failed', '没有请求失败'],
  not_exhausted: ['not exhausted: {needed}, which fit into {against}', '未耗尽：{needed}，可放入 {against}'],
  not_exhausted_outside: [
    'not by this program’s tensors: {reserved} were reserved by PyTorch, {outside} were in use outside it',
    '并非被本程序的张量耗尽：PyTorch 预留 {reserved}，其外占用 {outside}',
  ],
  not_no_contiguous_block: [
    'no: the {free} that were free for it would not hold the request of {request} even if they were one block',
    '否：可供它使用的空闲内存 {free} 即使连成一块，也放不下 {request} 的请求',
  ],
  not_no_contiguous_kept: [
    'no: the largest free block was {largest}, enough for the request of {request}, and not given: it was kept for larger requests',
    '否：最大的空闲块为 {largest}，足以满足 {request} 的请求，但未给出：它被留给更大的请求',
  ],
  not_segment_refused: [
    'no: the {free} that were free and what could still be reserved are together less than the request of {request}',
    '否：空闲的 {free} 加上还能预留的内存，仍少于 {request} 的请求',
  ],
  not_segment_needed: [
    'no: the {free} that were free were as much as the request of {request}, without any new memory',
    '否：空闲的 {free} 已不少于 {request} 的请求，无需新的内存',
  ],
  not_outside_pytorch: [
    'not outside PyTorch: {outside} of the device were in use outside this program’s PyTorch, which is little',
    '并非 PyTorch 之外：设备上在本程序的 PyTorch 之外占用 {outside}，数量不多',
  ],
  not_outside_had_room: [
    'not outside PyTorch: the device itself had {deviceFree} free, enough for the segment of {segment}',
    '并非 PyTorch 之外：设备本身还有 {deviceFree} 空闲，足以提供 {segment} 的段',
  ],
  not_retried: [
    'no request had to be tried again before; where one fails, it was tried again itself, which num_alloc_retries counts',
    '此前没有请求需要重试；失败的请求自身会被重试，num_alloc_retries 计入该次',
  ],
  retries_at_least: [
    'with the failed request itself, which is tried again too, num_alloc_retries counts {count} at least',
    '失败的请求自身也会重试，计入后 num_alloc_retries 至少为 {count}',
  ],
  retries_as_counted: ['as num_alloc_retries counts: {count}', '按 num_alloc_retries 计：{count}'],
  retries_in_all: [
    'with the failed request itself, which is tried again too, num_alloc_retries counts {count}',
    '失败的请求自身也会重试，计入后 num_alloc_retries 为 {count}',
  ],
  not_pending_frees: ['no free that waited for another stream would have made a block that fits', '没有等待其他流的释放能形成合适的块'],
  not_other_stream: ['no block that fits was free on another stream', '其他流上没有合适的空闲块'],
  not_other_pool: ['no block that fits was free in another pool', '其他池中没有合适的空闲块'],
  not_cap_below_device: ['no cap held the program back: the device itself had too little left', '没有上限限制本程序：设备本身剩余不足'],
  not_history_too_short: ['the history reaches back to the start of all that was held', '历史记录覆盖了全部占用的开头'],
  unknown_exhausted: [
    'whether memory was exhausted is not known: it takes what was asked for and what was held',
    '无法知道内存是否耗尽：需要请求的大小和占用的大小',
  ],
  unknown_exhausted_range: [
    '{needed}, and the limit, which no source names, lies between {atLeast} and {below}: whether memory was used up is not known; the text of the error tells the cap',
    '{needed}，而上限（没有来源写明）介于 {atLeast} 与 {below} 之间：无法知道内存是否耗尽；错误文本会写明上限',
  ],
  unknown_exhausted_rounded: [
    '{needed}, about as much as the limit of {against}: the text rounds its amounts, and whether memory was used up is not known',
    '{needed}，与上限 {against} 相近：文本中的数量是取整的，无法知道内存是否耗尽',
  ],
  unknown_exhausted_device: [
    'the device had only {deviceFree} free beside the {reserved} that PyTorch had reserved; whether this program or something else took the rest is not known without the size of the device: the text of the error tells it',
    '设备在 PyTorch 预留的 {reserved} 之外只剩 {deviceFree}；不知道设备的大小，就无法知道其余是被本程序还是其他使用者占用：错误文本会写明',
  ],
  unknown_segment_refused: [
    'whether what was free and what could still be reserved would have held it together is not known: it takes the limit',
    '无法知道空闲的内存与还能预留的内存合起来是否足够：需要知道上限',
  ],
  unknown_no_contiguous_block: [
    'whether a block was missing is not known: it takes what was asked for and what was free',
    '无法知道是否缺少连续块：需要请求的大小和空闲的大小',
  ],
  unknown_outside_pytorch: [
    'what others held on the device is not known: it takes the text of the error, or metrics with the device’s total',
    '无法知道设备上其他使用者的占用：需要错误文本，或含设备总量的指标',
  ],
  unknown_pending_frees: [
    'whether frees were pending can only be seen in a snapshot of the failure',
    '是否有未完成的释放，只有失败时的快照才能说明',
  ],
  unknown_other_stream: [
    'whether another stream had a block that fits can only be seen in a snapshot of the failure',
    '其他流上是否有合适的块，只有失败时的快照才能说明',
  ],
  unknown_other_pool: [
    'whether another pool had a block that fits can only be seen in a snapshot of the failure',
    '其他池中是否有合适的块，只有失败时的快照才能说明',
  ],
  unknown_cap_below_device: [
    'whether a cap applied is not known: the text of the error names it (“allowed”)',
    '无法知道是否有上限：错误文本会写明（“allowed”）',
  ],
  unknown_retried: [
    'whether requests had to be tried again before is in a snapshot with a history, or in metrics with num_alloc_retries',
    '此前是否有请求需要重试，需要带历史的快照或含 num_alloc_retries 的指标',
  ],
  unknown_history_too_short: ['without a snapshot there is no history', '没有快照就没有历史记录'],
} as const satisfies Record<string, readonly [string, string]>
