// What cannot be believed, or was not read: [English, Chinese].

export const doubtWords = {
  doubt_free: [
    'the text contradicts itself: {part} free of a device of {whole}; neither is used',
    '文本自相矛盾：{whole} 的设备有 {part} 空闲；两者均不采用',
  ],
  doubt_allocated: [
    'the text contradicts itself: {part} allocated of {whole} reserved; neither is used',
    '文本自相矛盾：已分配 {part}，却只预留了 {whole}；两者均不采用',
  ],
  doubt_reserved: [
    'the text contradicts itself: {part} held on a device of {whole}; neither is used',
    '文本自相矛盾：{whole} 的设备上占用了 {part}；两者均不采用',
  ],
  doubt_allowed: [
    'the text contradicts itself: {part} allowed on a device of {whole}; neither is used',
    '文本自相矛盾：{whole} 的设备却允许使用 {part}；两者均不采用',
  ],
  doubt_private: [
    'the text contradicts itself: {part} in private pools of {whole} reserved; the former is not used',
    '文本自相矛盾：预留了 {whole}，私有池却有 {part}；后者不采用',
  ],
  doubt_unread: ['no amount of memory is “{amount}”: it is not used', '“{amount}”不是可能的内存量：不采用'],
  doubt_request: [
    'the file says that {bytes} B were asked for, which no request can be: the size is not used',
    '文件称请求了 {bytes} B，请求不可能是这个大小：不采用该大小',
  ],
  doubt_layout: [
    'segments of the file contradict their blocks (see its findings): what looks free may have been in use, so that “no contiguous block” is uncertain',
    '文件中的段与其块相互矛盾（见文件的发现）：看似空闲的内存可能正在使用，因此“没有连续块”不能确定',
  ],
  metrics_left_out: [
    'the metrics are too many to be held: {count} of {all} rows were left out, evenly',
    '指标过多，无法全部读入：均匀略去了 {all} 行中的 {count} 行',
  ],
  metrics_bad_lines: [
    '{count} {count|line|lines} of the metrics held no object and {count|was|were} passed over',
    '指标中有 {count} 行不是对象，已跳过',
  ],
  source_lost: ['{name} cannot be read any more: what it told is left out', '{name} 已无法读取：略去其内容'],
  source_of_others: [
    '{name} tells of other failures ({count}) and not of this one: dropped on the welcome page or another view, it opens as a table of its own',
    '{name} 记录的是其他失败（{count} 次），不是这一次：拖到欢迎页或其他视图上，它会作为单独的表打开',
  ],
} as const satisfies Record<string, readonly [string, string]>
