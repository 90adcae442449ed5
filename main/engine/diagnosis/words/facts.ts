// Sentences of facts and verdicts: [English, Chinese].

export const factWords = {
  exhausted: [
    'exhausted: held {allocated} + request {request} do not fit into {limit}',
    '耗尽：占用 {allocated} + 请求 {request} 超过 {limit}',
  ],
  exhausted_reserved: [
    'exhausted: held {allocated} + request {request} = {sum} are more than the {most} that were reserved at most, and a new segment of {segment} was refused beside the {reserved} reserved then: the limit lies below {below}',
    '耗尽：占用 {allocated} + 请求 {request} = {sum}，超过曾预留的最大值 {most}；在当时已预留的 {reserved} 之外申请 {segment} 的新段被拒绝：上限低于 {below}',
  ],
  exhausted_elsewhere: [
    'held {allocated} + request {request} = {sum} would fit into the {most} that were reserved at most: what is free lies where the request cannot use it, and a new segment of {segment} was refused',
    '占用 {allocated} + 请求 {request} = {sum}，本可放入曾预留的最大值 {most}：空闲内存在请求无法使用的地方，而 {segment} 的新段被拒绝',
  ],
  no_contiguous_block: [
    'no contiguous block: {free} were free, the largest block {largest}, the request {request}',
    '没有连续块：空闲 {free}，最大块 {largest}，请求 {request}',
  ],
  outside_pytorch: ['outside PyTorch: other users of the device held {outside}', 'PyTorch 之外：设备的其他使用者占用 {outside}'],
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
    'the cache had been emptied and a request tried again before (retries: {count}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}）：当时已无法再预留',
  ],
  retried_event: [
    'the cache had been emptied and a request tried again before (retries: {count}, the first at event {event}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}，首次在事件 {event}）：当时已无法再预留',
  ],
  retried_step: [
    'the cache had been emptied and a request tried again before (retries: {count}, the first by step {step}): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：{count}，首次不晚于第 {step} 步）：当时已无法再预留',
  ],
  retried_since: [
    'the cache had been emptied and a request tried again before (retries: {count} by the history, the first at event {event}; {noted} when the metrics were last written): nothing more could be reserved then',
    '此前曾清空缓存并重试请求（重试次数：据历史 {count}，首次在事件 {event}；指标最后一次写入时为 {noted}）：当时已无法再预留',
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
  need_history: ['a longer history (max_entries) would tell what grew', '更长的历史（max_entries）可以说明增长来自哪里'],
} as const satisfies Record<string, readonly [string, string]>
