// Sentences of facts and verdicts: [English, Chinese].

export const factWords = {
  exhausted: [
    'exhausted: held {allocated} + request {request} do not fit into {limit}',
    '耗尽：占用 {allocated} + 请求 {request} 超过 {limit}',
  ],
  exhausted_reserved: [
    'exhausted: held {allocated} + request {request} = {sum} are more than the {most} that were reserved at most, and more was not given: the limit lies below {below}',
    '耗尽：占用 {allocated} + 请求 {request} = {sum}，超过曾预留的最大值 {most}，且无法获得更多：上限低于 {below}',
  ],
  exhausted_elsewhere: [
    'held {allocated} + request {request} = {sum} would fit into the {most} that were reserved at most, and more was not given: what is free lies where the request cannot use it',
    '占用 {allocated} + 请求 {request} = {sum}，本可放入曾预留的最大值 {most}，且无法获得更多：空闲内存在请求无法使用的地方',
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
    'a cap between {most} (reserved once) and {below} (refused) applied, while the device had {deviceFree} free and could have given the segment of {segment}',
    '存在介于 {most}（曾预留）与 {below}（被拒绝）之间的上限，而设备还有 {deviceFree} 空闲，本可提供 {segment} 的段',
  ],
  retried: [
    'the cache had been emptied and a request tried again {count} times before: nothing more could be reserved then',
    '此前曾 {count} 次清空缓存并重试请求：当时已无法再预留',
  ],
  retried_event: [
    'the cache had been emptied and a request tried again {count} times before, first at event {event}: nothing more could be reserved then',
    '此前曾 {count} 次清空缓存并重试请求，首次在事件 {event}：当时已无法再预留',
  ],
  retried_step: [
    'the cache had been emptied and a request tried again {count} times before, first by step {step}: nothing more could be reserved then',
    '此前曾 {count} 次清空缓存并重试请求，首次不晚于第 {step} 步：当时已无法再预留',
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
