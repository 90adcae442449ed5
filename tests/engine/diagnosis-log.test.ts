// What failure texts say, in the wordings of all times; own texts, shaped as programs print them.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { linesIn } from '../../main/engine/diagnosis/lines.ts'
import { FailureLog, type LogReading, readLogFile, readLogText } from '../../main/engine/diagnosis/log-text.ts'
import { scratchFolder } from '../support/paths.ts'

const scratch = scratchFolder('diagnosis-log')
afterAll(() => scratch.remove())

function scratchText(name: string, content: string | Buffer): string {
  const path = join(scratch.path, name)
  writeFileSync(path, content)
  return path
}

const MiB = 1024 ** 2
const GiB = 1024 ** 3

const only = (text: string) => {
  const { failures } = readLogText(text)
  expect(failures).toHaveLength(1)
  const [failure] = failures
  if (!failure) throw new Error('no failure')
  return failure
}

const today =
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 3 has a total capacity of 79.33 GiB of which 109.81 MiB is free. ' +
  'Process 41 has 1.98 GiB memory in use. Process 1774 has 722.00 MiB memory in use. Including non-PyTorch memory, this process has 76.40 GiB memory in use. ' +
  '2.50 GiB allowed; Of the allocated memory 2.48 GiB is allocated by PyTorch, with 1.11 GiB allocated in private pools (e.g., CUDA Graphs), ' +
  'and 4.57 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting ' +
  'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  ' +
  '(https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)'

test('every part of the wording of today is read, with the precision of its digits', () => {
  const failure = only(today)
  expect(failure).toMatchObject({
    kind: 'allocator',
    backend: 'CUDA',
    exception: 'torch.OutOfMemoryError',
    gpu: 3,
    requested: { bytes: 20 * MiB, precision: Math.ceil(0.005 * MiB) },
    total: { bytes: Math.round(79.33 * GiB) },
    free: { bytes: Math.round(109.81 * MiB) },
    process: { bytes: Math.round(76.4 * GiB) },
    allowed: { bytes: 2.5 * GiB },
    allocated: { bytes: Math.round(2.48 * GiB) },
    privatePools: { bytes: Math.round(1.11 * GiB) },
    unallocated: { bytes: Math.round(4.57 * MiB) },
    advice: ['expandable_segments'],
  })
  expect(failure.others).toEqual([
    { pid: '41', inUse: { bytes: Math.round(1.98 * GiB), precision: Math.ceil(0.005 * GiB) } },
    { pid: '1774', inUse: { bytes: 722 * MiB, precision: Math.ceil(0.005 * MiB) } },
  ])
})

