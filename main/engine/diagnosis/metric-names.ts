// The names under which programs note what we look for, and the units in them.

/** In order of preference; compared without case, separators, the group before the last slash and the unit at the end. */
const fieldNames = {
  step: ['step', 'globalstep', 'trainstep', 'iteration', 'iter', 'it', 'numupdates'],
  allocated: [
    'allocated',
    'allocatedbytes',
    'memoryallocated',
    'memallocated',
    'cudaallocated',
    'gpuallocated',
    'gpumemoryallocated',
    'cudamemoryallocated',
    'gpumemallocated',
    'allocatedmemory',
    'allocatedbytesallcurrent',
    'currentallocated',
  ],
  allocatedPeak: [
    'allocatedpeak',
    'peakallocated',
    'maxmemoryallocated',
    'peakallocatedbytes',
    'maxallocated',
    'peakmemoryallocated',
    'maxcudamemoryallocated',
    'allocatedbytesallpeak',
    'peakmemory',
    'maxmemory',
    'peakmem',
    'maxmem',
    'maxactive',
  ],
  reserved: [
    'reserved',
    'reservedbytes',
    'memoryreserved',
    'memreserved',
    'cudareserved',
    'gpureserved',
    'gpumemoryreserved',
    'cudamemoryreserved',
    'gpumemreserved',
    'reservedmemory',
    'memorycached',
    'reservedbytesallcurrent',
    'currentreserved',
    'maxmemoryreserved',
    'maxreserved',
  ],
  inactiveSplit: ['inactivesplit', 'inactivesplitbytes', 'inactivesplitbytesallcurrent'],
  deviceUsed: ['deviceused', 'deviceusedbytes', 'gpuused', 'gpumemused', 'gpumemoryused', 'memoryused'],
  deviceTotal: ['devicetotal', 'devicetotalbytes', 'gputotal', 'gpumemtotal', 'gpumemorytotal', 'memorytotal'],
  rss: ['rss', 'rssbytes', 'hostrss', 'hostmemory', 'maxrss', 'cpurss', 'processrss'],
  gradNorm: ['gradnorm', 'gradientnorm', 'gnorm', 'totalnorm'],
  batchSize: ['batchsize', 'bs', 'microbatchsize', 'batch', 'bsz', 'perdevicebatchsize'],
  seqLen: ['seqlen', 'sequencelength', 'seqlength', 'numtokens', 'tokens', 'contextlength'],
  retries: ['numallocretries', 'allocretries', 'retries'],
} as const

export type KnownField = keyof typeof fieldNames

/** `…_gb`, `…(GiB)`, `…GB`: the letter of the unit. A unit in small letters stands apart. */
const unitAtEnd = /(?:[^A-Za-z0-9]([kmgt])i?b|(?:[^A-Z]|\b)([KMGT])i?B)\W{0,4}$/

/** Bytes that a value of this name counts; programs that write GB mostly divide by 1024. 1 where the name has no unit. */
export function bytesPerUnit(name: string): number {
  const found = unitAtEnd.exec(name)
  const letter = (found?.[1] ?? found?.[2] ?? '').toUpperCase()
  return letter === '' ? 1 : 1024 ** ('KMGT'.indexOf(letter) + 1)
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

function baseName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return plain(bytesPerUnit(last) === 1 ? last : last.replace(/(?:[kmgt]i?b)\W{0,4}$/i, ''))
}

/** The one of `names` that stands for a field: one that is its name exactly, before one with a group or a unit. */
export function nameOf(names: readonly string[], field: KnownField): string | undefined {
  for (const read of [plain, baseName]) {
    const byName = new Map(names.map((name) => [read(name), name]))
    const wanted = fieldNames[field].find((name) => byName.has(name))
    if (wanted !== undefined) return byName.get(wanted)
  }
  return undefined
}

const wantedNames: ReadonlySet<string> = new Set(Object.values(fieldNames).flat())

/** Whether a name stands for one of the fields that we look for. */
export const isWanted = (name: string): boolean => wantedNames.has(plain(name)) || wantedNames.has(baseName(name))
