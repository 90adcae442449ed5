// A second set of failures that are only told, whose texts resemble those of another class; written after the rules had been mended for the first.
import { gib, mib, rows, settings, type ToldRun } from './held-out-texts.ts'

const said = (tried: string, total: string, free: string, process: string, allocated: string, unallocated: string, more = ''): string =>
  `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${tried}. GPU 0 has a total capacity of ${total} of which ${free} is free. ${more}Including non-PyTorch memory, this process has ${process} memory in use. Of the allocated memory ${allocated} is allocated by PyTorch, and ${unallocated} is reserved by PyTorch but unallocated. ${settings}`

export const resembling: readonly ToldRun[] = [
  {
    name: 'the flat buffer of an optimizer is a third of the device',
    accepts: ['optimizer_state'],
    log: [
      'Traceback (most recent call last):',
      '  File "/app/main.py", line 9, in <module>',
      '    engine = deepspeed.initialize(model=model, config=config)',
      '  File "/venv/lib/python3.11/site-packages/deepspeed/runtime/zero/stage_1_and_2.py", line 557, in initialize_optimizer_states',
      '    single_grad_partition = torch.zeros(int(self.partition_size[i]),',
      said('26.10 GiB', '79.11 GiB', '12.30 GiB', '66.80 GiB', '66.00 GiB', '120.00 MiB'),
    ].join('\n'),
    metrics: [],
    facts: { requested: 26.1 * gib },
  },
  {
    name: 'another process has a sixth of the device, and sequences become longer',
    accepts: ['activation_residency', 'single_huge_allocation'],
    log: said('1.90 GiB', '23.69 GiB', '301.00 MiB', '19.40 GiB', '18.30 GiB', '410.00 MiB', 'Process 2011 has 3.98 GiB memory in use. '),
    metrics: rows(16, (at) => ({
      step: at,
      allocated: 2.1 * gib,
      allocated_peak: Math.round((2.2 + 0.06 * (at + 1) ** 2) * gib),
      reserved: Math.round((2.4 + 0.062 * (at + 1) ** 2) * gib),
      seq_len: 200 * (at + 1),
      batch_size: 2,
    })),
    facts: { requested: 1.9 * gib, process: 19.4 * gib },
  },
  {
    name: 'other processes of a shared device have a fifth of it, and this one leaks',
    accepts: ['steady_leak'],
    log: said(
      '30.00 MiB',
      '79.15 GiB',
      '11.06 MiB',
      '61.60 GiB',
      '60.70 GiB',
      '148.00 MiB',
      'Process 71 has 8.80 GiB memory in use. Process 72 has 8.71 GiB memory in use. ',
    ),
    metrics: rows(700, (at) => ({
      step: at,
      allocated: Math.round((6 + 0.0782 * at) * gib),
      reserved: Math.round((6.6 + 0.0781 * at) * gib),
      device_used: Math.round((24.3 + 0.0781 * at) * gib),
      device_total: Math.round(79.15 * gib),
    })),
    facts: { requested: 30 * mib, process: 61.6 * gib },
  },
  {
    name: 'a cap that the text of PyTorch 1.10 does not name, and a leak',
    accepts: ['steady_leak'],
    log: 'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 15.90 GiB total capacity; 3.91 GiB already allocated; 11.20 GiB free; 3.95 GiB allowed; 3.94 GiB reserved in total by PyTorch)',
    metrics: rows(60, (at) => ({
      step: at,
      allocated: Math.round((0.5 + 0.0577 * at) * gib),
      reserved: Math.round((0.52 + 0.0578 * at) * gib),
    })),
    facts: { requested: 20 * mib, allowed: 3.95 * gib },
  },
  {
    name: 'a server with two GiB of graphs, whose cache is made at once',
    accepts: ['kv_cache_growth', 'single_huge_allocation', 'activation_residency', 'weights_duplicated'],
    log: `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 742.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 610.50 MiB is free. Including non-PyTorch memory, this process has 78.50 GiB memory in use. Of the allocated memory 77.20 GiB is allocated by PyTorch, with 2.05 GiB allocated in private pools (e.g., CUDA Graphs), and 320.00 MiB is reserved by PyTorch but unallocated. ${settings}`,
    metrics: [],
    facts: { requested: 742 * mib, privatePools: 2.05 * gib },
  },
  {
    name: 'large tensors leak, the last request is of the small pool',
    accepts: ['steady_leak'],
    log: said('2.00 MiB', '15.77 GiB', '1.62 MiB', '15.70 GiB', '15.30 GiB', '88.00 MiB'),
    metrics: rows(70, (at) => ({
      step: at,
      allocated: Math.round((1.1 + 0.2 * at) * gib),
      reserved: Math.round((1.3 + 0.2 * at) * gib),
      rss: 3 * gib,
    })),
    facts: { requested: 2 * mib },
  },
  {
    name: 'gradients explode once more, and nothing grows',
    accepts: ['activation_residency'],
    log: said('1.20 GiB', '31.73 GiB', '640.00 MiB', '31.08 GiB', '30.20 GiB', '300.00 MiB'),
    metrics: rows(80, (at) => ({
      step: at,
      allocated: 4 * gib,
      allocated_peak: (at === 79 ? 29 : 21) * gib,
      reserved: 30 * gib,
      seq_len: at === 79 ? 4096 : 2900 + (at % 7),
      batch_size: 4,
      grad_norm: at < 75 ? 1 : 500,
    })),
    facts: { requested: 1.2 * gib },
  },
  {
    name: 'much is free in pieces, but memory that is kept grows to the end',
    accepts: ['steady_leak', 'activation_residency', 'fragmentation'],
    log: said('300.00 MiB', '23.52 GiB', '120.00 MiB', '23.30 GiB', '20.60 GiB', '2.30 GiB'),
    metrics: rows(200, (at) => ({
      step: at,
      allocated: Math.round((2 + 0.0935 * at) * gib),
      reserved: Math.round((2.5 + 0.102 * at) * gib),
    })),
    facts: { requested: 300 * mib },
  },
  {
    name: 'a second copy of the weights beside a first, in half of the device each',
    accepts: ['weights_duplicated'],
    log: said('1.02 GiB', '39.39 GiB', '480.00 MiB', '38.90 GiB', '38.20 GiB', '190.00 MiB'),
    metrics: [
      { step: 0, allocated: 19.6 * gib, reserved: 19.7 * gib },
      { step: 1, allocated: 35.1 * gib, reserved: 35.3 * gib },
    ],
    facts: { requested: 1.02 * gib },
  },
]