test.each([
  [
    'of 1.0, where cached is what is free in the cache',
    'RuntimeError: CUDA out of memory. Tried to allocate 32.00 MiB (GPU 1; 7.79 GiB total capacity; 6.64 GiB already allocated; 21.00 MiB free; 150.86 MiB cached)',
    { gpu: 1, requested: 32 * MiB, free: 21 * MiB, allocated: Math.round(6.64 * GiB), unallocated: Math.round(150.86 * MiB) },
  ],
  [
    'of 1.4, where reserved holds what is allocated',
    'RuntimeError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 16.00 GiB total capacity; 13.00 GiB already allocated; 415.88 MiB free; 14.50 GiB reserved in total by PyTorch)',
    { requested: 512 * MiB, total: 16 * GiB, allocated: 13 * GiB, reserved: 14.5 * GiB, unallocated: 1.5 * GiB },
  ],
  [
    'of 1.10 with a cap',
    'RuntimeError: CUDA out of memory. Tried to allocate 1.71 GiB (GPU 0; 6.00 GiB total capacity; 3.00 GiB already allocated; 1.04 GiB free; 4.00 GiB allowed; 3.50 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF',
    { allowed: 4 * GiB, reserved: 3.5 * GiB, unallocated: 0.5 * GiB },
  ],
  [
    'of 2.1 with its misspelling',
    'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 27.12 GiB. GPU 0 has a total capacty of 12.00 GiB of which 0 bytes is free. Of the allocated memory 11.50 GiB is allocated by PyTorch, and 144.59 MiB is reserved by PyTorch but unallocated.',
    { total: 12 * GiB, free: 0, allocated: 11.5 * GiB },
  ],
  [
    'of HIP',
    'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.88 GiB. GPU 0 has a total capacity of 24.00 GiB of which 1.70 GiB is free. Of the allocated memory 21.65 GiB is allocated by PyTorch, and 279.78 MiB is reserved by PyTorch but unallocated.',
    { backend: 'HIP', requested: Math.round(1.88 * GiB), total: 24 * GiB },
  ],
  [
    'of XPU without free memory',
    'torch.OutOfMemoryError: XPU out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 15.11 GiB. Of the allocated memory 8.00 GiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.',
    { backend: 'XPU', requested: 4 * GiB, allocated: 8 * GiB, unallocated: 0, free: null },
  ],
  [
    'of the asynchronous allocator',
    'torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 7.12 GiB\nRequested               : 20.00 MiB\nDevice limit            : 8.00 GiB\nFree (according to CUDA): 0 bytes',
    { kind: 'async', requested: 20 * MiB, total: 8 * GiB, free: 0, allocated: Math.round(7.12 * GiB) },
  ],
  [
    'of host memory',
    'RuntimeError: [enforce fail at alloc_cpu.cpp:75] . DefaultCPUAllocator: can’t allocate memory: you tried to allocate 1073741824 bytes. Error code 12 (Cannot allocate memory)',
    { kind: 'cpu', backend: 'CPU', requested: GiB },
  ],
  [
    'of MPS, which counts in steps of 1024',
    'RuntimeError: MPS backend out of memory (MPS allocated: 17.50 GB, other allocations: 384.00 KB, max allowed: 18.25 GB). Tried to allocate 1.00 GB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).',
    { kind: 'allocator', backend: 'MPS', requested: GiB, allocated: 17.5 * GiB, allowed: 18.25 * GiB },
  ],
  [
    'of NPU',
    'RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 3; 60.50 GiB total capacity; 58.00 GiB already allocated; 58.00 GiB current active; 1.25 GiB free; 59.25 GiB reserved in total by PyTorch)',
    { backend: 'NPU', gpu: 3, requested: 2 * GiB, free: 1.25 * GiB, reserved: 59.25 * GiB, unallocated: 1.25 * GiB },
  ],
  ['of MTIA', 'RuntimeError: MTIA out of memory. Tried to allocate 20.00 MiB.', { backend: 'MTIA', requested: 20 * MiB }],
  [
    'of host memory on Windows',
    'RuntimeError: [enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough memory: you tried to allocate 3221225472 bytes.',
    { kind: 'cpu', requested: 3 * GiB },
  ],
  [
    'of host memory before 1.0',
    'RuntimeError: $ Torch: not enough memory: you tried to allocate 12GB. Buy new RAM! at /pytorch/aten/src/TH/THGeneral.cpp:204',
    { kind: 'cpu', backend: 'CPU', requested: 12 * GiB },
  ],
  ['of the driver before 1.0', 'RuntimeError: cuda runtime error (2) : out of memory at /a/THCStorage.cu:58', { kind: 'runtime' }],
  ['of the driver’s own interface', 'RuntimeError: CUDA driver error: out of memory', { kind: 'runtime', exception: 'RuntimeError' }],
  ['of the driver today', 'torch.AcceleratorError: CUDA error: out of memory', { kind: 'runtime', exception: 'torch.AcceleratorError' }],
  ['of HIP’s driver', 'RuntimeError: HIP error: out of memory', { kind: 'runtime', backend: 'HIP' }],
  ['of cuDNN 9', 'RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED', { kind: 'cudnn' }],
  [
    'of XPU in its first form',
    'RuntimeError: XPU out of memory. Tried to allocate 44.00 GiB (GPU 0; 16.00 GiB total capacity; 8.00 GiB already allocated; 8.50 GiB reserved in total by PyTorch)',
    { backend: 'XPU', requested: 44 * GiB, total: 16 * GiB, unallocated: 0.5 * GiB },
  ],
  [
    'of NCCL through PyTorch',
    "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 'out of memory'",
    { kind: 'nccl', requested: null },
  ],
  [
    'with a size that no machine has, as a wrong shape gives',
    'CUDA out of memory. Tried to allocate 1831054.50 GiB. GPU 0 has a total capacity of 80.00 GiB of which 70.00 GiB is free.',
    { requested: 1831054.5 * GiB, unreadAmounts: [] },
  ],
  [
    'beyond all measure',
    'RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.',
    { kind: 'allocator', requested: null },
  ],
  ['of cuBLAS', 'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`', { kind: 'cublas' }],
  ['of cuDNN', 'RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED', { kind: 'cudnn' }],
  ['of the driver', 'RuntimeError: CUDA error: out of memory', { kind: 'runtime', requested: null }],
  [
    'of NCCL, in two lines',
    'node:63028:66152 [3] include/alloc.h:178 NCCL WARN Cuda failure 2 ‘out of memory’'.replaceAll(/[‘’]/g, "'") +
      '\nnode:63028:66152 [3] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 6291456 bytes',
    { kind: 'nccl', requested: 6 * MiB },
  ],
  [
    'with thousands separators',
    'CUDA out of memory. Tried to allocate 1,013.50 MiB. GPU 0 has a total capacity of 1,024 GiB of which 0 bytes is free.',
    { requested: Math.round(1013.5 * MiB), total: 1024 * GiB },
  ],
  [
    'with a number that overflowed',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 8.00 GiB of which 0 bytes is free. Including non-PyTorch memory, this process has 17179869184.00 GiB memory in use.',
    { process: null, requested: 2 * GiB },
  ],
])('the wording %s is read', (_, text, facts) => {
  const failure = only(text)
  for (const [name, value] of Object.entries(facts)) {
    const found = failure[name as keyof typeof failure]
    expect(typeof found === 'object' && found !== null && 'bytes' in found ? found.bytes : found, name).toEqual(value)
  }
})

