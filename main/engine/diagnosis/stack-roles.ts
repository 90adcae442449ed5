// What a stack of Python frames says about the memory that it made: the part of a program that allocates, not whose program it is.

/**
 * weights: made or loaded as parameters. forward: inside a module's call. backward: by the autograd engine, whose threads have no Python frames.
 * cache: of keys and values. Everything else is the program's own code.
 */
export type Role = 'weights' | 'forward' | 'backward' | 'optimizer_state' | 'optimizer' | 'cache' | 'graph_capture' | 'program'

const optimizer =
  /[/\\](?:torch[/\\]optim|bitsandbytes[/\\]optim|apex[/\\]optimizers|deepspeed[/\\]ops[/\\](?:adam|lamb|lion)|torch_optimizer|optimi)[/\\]|\bZeroOptimizer|\bFusedAdam|^_?initialize_optimizer_states?$/
const optimizerState = /^(?:_?init_group|_?init_states?|get_state_buffer|_?initialize_(?:optimizer_)?states?)$/
const engine = /\bautograd::Engine|Engine::(?:evaluate_function|thread_main|execute)/
/** In the first step, or (Adagrad, and averages of gradients) when the optimizer is made; averages of weights are no state. */
const makesState = ({ name, file }: Frame): boolean =>
  optimizerState.test(name) || (name === '__init__' && optimizer.test(`${file}/`) && !/swa_utils/.test(file))
const cacheFile = /[/\\](?:[^/\\]{0,40}cache[^/\\]{0,40}|(?:\w{0,40}_)?kv(?:_\w{0,40})?)\.py$/i
const cacheName =
  /^(?:(?:update|append|extend|concat)_(?:kv|cache|kv_cache|past)|(?:kv_)?cache_(?:update|append)|append_to_cache|_?(?:init(?:ialize)?|alloc(?:ate)?|create|make|build|setup|reserve)_(?:\w+_)?kv_?caches?(?:_\w+)?)$/i
/** Hooks of the backward pass, and functions of the program's own that the engine calls: Python frames in the engine's threads. */
const backwardName = /^(?:capture_backprops?_hook|compute_\w*grad_sample)$/
const call = /^_(?:wrapped_)?call_impl$|^functional_call$/
const moduleFile = /[/\\]torch[/\\]nn[/\\](?:modules|functional)\b/
const weightsName =
  /^(?:_apply|load_state_dict|_load_from_state_dict|from_pretrained|reset_parameters|create_weights|set_module_tensor_to_device|_load_parameter\w*|load_checkpoint\w*|to_empty)$/
const weightsFile = /safetensors|[/\\]torch[/\\]serialization\.py/
const modelFile = /[/\\]nn[/\\]|modeling_|[/\\]models?[/\\]/
const capture = /[/\\]cuda[/\\]graphs\.py/

interface Frame {
  readonly name: string
  /** Empty for a script that was started: its name says nothing about what it allocates. */
  readonly file: string
}

function framesOf(text: string): Frame[] {
  const frames = text.split('\n').map((line) => {
    const at = line.lastIndexOf(' (')
    const place = at < 0 ? '' : line.slice(at + 2).replace(/(?::-?\d+)?\)?$/, '')
    return { name: at < 0 ? line : line.slice(0, at), file: place }
  })
  const scripts = new Set(frames.filter(({ name }) => name === '<module>').map(({ file }) => file))
  return frames.map(({ name, file }) => ({ name, file: scripts.has(file) ? '' : file }))
}

/** The engine calls a function's backward from no Python frame: its wrapper is the outermost. */
const isEngineCall = (frames: readonly Frame[]): boolean => {
  const outermost = frames.at(-1)
  return outermost?.name === 'apply' && /[/\\]torch[/\\]autograd[/\\]function\.py/.test(outermost.file)
}

/** A cache is known near the allocation; who calls the model from afar may be called anything. */
const nearFrames = 10

/** The role of a stack by its text, one frame a line, innermost first; empty text or null: no frames. */
export function roleOf(text: string | null): Role {
  if (text === null || text.trim() === '') return 'backward'
  const frames = framesOf(text)
  const has = (matches: (frame: Frame) => boolean): boolean => frames.some(matches)
  if (has(({ file, name }) => optimizer.test(`${file}/`) || optimizer.test(name))) return has(makesState) ? 'optimizer_state' : 'optimizer'
  if (has(({ file, name }) => weightsName.test(name) || weightsFile.test(file))) return 'weights'
  const near = frames.slice(0, nearFrames)
  // An optimizer of the program's own need not derive from that of the library.
  if (near.some(({ name }) => optimizerState.test(name)) && near.some(({ name }) => name === 'step')) return 'optimizer_state'
  if (near.some(({ file, name }) => cacheFile.test(file) || cacheName.test(name))) return 'cache'
  const isCall = has(({ file, name }) => call.test(name) || (moduleFile.test(file) && name !== '__init__'))
  if (!isCall && has(({ file, name }) => name === '__init__' && modelFile.test(file))) return 'weights'
  if (!isCall && (engine.test(text) || has(({ name }) => backwardName.test(name)) || isEngineCall(frames))) return 'backward'
  if (isCall) return 'forward'
  return has(({ file }) => capture.test(file)) ? 'graph_capture' : 'program'
}

const copied = /^__deepcopy__ \([^\n]*[/\\]torch[/\\]nn[/\\]parameter\.py\b/m

/** Parameters copied by `copy.deepcopy`: gradients and state are no parameters to Python. */
export const isModelCopy = (text: string | null): boolean => text !== null && copied.test(text)

/** Frames as the text of a stack has them, one a line. */
export const textOfFrames = (frames: readonly { readonly name: string; readonly file: string; readonly line: number }[]): string =>
  frames.map(({ name, file, line }) => `${name} (${file}:${line})`).join('\n')

/** The frame to name a stack by: the innermost of the program's own, else the innermost. */
export function titleOf(text: string | null): string {
  if (text === null || text.trim() === '') return ''
  const lines = text.split('\n').slice(0, 200)
  const own = lines.find((line) => !/[/\\](?:site-packages|dist-packages|lib[/\\]python[\d.]+)[/\\]|\(\?\?|\(<|::/.test(line))
  const [, name = '', file = ''] = /^(.{0,200}?) \((.*)\)$/.exec(own ?? lines[0] ?? '') ?? []
  return name === '' ? (lines[0] ?? '').slice(0, 120) : `${name} (${(file.split(/[/\\]/).at(-1) ?? file).slice(-200)})`
}
