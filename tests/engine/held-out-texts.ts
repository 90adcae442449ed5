// Failures that are only told: the text of an error and the metrics of its run, as other programs, versions, devices and loggers write them.
// Written before any rule answered them. The amounts of a text agree with each other and with its metrics.

export const gib = 1024 ** 3
export const mib = 1024 ** 2

export interface ToldRun {
  readonly name: string
  /** Every verdict that a careful reader could give first; `null`: nothing can be known. */
  readonly accepts: readonly string[]
  readonly log: string | null
  readonly metrics: readonly object[]
  /** What must be read from the text, in the words of the log. */
  readonly facts: Readonly<Record<string, number>>
}

export const rows = (count: number, row: (at: number) => object): object[] => Array.from({ length: count }, (_, at) => row(at))
/** Noise of ±1 that repeats from run to run. */
const wobble = (at: number): number => Math.sin(at * 12.9898) * Math.cos(at * 78.233)

export const settings =
  'If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)'

const fragmentation: ToldRun[] = [
  {
    name: 'crops of many sizes on an A100, PyTorch 2.1',
    accepts: ['fragmentation'],
    log: 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacty of 79.15 GiB of which 1.19 GiB is free. Process 4242 has 77.95 GiB memory in use. Of the allocated memory 62.10 GiB is allocated by PyTorch, and 14.80 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF',
    metrics: rows(120, (at) => ({
      step: at,
      allocated: Math.round((55 + 4 * wobble(at)) * gib),
      reserved: Math.round((60 + at / 7.2) * gib),
      loss: 2,
    })),
    facts: { requested: 2.5 * gib, total: 79.15 * gib, free: 1.19 * gib, allocated: 62.1 * gib, unallocated: 14.8 * gib },
  },
  {
    name: 'a detector on a 3090, PyTorch 1.12, no metrics',
    accepts: ['fragmentation'],
    log: 'RuntimeError: CUDA out of memory. Tried to allocate 980.00 MiB (GPU 2; 23.69 GiB total capacity; 16.02 GiB already allocated; 311.56 MiB free; 22.10 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF',
    metrics: [],
    facts: { requested: 980 * mib, total: 23.69 * gib, free: 311.56 * mib, allocated: 16.02 * gib },
  },
  {
    name: 'a served model of long and short requests under a fraction, wrapped by a scheduler',
    accepts: ['fragmentation', 'kv_cache_growth'],
    log: [
      '2025-11-03 08:11:52,101 ERROR srun[3]: [rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.12 GiB. GPU 3 has a total',
      '2025-11-03 08:11:52,101 ERROR srun[3]: [rank3]:  capacity of 44.42 GiB of which 22.31 GiB is free. Including non-PyTorch memory, this process has 22.10 GiB memory in use. 22.21 GiB allowed;',
      '2025-11-03 08:11:52,101 ERROR srun[3]: [rank3]:  Of the allocated memory 15.75 GiB is allocated by PyTorch, and 5.90 GiB is reserved by PyTorch but unallocated. ' +
        settings,
    ].join('\n'),
    metrics: [],
    facts: {
      requested: 1.12 * gib,
      total: 44.42 * gib,
      free: 22.31 * gib,
      allowed: 22.21 * gib,
      allocated: 15.75 * gib,
      unallocated: 5.9 * gib,
    },
  },
]