test('ranks, times and colours are told apart from the text, and each failure of a log is its own', () => {
  const at = (rank: number, mib: number) =>
    `[rank${rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${mib}.00 MiB. GPU ${rank} has a total capacity of 80.00 GiB of which 1.00 MiB is free.`
  const log = [
    '2026-03-01 10:00:01,120 INFO step 1',
    `\u001b[31m${at(0, 20)}\u001b[0m`,
    `2026-03-01 10:00:02,123 ${at(1, 30)}`,
    '(EngineCore pid=9004) OutOfMemoryError: CUDA out of memory. Tried to allocate 40.00 MiB. GPU 2 has a total capacity of 80.00 GiB',
  ]
  const { failures, lineCount } = readLogText(log.join('\r\n'))
  expect(lineCount).toBe(4)
  expect(failures.map(({ rank, gpu, line, requested, time }) => [rank, gpu, line, requested?.bytes, time])).toEqual([
    [0, 0, 2, 20 * MiB, null],
    [1, 1, 3, 30 * MiB, '2026-03-01 10:00:02,123'],
    [null, 2, 4, 40 * MiB, null],
  ])
})

test('a message that a terminal wrapped, in the middle of words too, is read whole', () => {
  const wrapped = today.replace(/.{1,79}/g, (line) => `${line}\n`)
  const { line: _line, text: _text, ...whole } = only(today)
  expect(only(wrapped)).toMatchObject(whole)
})

test('the lines of several ranks that are mixed up are put together by rank', () => {
  const [head, tail] = [today.slice(0, 300), today.slice(300)]
  const other = today.replace('20.00 MiB', '48.00 MiB').replace('GPU 3', 'GPU 4')
  const lines = [`[rank3]: ${head}`, `[rank4]: ${other.slice(0, 250)}`, `[rank3]: ${tail}`, `[rank4]: ${other.slice(250)}`]
  const { failures } = readLogText(lines.join('\n'))
  expect(failures.map(({ rank, requested, unallocated }) => [rank, requested?.bytes, unallocated?.bytes])).toEqual([
    [3, 20 * MiB, Math.round(4.57 * MiB)],
    [4, 48 * MiB, Math.round(4.57 * MiB)],
  ])
})

