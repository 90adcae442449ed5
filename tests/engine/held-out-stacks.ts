// Stacks of the frameworks that held-out programs run under: what lies below an allocation differs from one to the next.
import { frame } from '../fixtures/snapshots.ts'
import type { Value } from '../fixtures/values.ts'

const packages = '/opt/conda/lib/python3.11/site-packages'
export const torch = `${packages}/torch`

/** A frame of an installed package, as `transformers/trainer.py`. */
export const lib = (name: string, file: string, line = 100): Value => frame(name, `${packages}/${file}`, line)
export const own = (name: string, file = 'main.py', line = 20): Value => frame(name, `/srv/exp/${file}`, line)

const start = [own('main', 'main.py', 80), own('<module>', 'main.py', 95)]
const trainer = [
  lib('compute_loss', 'transformers/trainer.py', 3700),
  lib('training_step', 'transformers/trainer.py', 3600),
  lib('_inner_training_loop', 'transformers/trainer.py', 2500),
  lib('train', 'transformers/trainer.py', 2100),
  ...start,
]
const deepspeed = [
  lib('forward', 'deepspeed/runtime/engine.py', 1900),
  lib('wrapped_fn', 'deepspeed/utils/nvtx.py', 15),
  lib('_call_impl', 'torch/nn/modules/module.py', 1750),
  own('train_epoch', 'main.py', 44),
  ...start,
]
const lightning = [
  lib('training_step', 'pytorch_lightning/strategies/strategy.py', 390),
  lib('_call_strategy_hook', 'pytorch_lightning/trainer/call.py', 309),
  lib('run', 'pytorch_lightning/loops/training_epoch_loop.py', 140),
  lib('fit', 'pytorch_lightning/trainer/trainer.py', 540),
  ...start,
]
const fsdp = [
  lib('forward', 'torch/distributed/fsdp/fully_sharded_data_parallel.py', 860),
  lib('_call_impl', 'torch/nn/modules/module.py', 1750),
  own('train_epoch', 'main.py', 44),
  ...start,
]
const plain = [own('train_epoch', 'main.py', 44), ...start]

export const runners = { trainer, deepspeed, lightning, fsdp, plain, start } as const

const cpp = (name: string): Value => frame(name, '??', 0)

/** With stacks="all" the frames of C++ and of the interpreter stand between those of Python. */
export const interleaved = (frames: readonly Value[]): Value[] => [
  cpp('c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc(signed char, unsigned long, CUstream_st*)'),
  cpp(
    'at::detail::empty_generic(c10::ArrayRef<long>, c10::Allocator*, c10::DispatchKeySet, c10::ScalarType, std::optional<c10::MemoryFormat>)',
  ),
  cpp('at::native::empty_cuda(c10::ArrayRef<long>, std::optional<c10::ScalarType>)'),
  ...frames.flatMap((each) => [each, cpp('_PyEval_EvalFrameDefault')]),
  cpp('__libc_start_main'),
]

/** What the autograd engine leaves with C++ stacks. */
export const engineFrames = [
  cpp('c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc(signed char, unsigned long, CUstream_st*)'),
  cpp('at::_ops::mm::redispatch(c10::DispatchKeySet, at::Tensor const&, at::Tensor const&)'),
  cpp('torch::autograd::generated::MmBackward0::apply(std::vector<at::Tensor, std::allocator<at::Tensor> >&&)'),
  cpp('torch::autograd::Engine::evaluate_function(std::shared_ptr<torch::autograd::GraphTask>&)'),
  cpp('torch::autograd::Engine::thread_main(std::shared_ptr<torch::autograd::GraphTask> const&)'),
]

/** A forward pass of a module in a model's file. */
export const forward = (below: readonly Value[], file: string, line: number): Value[] => [
  lib('forward', 'torch/nn/modules/linear.py', 125),
  lib('_call_impl', 'torch/nn/modules/module.py', 1750),
  lib('_wrapped_call_impl', 'torch/nn/modules/module.py', 1739),
  lib('forward', file, line),
  lib('_call_impl', 'torch/nn/modules/module.py', 1750),
  ...below,
]
