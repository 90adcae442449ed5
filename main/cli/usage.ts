// What the command line says about itself.

export const usageText = `Tidemark shows where GPU memory went.

Usage:
  tidemark [FILE…]                     open windows
  tidemark info FILE [--with FILE] [--json]
                                       what a capture holds; --with: how well a
                                       snapshot and a trace of one run match
  tidemark index FILE [-o OUT [--copy-args]] [--json]
                                       build its index (in the cache, or at OUT)
  tidemark query FILE SQL [--format table|json|csv]
                                       ask the index; read-only
  tidemark diagnose FILES… [--json] [--language en|zh-CN]
                                       why programs ran out of memory, from
                                       snapshots, logs and metrics.jsonl, or
                                       folders of them
  tidemark whatif FILE [--set NAME:VALUE[,NAME:VALUE…]]… [--capacity SIZE]
      [--device N] [--json]             the recorded requests under other
                                       settings of the allocator: peaks, retries
                                       and whether it would have failed
  tidemark export FILE --view VIEW -o OUT.png|svg|pdf|csv
      [--device N] [--at peak|oom|end|event:N|time:T] [--range A:B]
      [--size WxH] [--theme light|dark] [--axis event|time]
      [--color-by stack|size|age|stream|pool|category] [--filter TEXT]
      [--weight alive|allocated|growth|diff|area] [--unit bytes|count]
      [--root top-down|bottom-up] [--order size|time]
      [--direction icicle|flame] [--language en|zh-CN]
                                       a picture of the view, or its table
  tidemark report FILE -o OUT.html|pdf
      [--device N] [--views VIEW,VIEW…] [--note TEXT]… [--full-paths]
      [--theme light|dark] [--language en|zh-CN] [--date DATE]
                                       one file for a reader without Tidemark
  tidemark --help | --version

VIEW is one of these; the CSV holds
  timeline       the allocations alive at --at  --range --axis --color-by --filter
  lifetimes      all allocations                --range --axis --color-by --filter
  blocks         the blocks at --at             --color-by --filter
  fragmentation  pools and streams at --at      --range --axis
  flame          the tree of stacks             --range --color-by --filter
                                 --weight --unit --order --direction --root
  trace          all slices                     --range (times only)
  allocations    all allocations                --filter
flame is also written for other tools, by the end of OUT: .folded, .d3.json,
.speedscope.json, .pb.gz (pprof).
--weight: what functions are as wide as: alive at --at (unless given), or of
--range, else of the whole history: allocated in it, net growth over it, its
start and end compared (diff), size × time (area). --unit: bytes or allocations.
--root: from the outermost functions, or from those that allocate. --order of
siblings: largest first, or that of the earliest allocation first; equal frames
below one caller are one either way. --direction: down from the root, or up.
--filter: terms as in the window's filter, all of which must hold, such as
"size>10MiB stack:attention alive_at:peak category:activation".
A report shows every view that has something to show, unless --views names them;
paths of stacks are cut to their last two parts unless --full-paths; --note adds
a note at its head; --date (2026-11-30) stands in place of now, for equal bytes.
Pictures take the options named beside the view besides --device, --at, --size,
--theme and --language. Of them tables take --filter, and those of flame, as its
files for other tools, all but --color-by and --direction.
--color-by: of lifetimes stack or category, which are of bars, one an allocation
(where there are too many, a heat map is drawn and standard error says so); of
flame category. --device: the one with the most events unless given.
--at: where the cursor stands; oom is the last out-of-memory event. Unless
given: the peak for timeline and lifetimes; for blocks, fragmentation and flame
the last out-of-memory event, else the peak; nowhere for trace.
FILE is a memory snapshot of PyTorch (.pickle, .json), a Chrome trace (.json),
such as those of torch.profiler, a profile of another tool (folded stacks,
d3-flame-graph, speedscope, pprof, .heapprofile), each also as .gz, or a
.tidemark index. A profile has the view flame, of its first-shown value, and
neither devices nor moments; its CSV holds stacks and their values.
A trace has the views trace and, where profile_memory was on, timeline,
lifetimes and flame: it knows no blocks. Its index leaves the arguments of
events where they are; --copy-args takes them along, for use without the trace.
Device -1 is the CPU of a trace; write --device=-1.
--set: as in PYTORCH_CUDA_ALLOC_CONF, such as expandable_segments:True or
max_split_size_mb:128; the others stay as recorded. "default," before them: the
others are those of PyTorch.
several --set are tried one by one; what holds together stands in one --set.
--capacity: a cap on the process, in bytes or as 4GiB (2^30) or 80GB (10^9);
unless given, what explains the recording.
T, A and B: nanoseconds since the start, or with a unit (1.5ms, 20s);
in --range a plain number is an event.

Results go to standard output, progress and messages to standard error.
Exit status: 0 done, 1 usage, 2 the file cannot be read, 3 our fault.

Environment: TIDEMARK_CACHE (folder of indexes), TIDEMARK_CACHE_LIMIT (bytes),
TIDEMARK_CATEGORIES (file of your own rules for categories of allocations),
TIDEMARK_TEMPLATES (folder of your own templates of hot spots).
`

/** The command line itself is wrong: exit status 1. */
export class UsageError extends Error {}