const activations: ToldRun[] = [
  {
    name: 'sequences that become longer on a 4090',
    accepts: ['activation_residency', 'single_huge_allocation'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 23.52 GiB of which 201.06 MiB is free. Including non-PyTorch memory, this process has 23.31 GiB memory in use. Of the allocated memory 22.60 GiB is allocated by PyTorch, and 190.22 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(14, (at) => ({
      iteration: at,
      memory_allocated: 4.1 * gib,
      max_memory_allocated: Math.round((4.1 + 0.085 * (at + 1) ** 2) * gib),
      memory_reserved: Math.round((4.4 + 0.088 * (at + 1) ** 2) * gib),
      sequence_length: 256 * (at + 1),
      batch_size: 4,
      loss: 3.1 - at / 20,
      grad_norm: 1.2 + 0.1 * wobble(at),
    })),
    facts: {
      requested: 512 * mib,
      total: 23.52 * gib,
      free: 201.06 * mib,
      process: 23.31 * gib,
      allocated: 22.6 * gib,
      unallocated: 190.22 * mib,
    },
  },
  {
    name: 'a batch that is doubled every epoch on a slice of 10 GiB',
    accepts: ['activation_residency', 'single_huge_allocation'],
    log: `torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 98.00 MiB. GPU 0 has a total capacity of 9.50 GiB of which 43.44 MiB is free. Including non-PyTorch memory, this process has 9.44 GiB memory in use. Of the allocated memory 9.02 GiB is allocated by PyTorch, and 35.70 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(40, (at) => ({
      step: at,
      allocated: Math.round(0.71 * gib),
      allocated_peak: Math.round((0.75 + 0.135 * 2 ** Math.floor(at / 8) * 2) * gib),
      reserved: Math.round((0.8 + 0.14 * 2 ** Math.floor(at / 8) * 2) * gib),
      bs: 16 * 2 ** Math.floor(at / 8),
      loss: 0.6,
    })),
    facts: { requested: 98 * mib, total: 9.5 * gib, allocated: 9.02 * gib, unallocated: 35.7 * mib },
  },
  {
    name: 'losses whose graphs are added up on a V100',
    accepts: ['activation_residency', 'steady_leak'],
    log: 'RuntimeError: CUDA out of memory. Tried to allocate 26.00 MiB (GPU 0; 15.78 GiB total capacity; 14.40 GiB already allocated; 17.75 MiB free; 14.61 GiB reserved in total by PyTorch)',
    metrics: rows(52, (at) => ({
      step: at,
      allocated: Math.round((1.2 + 0.254 * at) * gib),
      reserved: Math.round((1.5 + 0.255 * at) * gib),
      batch_size: 32,
      loss: 4 - at / 40,
    })),
    facts: { requested: 26 * mib, total: 15.78 * gib, free: 17.75 * mib, allocated: 14.4 * gib },
  },
]

const gradients: ToldRun[] = [
  {
    name: 'gradients of each step are kept while their norm explodes, H100',
    accepts: ['gradient_blowup', 'steady_leak'],
    log: `[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 29.50 MiB is free. Including non-PyTorch memory, this process has 79.07 GiB memory in use. Of the allocated memory 77.90 GiB is allocated by PyTorch, and 244.01 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(29, (at) => ({
      step: at,
      allocated: Math.round((10.5 + 2.33 * at) * gib),
      reserved: Math.round((11 + 2.33 * at) * gib),
      grad_norm: at < 20 ? 1.1 : 1.1 * 9 ** (at - 19),
      loss: at < 22 ? 2.5 : 40,
      batch_size: 8,
    })),
    facts: { requested: 64 * mib, total: 79.11 * gib, process: 79.07 * gib, allocated: 77.9 * gib },
  },
  {
    name: 'gradients of single samples at once on an A10',
    accepts: ['gradient_blowup', 'single_huge_allocation', 'activation_residency'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.10 GiB. GPU 0 has a total capacity of 21.99 GiB of which 3.02 GiB is free. Including non-PyTorch memory, this process has 18.96 GiB memory in use. Of the allocated memory 18.50 GiB is allocated by PyTorch, and 160.37 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(2, (at) => ({
      step: at,
      allocated: 0.4 * gib,
      allocated_peak: 9.1 * gib,
      reserved: 9.4 * gib,
      batch_size: 24 + 24 * at,
      grad_norm: 0.8,
    })),
    facts: { requested: 6.1 * gib, total: 21.99 * gib, allocated: 18.5 * gib },
  },
]

const outside: ToldRun[] = [
  {
    name: 'a second job on the same A100',
    accepts: ['context_leak'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 200.00 MiB. GPU 5 has a total capacity of 39.39 GiB of which 88.56 MiB is free. Process 91822 has 31.70 GiB memory in use. Including non-PyTorch memory, this process has 7.59 GiB memory in use. Of the allocated memory 6.84 GiB is allocated by PyTorch, and 260.12 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: [],
    facts: { requested: 200 * mib, total: 39.39 * gib, process: 7.59 * gib, allocated: 6.84 * gib, unallocated: 260.12 * mib },
  },
  {
    name: 'another library takes memory in the same process, L40S',
    accepts: ['context_leak'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 44.39 GiB of which 1.20 GiB is free. Including non-PyTorch memory, this process has 43.18 GiB memory in use. Of the allocated memory 19.31 GiB is allocated by PyTorch, and 402.50 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(90, (at) => ({
      step: at,
      allocated: 16.2 * gib,
      allocated_peak: 19.4 * gib,
      reserved: 19.7 * gib,
      device_used: Math.round((20.4 + 0.25 * at) * gib),
      device_total: Math.round(44.39 * gib),
    })),
    facts: { requested: 1.5 * gib, total: 44.39 * gib, process: 43.18 * gib, allocated: 19.31 * gib },
  },
  {
    name: 'graphs captured for many batch sizes, B200',
    accepts: ['context_leak'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.25 GiB. GPU 1 has a total capacity of 178.36 GiB of which 1.05 GiB is free. Including non-PyTorch memory, this process has 177.30 GiB memory in use. Of the allocated memory 174.30 GiB is allocated by PyTorch, with 96.12 GiB allocated in private pools (e.g., CUDA Graphs), and 540.00 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(64, (at) => ({
      step: at,
      captured_graphs: at,
      allocated: Math.round((30 + 0.44 * at) * gib),
      reserved: Math.round((33 + 2.1 * at) * gib),
    })),
    facts: { requested: 3.25 * gib, total: 178.36 * gib, free: 1.05 * gib },
  },
]

const state: ToldRun[] = [
  {
    name: 'AdamW of a 7B model makes its state in the first step, A100',
    accepts: ['optimizer_state'],
    log: [
      'Traceback (most recent call last):',
      '  File "/srv/jobs/tune.py", line 211, in <module>',
      '    trainer.fit()',
      '  File "/srv/jobs/trainer.py", line 80, in fit',
      '    self.opt.step()',
      '  File "/opt/venv/lib/python3.10/site-packages/torch/optim/optimizer.py", line 484, in wrapper',
      '    out = func(*args, **kwargs)',
      '  File "/opt/venv/lib/python3.10/site-packages/torch/optim/adamw.py", line 188, in step',
      '    self._init_group(',
      '  File "/opt/venv/lib/python3.10/site-packages/torch/optim/adamw.py", line 139, in _init_group',
      '    state["exp_avg_sq"] = torch.zeros_like(',
      `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 172.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which 100.75 MiB is free. Including non-PyTorch memory, this process has 79.14 GiB memory in use. Of the allocated memory 78.33 GiB is allocated by PyTorch, and 118.40 MiB is reserved by PyTorch but unallocated. ${settings}`,
    ].join('\n'),
    metrics: [],
    facts: { requested: 172 * mib, total: 79.25 * gib, allocated: 78.33 * gib },
  },
  {
    name: 'a cache of keys and values that is joined token by token, T4',
    accepts: ['kv_cache_growth', 'steady_leak', 'fragmentation'],
    log: 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 50.00 MiB (GPU 0; 14.75 GiB total capacity; 13.56 GiB already allocated; 18.81 MiB free; 13.90 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF',
    metrics: rows(300, (at) => ({
      step: at,
      tokens: 128 + 32 * at,
      allocated: Math.round((5.4 + 0.0271 * at) * gib),
      reserved: Math.round((5.6 + 0.0276 * at) * gib),
    })),
    facts: { requested: 50 * mib, total: 14.75 * gib, allocated: 13.56 * gib },
  },
  {
    name: 'the model of the teacher is a second copy, 3060',
    accepts: ['weights_duplicated', 'activation_residency'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 86.00 MiB. GPU 0 has a total capacity of 11.76 GiB of which 60.69 MiB is free. Including non-PyTorch memory, this process has 11.69 GiB memory in use. Of the allocated memory 11.45 GiB is allocated by PyTorch, and 18.60 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: [{ phase: 'student', allocated: 5.9 * gib, reserved: 5.95 * gib }],
    facts: { requested: 86 * mib, total: 11.76 * gib, allocated: 11.45 * gib },
  },
]

const small: ToldRun[] = [
  {
    name: 'hundreds of thousands of scalars are kept, 8 GiB laptop',
    accepts: ['metadata_bloat', 'steady_leak'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total capacity of 7.75 GiB of which 1.19 MiB is free. Including non-PyTorch memory, this process has 7.70 GiB memory in use. Of the allocated memory 7.21 GiB is allocated by PyTorch, and 61.20 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(500, (at) => ({
      step: at,
      allocated: Math.round((0.3 + 0.01384 * at) * gib),
      reserved: Math.round((0.34 + 0.01386 * at) * gib),
      rss: Math.round((2 + 0.08 * at) * gib),
      batch_size: 64,
    })),
    facts: { requested: 2 * mib, total: 7.75 * gib, allocated: 7.21 * gib },
  },
]

const huge: ToldRun[] = [
  {
    name: 'a full attention matrix on an H100',
    accepts: ['single_huge_allocation'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 59.60 GiB. GPU 0 has a total capacity of 79.11 GiB of which 50.40 GiB is free. Including non-PyTorch memory, this process has 28.70 GiB memory in use. Of the allocated memory 27.90 GiB is allocated by PyTorch, and 130.00 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: [],
    facts: { requested: 59.6 * gib },
  },
  {
    name: 'one table of all pairs on an MI250X',
    accepts: ['single_huge_allocation'],
    log: 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 40.00 GiB. GPU 3 has a total capacity of 63.98 GiB of which 25.11 GiB is free. Of the allocated memory 37.20 GiB is allocated by PyTorch, and 820.00 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_HIP_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)',
    metrics: [],
    facts: { requested: 40 * gib, total: 63.98 * gib, free: 25.11 * gib, allocated: 37.2 * gib, unallocated: 820 * mib },
  },
  {
    name: 'a shape computed from a wrong number, PyTorch 2.6',
    accepts: ['single_huge_allocation'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3725.29 GiB. GPU 0 has a total capacity of 31.73 GiB of which 29.80 GiB is free. Including non-PyTorch memory, this process has 1.92 GiB memory in use. Of the allocated memory 1.44 GiB is allocated by PyTorch, and 21.50 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(200, (at) => ({ step: at, allocated: 1.4 * gib, reserved: 1.5 * gib, loss: 1, grad_norm: 1 })),
    facts: { requested: 3725.29 * gib, allocated: 1.44 * gib },
  },
]

const leaks: ToldRun[] = [
  {
    name: 'outputs for a report are kept on the device, V100 of 32 GiB',
    accepts: ['steady_leak', 'activation_residency'],
    log: `torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 148.00 MiB. GPU 7 has a total capacity of 31.74 GiB of which 96.38 MiB is free. Including non-PyTorch memory, this process has 31.64 GiB memory in use. Of the allocated memory 30.60 GiB is allocated by PyTorch, and 201.60 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(640, (at) => ({
      global_step: 5 * at,
      'gpu/allocated_gb': 5.1 + 0.0398 * at,
      'gpu/reserved_gb': 5.9 + 0.0396 * at,
      'train/loss': 2.2,
      micro_batch_size: 8,
    })),
    facts: { requested: 148 * mib, total: 31.74 * gib, allocated: 30.6 * gib },
  },
  {
    name: 'a list of hidden states on an Intel device',
    accepts: ['steady_leak', 'activation_residency'],
    log: 'torch.OutOfMemoryError: XPU out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 47.98 GiB. Of the allocated memory 46.95 GiB is allocated by PyTorch, and 310.25 MiB is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.',
    metrics: rows(85, (at) => ({
      step: at,
      allocated: Math.round((4.2 + 0.5 * at) * gib),
      reserved: Math.round((4.9 + 0.5 * at) * gib),
      seq_len: 2048 + (at % 3) * 512,
    })),
    facts: { requested: 512 * mib, total: 47.98 * gib, allocated: 46.95 * gib, unallocated: 310.25 * mib },
  },
  {
    name: 'a leak under a cap of a quarter of the device, MB in the metrics',
    accepts: ['steady_leak', 'activation_residency'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 23.64 GiB of which 17.02 GiB is free. Including non-PyTorch memory, this process has 6.20 GiB memory in use. 5.91 GiB allowed; Of the allocated memory 5.86 GiB is allocated by PyTorch, and 38.00 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: rows(110, (at) => ({ step: at, allocated_mb: 700 + 48 * at, reserved_mb: 740 + 48 * at, loss: 1 })),
    facts: { requested: 20 * mib, total: 23.64 * gib, allowed: 5.91 * gib, allocated: 5.86 * gib, unallocated: 38 * mib },
  },
]

const unknowable: ToldRun[] = [
  {
    name: 'the driver says no more than that',
    accepts: [],
    log: 'RuntimeError: CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
    metrics: [],
    facts: {},
  },
  {
    name: 'cuBLAS has no room for its handle',
    accepts: [],
    log: 'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`',
    metrics: [],
    facts: {},
  },
]

const healthy: ToldRun[] = [
  {
    name: 'a run near its limit that gave back its cache three times',
    accepts: ['healthy'],
    log: null,
    metrics: rows(400, (at) => ({
      step: at,
      allocated: Math.round((70 + wobble(at)) * gib),
      allocated_peak: Math.round((77.4 + 0.5 * wobble(at)) * gib),
      reserved: 78.6 * gib,
      device_used: 79.0 * gib,
      device_total: Math.round(79.11 * gib),
      num_alloc_retries: at > 200 ? 3 : 0,
      loss: 2,
    })),
    facts: {},
  },
  {
    name: 'a slow leak that ended long before the limit',
    accepts: ['healthy', 'steady_leak'],
    log: null,
    metrics: rows(900, (at) => ({
      step: at,
      allocated: Math.round((3 + 0.0021 * at) * gib),
      reserved: Math.round((4 + 0.0021 * at) * gib),
      device_total: Math.round(23.52 * gib),
    })),
    facts: {},
  },
]

export const toldRuns: readonly ToldRun[] = [
  ...fragmentation,
  ...activations,
  ...gradients,
  ...outside,
  ...state,
  ...small,
  ...huge,
  ...leaks,
  ...unknowable,
  ...healthy,
]
