// What may help: [English, Chinese].

export const adviceWords = {
  expandable_segments: [
    'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True may help because free pages of different segments can then serve one request',
    'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True 可能有帮助，因为不同段的空闲页可以共同满足一个请求',
  ],
  max_split_size: [
    'max_split_size_mb below the size of the request may help because large blocks are then no longer cut up for small requests',
    '把 max_split_size_mb 设为小于请求的大小可能有帮助，因为大块不再被小请求切碎',
  ],
  garbage_collection: [
    'garbage_collection_threshold:0.8 may help because old free segments are then given back before memory runs out, not only when it has',
    'garbage_collection_threshold:0.8 可能有帮助，因为旧的空闲段会在内存耗尽之前归还，而不是耗尽之后',
  ],
  roundup_power2: [
    'roundup_power2_divisions:4 may help because requests are then of few sizes, and a hole that one leaves fits the next',
    'roundup_power2_divisions:4 可能有帮助，因为请求只有少数几种大小，一个留下的空洞适合下一个',
  ],
  run_again_avoids: ['{advice}: run again under it, the recorded requests do not fail', '{advice}：在此设置下重放记录的请求，不会失败'],
  run_again_likely: [
    '{advice}: run again under it, the recorded requests do not fail if {capacity} could be reserved, which the recording suggests and does not prove',
    '{advice}：在此设置下重放记录的请求，若可预留 {capacity}（由记录推测，未能证实）则不会失败',
  ],
  run_again_rounded: [
    '{advice}: run again under it, the recorded requests do not fail if the one that failed asked for {asked}; the recording has only what that was rounded to',
    '{advice}：在此设置下重放记录的请求，若失败的请求申请的是 {asked}（记录中只有取整后的大小）则不会失败',
  ],
  run_again_lowers: [
    '{advice}: run again under it, the recorded requests reserve {saved} less at the peak, and still fail',
    '{advice}：在此设置下重放记录的请求，峰值预留减少 {saved}，但仍会失败',
  ],
  expandable_segments_disproved: [
    'expandable_segments:True, which PyTorch’s own message advises, would not have helped here: run again under it, the recorded requests fail all the same',
    'PyTorch 的报错信息建议 expandable_segments:True，但在此处没有帮助：在该设置下重放记录的请求，同样会失败',
  ],
  few_sizes: [
    'padding to few sizes, and making what stays before what comes and goes, may help because a hole that is given back then fits the next request',
    '将大小填充为少数几种，并先创建长期保留的张量，可能有帮助，因为释放出的空洞能容纳下一个请求',
  ],
  chunked_loss: [
    'computing the loss in parts (chunked or fused cross-entropy, called in place of the output layer and the loss function) may help because {bytes}, {share} of what was allocated, were held for it: what the loss function made, the logits and their gradients',
    '分块计算损失（用分块或融合的交叉熵代替输出层和损失函数）可能有帮助，因为有 {bytes}（占已分配的 {share}）为其占用：损失函数的结果、logits 及其梯度',
  ],
  checkpointing: [
    'gradient checkpointing may help because what layers make is then made again instead of kept; their inputs, the logits and the loss stay',
    '梯度检查点可能有帮助，因为各层的结果会重新计算而不是保留；各层的输入、logits 和损失仍然保留',
  ],
  smaller_batch: [
    'half the batch or sequence may help because what a step makes grows with both, and so does the request',
    '将 batch 或序列长度减半可能有帮助，因为每一步产生的内存随二者增长，请求也一样',
  ],
  detach_kept: [
    'keeping .item() or .detach() of a result may help because the graph behind it can then be freed; no_grad where nothing is trained, and backward() for each part where the sum is still to be trained on',
    '保存结果的 .item() 或 .detach() 可能有帮助，因为其背后的计算图可以释放；不训练时使用 no_grad；若之后还要对总和做反向传播，则对每一部分分别调用 backward()',
  ],
  drop_gradients: [
    'keeping norms instead of gradients, zero_grad(set_to_none=True), and no create_graph/retain_graph may help because each copy of the gradients is as large as the parameters',
    '保存范数而不是梯度、zero_grad(set_to_none=True)、不使用 create_graph/retain_graph 可能有帮助，因为每份梯度都与参数一样大',
  ],
  micro_batches: [
    'gradients of single samples in smaller groups may help because they take the parameters’ size once a sample',
    '以更小的组计算逐样本梯度可能有帮助，因为每个样本都需要一份参数大小的内存',
  ],
  fewer_tensors: [
    'few large tensors instead of many small ones may help because each takes at least 512 bytes, and host memory beside',
    '用少量大张量代替大量小张量可能有帮助，因为每个至少占 512 字节，还占主机内存',
  ],
  free_device: [
    'ending other processes, or freeing what other libraries hold on the device, may help because PyTorch cannot use it',
    '结束其他进程或释放其他库在设备上的占用可能有帮助，因为 PyTorch 无法使用这些内存',
  ],
  free_device_missing: [
    'ending other processes, or freeing what other libraries hold on the device, may help because PyTorch cannot use it: {missing} more would have had to be free',
    '结束其他进程或释放其他库在设备上的占用可能有帮助，因为 PyTorch 无法使用这些内存：还需要 {missing} 空闲',
  ],
  free_own: [
    'looking for what this process itself holds on the device outside PyTorch ({own}: context, NCCL buffers, other libraries, cudaMalloc in extensions) may help because PyTorch cannot use it; compute-sanitizer lists what cudaMalloc gave and nobody gave back',
    '查找本进程自身在 PyTorch 之外占用的显存（{own}：上下文、NCCL 缓冲区、其他库、扩展中的 cudaMalloc）可能有帮助，因为 PyTorch 无法使用它们；compute-sanitizer 可列出 cudaMalloc 分配后未释放的内存',
  ],
  free_own_growing: [
    'looking for what leaks in this process outside PyTorch ({own} held, more with every step: cudaMalloc in extensions, other libraries, new contexts or communicators) may help because PyTorch cannot use it; compute-sanitizer lists what cudaMalloc gave and nobody gave back',
    '查找本进程中 PyTorch 之外的泄漏（已占用 {own}，且每步增加：扩展中的 cudaMalloc、其他库、新的上下文或通信组）可能有帮助，因为 PyTorch 无法使用它们；compute-sanitizer 可列出 cudaMalloc 分配后未释放的内存',
  ],
  share_graph_pool: [
    'capturing all graphs into one pool, made once, or fewer graphs, may help because each private pool keeps its memory',
    '让所有 CUDA graph 共用一个只创建一次的池，或减少 graph 可能有帮助，因为每个私有池都保留自己的内存',
  ],
  smaller_state: [
    'an optimizer with 8-bit or factored state, or training fewer parameters (LoRA), may help because Adam keeps twice the parameters in 32 bits',
    '使用 8 位或分解状态的优化器，或训练更少的参数（LoRA）可能有帮助，因为 Adam 以 32 位保存两倍于参数的状态',
  ],
  bounded_cache: [
    'a cache of fixed length (static or sliding window) may help because extending one holds the old and the new at once',
    '固定长度的缓存（静态或滑动窗口）可能有帮助，因为扩展缓存时新旧同时占用内存',
  ],
  one_model: [
    'loading to the CPU first, or deleting the first copy before the second, may help because the same parameters lie on the device twice',
    '先加载到 CPU，或在加载第二份之前删除第一份可能有帮助，因为同样的参数在设备上有两份',
  ],
  split_request: [
    'computing the large result in parts (chunked loss, smaller vocabulary slices) may help because it then never lies in memory whole',
    '分块计算这个大结果（分块损失、按词表切片）可能有帮助，因为它不再整体占用内存',
  ],
  free_named: [
    'not keeping what {stack} makes may help because nothing of it is ever given back',
    '不保留 {stack} 产生的内存可能有帮助，因为它从未被释放',
  ],
  raise_cap: [
    'raising the cap of {limit} (torch.cuda.set_per_process_memory_fraction, called by the program or by a library that it uses) may help because the device had {free} free, and a segment of {segment} was refused',
    '提高 {limit} 的上限（torch.cuda.set_per_process_memory_fraction，由程序或其所用的库设置）可能有帮助，因为设备还有 {free} 空闲，而 {segment} 的段被拒绝',
  ],
  raise_cap_growing: [
    'raising the cap of {limit} (torch.cuda.set_per_process_memory_fraction, called by the program or by a library that it uses) gives time: the device had {free} free, and a segment of {segment} was refused; but memory grows, and would fill it too',
    '提高 {limit} 的上限（torch.cuda.set_per_process_memory_fraction，由程序或其所用的库设置）可以争取时间：设备还有 {free} 空闲，而 {segment} 的段被拒绝；但内存在增长，最终同样会耗尽',
  ],
} as const satisfies Record<string, readonly [string, string]>
