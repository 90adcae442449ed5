// Texts of programs that ran out of memory, in PyTorch's wording; names and paths are made up.

interface ErrorAmounts {
  readonly requested: string
}

/** What PyTorch says when a request does not fit a device that is nearly full. */
export const errorText = ({ requested }: ErrorAmounts): string =>
  [
    'Traceback (most recent call last):',
    '  File "/project/train.py", line 88, in <module>',
    '    train(model, batches)',
    '  File "/project/train.py", line 61, in train',
    '    loss = model(batch).loss',
    '  File "/project/model.py", line 37, in forward',
    '    scores = query @ key.transpose(-1, -2)',
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${requested}. GPU 0 has a total capacity of 23.69 GiB of which 298.00 MiB is free. Including non-PyTorch memory, this process has 23.39 GiB memory in use. Of the allocated memory 22.60 GiB is allocated by PyTorch, and 310.00 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)`,
  ].join('\n')

/** The log of a training run that failed and was started again as often as there are errors. */
export const trainLog = (errors: readonly string[]): string =>
  errors.map((error, run) => `[run ${run + 1}] loading /project/data\nstep 1 loss 2.31\nstep 2 loss 2.17\n${error}\n`).join('\n')

/** Metrics of a run whose memory stays as it is. */
export const metricsText = (steps: number, allocated = 4e9): string =>
  Array.from(
    { length: steps },
    (_, step) =>
      `${JSON.stringify({ step, allocated, reserved: allocated + 1e9, device_used: 6e9, device_total: 25.44e9, loss: 2 - step / 100 })}\n`,
  ).join('')