test('the traceback above a failure is kept, innermost first, and a failure that is printed again is counted', () => {
  const trace = [
    'Traceback (most recent call last):',
    '  File "/home/a/train.py", line 20, in <module>',
    '    main()',
    '  File "/env/torch/optim/adamw.py", line 7, in _init_group',
    '    state["exp_avg"] = torch.zeros_like(p)',
    today,
  ]
  const failure = only([...trace, '', 'During handling of the above exception:', ...trace].join('\n'))
  expect(failure.repeats).toBe(2)
  expect(failure.frames.map(({ name, line }) => [name, line])).toEqual([
    ['_init_group', 7],
    ['<module>', 20],
  ])
})

test('a text inside JSON is read with its escaped line ends', () => {
  const json = JSON.stringify({ error: null, traceback: `Traceback (most recent call last):\n  File "a.py", line 3, in main\n${today}` })
  expect(only(json).frames).toEqual([{ file: 'a.py', line: 3, name: 'main' }])
})

test('prose about memory is no failure', () => {
  const { failures } = readLogText(
    'If you see "CUDA out of memory", lower the batch size.\nGPU 0 has a total capacity of 80 GiB, 3 GiB free.',
  )
  expect(failures).toEqual([])
})

test('hostile text is read in one pass, and in bounded memory', () => {
  const shapes = [
    'CUDA out of memory. ',
    'CUDA out of memory. Tried to allocate 1111111111111111111111111111,',
    `[${'a'.repeat(79)}`,
    '\u001b[',
    'Process 1 has 1 ',
    '  File "',
    'Error: Error(',
  ]
  // What grows with the square of 4 MiB would not end in the time that a test has.
  for (const shape of shapes) expect(readLogText(shape.repeat(Math.ceil(2 ** 22 / shape.length))).failures.length).toBeLessThan(2)
  const log = new FailureLog()
  for (let at = 0; at < 12_000; at += 1) log.push(`RuntimeError: CUDA out of memory. Tried to allocate ${at + 1} bytes`)
  const { failures, leftOut } = log.end()
  expect(failures).toHaveLength(10_000)
  expect(leftOut).toBe(2000)
})

test('lines are counted as an editor counts them, also below one that is longer than the reader takes at once', async () => {
  const path = join(scratch.path, 'long.log')
  const last = 'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 80.00 GiB'
  writeFileSync(path, `first\r\n${'x'.repeat(1_500_000)}\r\nthird\n${last}`)
  const { failures, lineCount } = await readLogFile(path)
  expect([lineCount, failures.map(({ line }) => line)]).toEqual([4, [4]])
})

const oldText = [
  'step 1',
  'Traceback (most recent call last):',
  '  File "/project/train.py", line 7, in step',
  '    loss.backward()',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.',
].join('\r')

test.each<[string, () => Promise<LogReading> | LogReading]>([
  ['file', () => readLogFile(scratchText('returns.log', oldText))],
  ['pasted text', () => readLogText(oldText)],
])('a %s whose lines end with a carriage return alone has lines and tracebacks', async (_, read) => {
  const { failures, lineCount } = await read()
  expect([lineCount, failures.map(({ line, frames }) => [line, frames.map(({ file }) => file)])]).toEqual([5, [[5, ['/project/train.py']]]])
})

test.each(['utf16le', 'utf16be'] as const)('a text in %s is read without a mark at its head', async (coding) => {
  const bytes = Buffer.from(oldText.replaceAll('\r', '\n'), 'utf16le')
  const { failures } = await readLogFile(scratchText(`${coding}.log`, coding === 'utf16le' ? bytes : bytes.swap16()))
  expect(failures.map(({ requested, frames }) => [requested?.bytes, frames.length])).toEqual([[20 * MiB, 1]])
})

test('a failure in the middle of a line that is too long is found', async () => {
  const path = join(scratch.path, 'middle.log')
  writeFileSync(path, `${'x '.repeat(600_000)}\nRuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB. ${'y '.repeat(600_000)}`)
  const { failures } = await readLogFile(path)
  expect(failures.map(({ line, requested }) => [line, requested?.bytes])).toEqual([[2, 20 * MiB]])
})

test('reading stops at the signal', async () => {
  const path = join(scratch.path, 'many.log')
  writeFileSync(path, 'nothing of interest\n'.repeat(200_000))
  const stop = new AbortController()
  const lines = linesIn(path, 1024, stop.signal)
  await lines.next()
  stop.abort()
  const rest = async () => {
    for await (const _ of lines);
  }
  await expect(rest()).rejects.toThrow(/abort/i)
  await expect(readLogFile(path, AbortSignal.abort())).rejects.toThrow(/abort/i)
})

