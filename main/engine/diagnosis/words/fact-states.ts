// Facts that do not hold, and facts that cannot be known: [English, Chinese].

export const factStateWords = {
  not_failed: ['no request failed', '没有请求失败'],
  not_exhausted: [
    'not exhausted: held {allocated} + request {request} = {sum} fit into the {most} that could be reserved',
    '未耗尽：占用 {allocated} + 请求 {request} = {sum}，可放入可预留的 {most}',
  ],
  not_no_contiguous_block: [
    'no: the {free} that were free for it would not hold the request of {request} even if they were one block',
    '否：可供它使用的空闲内存 {free} 即使连成一块，也放不下 {request} 的请求',
  ],
  not_outside_pytorch: [
    'not outside PyTorch: other users of the device held {outside}, which is little',
    '并非 PyTorch 之外：设备的其他使用者占用 {outside}，数量不多',
  ],
  not_outside_had_room: [
    'not outside PyTorch: the device itself had {deviceFree} free, enough for the segment of {segment}',
    '并非 PyTorch 之外：设备本身还有 {deviceFree} 空闲，足以提供 {segment} 的段',
  ],
  not_retried: ['no request had to be tried again before', '此前没有请求需要重试'],
  not_pending_frees: ['no free that waited for another stream would have made a block that fits', '没有等待其他流的释放能形成合适的块'],
  not_other_stream: ['no block that fits was free on another stream', '其他流上没有合适的空闲块'],
  not_other_pool: ['no block that fits was free in another pool', '其他池中没有合适的空闲块'],
  not_cap_below_device: ['no cap held the program back: the device itself had too little left', '没有上限限制本程序：设备本身剩余不足'],
  not_history_too_short: ['the history reaches back to the start of all that was held', '历史记录覆盖了全部占用的开头'],
  unknown_exhausted: [
    'whether memory was exhausted is not known: it takes what was asked for and what was held',
    '无法知道内存是否耗尽：需要请求的大小和占用的大小',
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
