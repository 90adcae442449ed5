// Sentences of facts and verdicts: [English, Chinese].

export const factWords = {
  sum_held: ['held {bytes}', '占用 {bytes}'],
  sum_elsewhere: ['{bytes} free in other pools or on other streams', '其他池或其他流上的空闲 {bytes}'],
  sum_outside: ['{bytes} in use outside PyTorch', 'PyTorch 之外占用 {bytes}'],
  sum_request: ['request {bytes}', '请求 {bytes}'],
  exhausted: ['exhausted: {needed}, which do not fit into {against}', '耗尽：{needed}，放不进 {against}'],
  exhausted_device: ['exhausted: {needed}, more than the {against} of the device', '耗尽：{needed}，超过设备的 {against}'],
  exhausted_left: [
    'exhausted: {needed}, more than the {against} that were reserved or still free on the device',
    '耗尽：{needed}，超过已预留与设备空闲之和 {against}',
  ],
  exhausted_range: [
    'exhausted: {needed}, and the limit lies below {below}: at most {atLeast} were reserved at any time, and a new segment of {segment} was refused',
    '耗尽：{needed}，而上限低于 {below}：曾预留的最大值为 {atLeast}，{segment} 的新段被拒绝',
  ],
  no_contiguous_block: [
    'no contiguous block: {free} were free, the largest block {largest}, the request {request}',
    '没有连续块：空闲 {free}，最大块 {largest}，请求 {request}',
  ],
  no_contiguous_told: [
    'no contiguous block: {free} were reserved and free, the request was {request}, and no block took it',
    '没有连续块：已预留但空闲 {free}，请求 {request}，没有块能容纳它',
  ],
  segment_refused: [
    'a new segment of {segment} did not fit into the {room} that could still be reserved; with the {free} that were free they would have held the request of {request}',
    '{segment} 的新段放不进还能预留的 {room}；加上空闲的 {free}，本可容纳 {request} 的请求',
  ],
  segment_refused_range: [
    'a new segment of {segment} was refused although {room} or more could still be reserved; with the {free} that were free they would have held the request of {request}',
    '{segment} 的新段被拒绝，尽管至少还能预留 {room}；加上空闲的 {free}，本可容纳 {request} 的请求',
  ],
  outside_pytorch: [
    'outside PyTorch: {outside} of the device were in use and not reserved by this program’s PyTorch; whether by this process (context, libraries, extensions) or by others is not known',
    'PyTorch 之外：设备上有 {outside} 被占用，且不是由本程序的 PyTorch 预留；是本进程（上下文、库、扩展）还是其他进程占用，无法知道',
  ],
  outside_own: [
    'outside PyTorch: this process itself held {own} of the device beside what PyTorch reserved (context, NCCL, other libraries, cudaMalloc in extensions)',
    'PyTorch 之外：本进程自身在 PyTorch 预留之外还占用设备 {own}（上下文、NCCL、其他库、扩展中的 cudaMalloc）',
  ],
  outside_others: ['outside PyTorch: other processes held {others} of the device', 'PyTorch 之外：其他进程占用设备 {others}'],
  outside_both: [
    'outside PyTorch: {outside} of the device, of which this process itself held {own} (context, libraries, extensions) and other processes {others}',
    'PyTorch 之外：占用设备 {outside}，其中本进程自身 {own}（上下文、库、扩展），其他进程 {others}',
  ],
  pending_frees: ['frees that waited for another stream would have sufficed', '等待其他流的释放本来就足够'],
  other_stream: ['a block that fits was free on another stream', '另一个流上有合适的空闲块'],
  other_pool: ['a block that fits was free in another pool', '另一个池中有合适的空闲块'],
  cap_below_device: ['a cap below the device’s memory applied', '存在低于设备显存的上限'],
  cap_named: [
    'a cap of {limit} applied, while the device had {deviceFree} free and could have given the segment of {segment}',
    '存在 {limit} 的上限，而设备还有 {deviceFree} 空闲，本可提供 {segment} 的段',
  ],
  cap_refused: [
    'a cap between {atLeast} (reserved once) and {below} (refused) applied, while the device had {deviceFree} free and could have given the segment of {segment}',
    '存在介于 {atLeast}（曾预留）与 {below}（被拒绝）之间的上限，而设备还有 {deviceFree} 空闲，本可提供 {segment} 的段',
  ],
  retried: [
    'the cache had been emptied and a request tried again before (retries: {count}; {inAll}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}；{inAll}）：当时已无法再预留',
  ],
  retried_event: [
    'the cache had been emptied and a request tried again before (retries: {count}, the first at event {event}; {inAll}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}，首次在事件 {event}；{inAll}）：当时已无法再预留',
  ],
  retried_step: [
    'the cache had been emptied and a request tried again before (retries: {count}, the first by step {step}; {inAll}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}，首次不晚于第 {step} 步；{inAll}）：当时已无法再预留',
  ],
  retried_since: [
    'the cache had been emptied and a request tried again before (retries: {count} by the history, the first at event {event}; {noted} when the metrics were last written; {inAll}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：据历史 {count}，首次在事件 {event}；指标最后一次写入时为 {noted}；{inAll}）：当时已无法再预留',
  ],
  history_too_short: ['the history does not reach back to the start: what is older has no time', '历史记录未覆盖开头：更早的分配没有时间'],
  recovered: [
    'a request of {request} failed at event {event}, and the program went on: {count} allocations followed',
    '事件 {event} 处 {request} 的请求失败，但程序继续运行：之后还有 {count} 次分配',
  ],
  need_snapshot: [
    'a memory snapshot taken at the failure (torch.cuda.memory._dump_snapshot) would tell what held memory',
    '失败时的内存快照（torch.cuda.memory._dump_snapshot）可以说明内存被谁占用',
  ],
  need_error_text: [
    'the text of the error would tell the cap, the device’s total and what other processes hold',
    '错误文本可以说明上限、设备总量以及其他进程的占用',
  ],
  need_stacks: [
    'a snapshot with stacks (stacks="python") would tell what made the memory',
    '带调用栈的快照（stacks="python"）可以说明内存来自哪里',
  ],
  need_failure_text: [
    'no message of an out-of-memory failure was found in the file: name the log that has it, or a memory snapshot',
    '文件中没有找到显存不足的报错信息：请指定含有该信息的日志，或内存快照',
  ],
  need_whole_file: [
    'the file ends early: the whole of it would tell whether, and why, memory ran out',
    '文件不完整：完整文件可以说明是否、以及为何显存不足',
  ],
  need_unread: [
    'files that cannot be read ({count}) would tell whether, and why, memory ran out: {names}',
    '无法读取的文件（{count} 个）可以说明是否、以及为何显存不足：{names}',
  ],
  metrics_no_memory: [
    'the metrics note no memory: a snapshot, the log, or metrics with allocated and reserved bytes would tell whether it ran out',
    '指标中没有内存数据：快照、日志，或含已分配与已预留字节数的指标可以说明内存是否耗尽',
  ],
  metrics_near: [
    'close to the limit: when last noted, {used} of the device’s {total} were in use, {left} were left',
    '接近上限：最后一次记录时，设备的 {total} 中已占用 {used}，剩余 {left}',
  ],
  metrics_filling: [
    'close to the limit: when last noted, {used} of the device’s {total} were in use, {left} were left, and it grew by {perStep} a step',
    '接近上限：最后一次记录时，设备的 {total} 中已占用 {used}，剩余 {left}，且每步增长 {perStep}',
  ],
  metrics_retried: [
    'close to the limit: the cache had been emptied and requests tried again (num_alloc_retries: {count}, first noted at step {step}), because nothing more could be reserved',
    '接近上限：曾清空缓存并重试请求（num_alloc_retries：{count}，首次记录在第 {step} 步），因为无法再预留',
  ],
  metrics_need_end: [
    'metrics end with the last whole step: the log of the run, or a snapshot, would tell whether the next one failed',
    '指标止于最后完整的一步：运行的日志或快照可以说明下一步是否失败',
  ],
  need_history: ['a longer history (max_entries) would tell what grew', '更长的历史（max_entries）可以说明增长来自哪里'],
} as const satisfies Record<string, readonly [string, string]>