test('a traceback is known behind a bar of progress, and as IPython and rich write it', () => {
  const framesOf = (...lines: string[]) => only([...lines, today].join('\n')).frames.map(({ name, line }) => [name, line])
  expect(
    framesOf('  3%|▎   | 3/100 [00:01<00:31]Traceback (most recent call last):', '  File "/a/train.py", line 7, in main', '    go()'),
  ).toEqual([['main', 7]])
  expect(framesOf('Traceback (most recent call last)', 'File ~/a/net.py:12, in Net.forward(self, x)', '---> 12 y = x @ w')).toEqual([
    ['forward', 12],
  ])
  expect(framesOf('│ /home/a/train.py:20 in main                     │', '│ /home/a/net.py:31 in forward                     │')).toEqual([
    ['forward', 31],
    ['main', 20],
  ])
})

test.each([
  ['below nothing', 'GPU 0 has a total capacity of 24.00 GiB of which -3.00 GiB is free.', { free: null, unreadAmounts: ['-3.00 GiB'] }],
  ['below nothing in an old wording', '(GPU 0; 24.00 GiB total capacity; -3.00 GiB free)', { free: null, unreadAmounts: ['-3.00 GiB'] }],
  ['of a unit that is none', 'GPU 0 has a total capacity of 24.00 QiB', { total: null, unreadAmounts: ['24.00 QiB'] }],
  ['in powers of ten', '(GPU 0; 24.00 GiB total capacity; 1e30 GiB free)', { free: null, unreadAmounts: ['1e30 GiB'] }],
])('an amount %s is not used, and kept to be said', (_, words, facts) => {
  expect(only(`RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB. ${words}`)).toMatchObject(facts)
})

test('a wrapped message behind the labels of a scheduler or a system log is read whole', () => {
  const message = [
    'CUDA out of memory. Tried to allocate 1.12 GiB. GPU 3 has a total',
    ' capacity of 44.42 GiB of which 22.31 GiB is free.',
  ]
  for (const label of ['2025-11-03 08:11:52,101 ERROR srun[3]: ', 'Nov  3 08:11:52 node-7 torchrun[4211]: ', 'job/worker[12]: ']) {
    const { failures } = readLogText(message.map((line) => `${label}[rank3]: ${line}`).join('\n'))
    expect(
      failures.map(({ rank, total }) => [rank, total?.bytes]),
      label,
    ).toEqual([[3, Math.round(44.42 * 1024 ** 3)]])
  }
})

test.each([
  ['[default7]:', 7],
  ['10.0.0.12: [rank12]: ', 12],
  ['worker-3: [rank27]: ', 27],
])('behind %s a launcher names the rank', (label, rank) => {
  const { failures } = readLogText(`${label}${today}`)
  expect(failures).toMatchObject([{ rank, gpu: 3 }])
})

test.each([
  ['UTF-16, low bytes first', Buffer.from(`\ufeff${today}\r\n`, 'utf16le')],
  ['UTF-16, high bytes first', Buffer.from(`\ufeff${today}\r\n`, 'utf16le').swap16()],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${today}\r\n`)],
])('a log in %s is read like any other', async (_, bytes) => {
  const path = join(scratch.path, 'marked.log')
  writeFileSync(path, bytes)
  const [failure] = (await readLogFile(path)).failures
  expect(failure).toMatchObject({ requested: { bytes: 20 * MiB }, exception: 'torch.OutOfMemoryError', line: 1 })
})

test('failures keep no more of a log in memory than they say', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const path = join(scratch.path, 'large.log')
  const others = `  File "/a/train.py", line 7, in step_of_training\n${`${'a long line '.repeat(200)}\n`.repeat(140)}`
  for (let at = 0; at < 150; at += 1) appendFileSync(path, `${others}[rank${at}]: ${today}\n`)
  collect()
  const before = process.memoryUsage().heapUsed
  const { failures } = await readLogFile(path)
  collect()
  expect(failures).toHaveLength(150)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(15 * MiB) // of 48
})
