// `tidemark diagnose`: which files belong together, what is printed, and exit statuses.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { type CliRun, runCli, startCli } from './cli.ts'

const scratch = scratchFolder('diagnosis-cli')
const runs = join(scratch.path, 'runs')
const run = (...words: string[]): Promise<CliRun> =>
  runCli(['diagnose', ...words], { cache: join(scratch.path, 'cache'), env: { LC_ALL: 'C' } })

const failure = (rank: number, mib: number): string =>
  `[rank${rank}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${mib}.00 MiB. GPU ${rank} has a total capacity of 16.00 GiB of which 1.00 MiB is free. ` +
  'Of the allocated memory 9.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but unallocated.'

beforeAll(() => {
  for (const name of ['one', 'three', 'broken', 'fine', 'ranks']) mkdirSync(join(runs, name), { recursive: true })
  copyFileSync(samplePath('oom'), join(runs, 'one', 'snapshot.pickle'))
  writeFileSync(join(runs, 'one', 'metrics.jsonl'), '{"step": 0, "allocated": 5, "device_total": 150109880320}\n')
  writeFileSync(join(runs, 'three', 'train.log'), [0, 1, 2].map((rank) => failure(rank, 100 + rank)).join('\n'))
  writeFileSync(join(runs, 'ranks', 'all.log'), `${failure(0, 40)}\n${failure(1, 50)}\n`)
  for (const [rank, steps] of [5, 7].entries())
    writeFileSync(join(runs, 'ranks', `rank${rank}.metrics.jsonl`), '{"allocated": 1}\n'.repeat(steps))
  writeFileSync(join(runs, 'broken', 'snapshot.pickle'), '\x80\x04cos\nsystem\nX\x04\x00\x00\x00true\x85R.', 'latin1')
  copyFileSync(samplePath('ft_lora'), join(runs, 'fine', 'snapshot.pickle'))
})
afterAll(() => scratch.remove())

describe('tidemark diagnose', () => {
  test.skipIf(process.platform === 'win32')('what has no end is refused, as what is no file', async () => {
    const { status, err } = await run('/dev/zero')
    expect(status).toBe(2)
    expect(err).toContain('file/unreadable')
  })

  test('a line of metrics without end costs that line only, and is said', async () => {
    const folder = join(scratch.path, 'long')
    mkdirSync(folder, { recursive: true })
    const rows = (from: number): string => [0, 1, 2].map((at) => `{"step": ${from + at}, "allocated": 5, "device_total": 80}`).join('\n')
    writeFileSync(join(folder, 'metrics.jsonl'), `${rows(0)}\n${'x'.repeat(3 * 1024 ** 2)}\n${rows(3)}\n`)
    const { status, out, err } = await run('--json', folder)
    expect([status, err]).toEqual([0, ''])
    const [only] = JSON.parse(out)
    expect(only.facts).toMatchObject({ steps: 6, device_total_bytes: 80 })
    expect(only.needs).toEqual(['1 line of the metrics held no object and was passed over'])
  })

  test.skipIf(process.platform !== 'linux')('Ctrl+C ends it while a log is read', async () => {
    const path = join(scratch.path, 'endless.log')
    writeFileSync(path, '')
    truncateSync(path, 64 * 1024 ** 3) // a hole: no bytes on the disk
    const { child, done } = startCli(['diagnose', path], { cache: join(scratch.path, 'cache') })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const isReading = (): boolean => {
      const files = `/proc/${child.pid}/fd`
      return readdirSync(files).some((name) => existsSync(join(files, name)) && readlinkSync(join(files, name)) === path)
    }
    await expect.poll(isReading, { timeout: 60_000 }).toBe(true)
    child.kill('SIGINT')
    const { status, out } = await done
    expect([status, out]).toEqual([130, ''])
  })

  test('a file that was cut before its failure is not called healthy: the whole of it is asked for', async () => {
    const cut = join(scratch.path, 'cut.pickle')
    writeFileSync(cut, readFileSync(samplePath('oom')).subarray(0, 3000))
    const { status, out } = await run(cut)
    expect(status).toBe(0)
    expect(out).toContain('not_enough_evidence')
    expect(out).toContain('the file ends early')
    expect(out).not.toContain('healthy')
  })

  test('--json prints verdict, candidates with evidence, facts and advice of each failure', async () => {
    const { status, out, err } = await run('--json', join(runs, 'one'))
    expect([status, err]).toEqual([0, ''])
    const [only, ...more] = JSON.parse(out)
    expect(more).toEqual([])
    expect(only.file).toBe(join(runs, 'one', 'snapshot.pickle'))
    expect(only.verdict).toEqual({ label: expect.any(String), confidence: expect.any(Number), uncertain: expect.any(Boolean) })
    expect(only.candidates[0]).toEqual({
      label: only.verdict.label,
      confidence: only.verdict.confidence,
      evidence: expect.arrayContaining([
        { measure: expect.any(String), value: expect.anything(), unit: expect.any(String), text: expect.stringMatching(/[a-z]/) },
      ]),
    })
    expect(only.facts).toMatchObject({ failure: true, device_total_bytes: 150109880320, error_text: null, device: 0 })
    expect(only.facts.requested_bytes).toBeGreaterThan(0)
    expect(only.advice.length).toBeGreaterThan(0)
    for (const { id, text, gain_bytes } of only.advice) {
      expect([id, text]).toEqual([
        expect.stringMatching(/^[a-z_]+$/),
        expect.stringMatching(/ may help because | gives time| would not have helped /),
      ])
      if (gain_bytes !== null) expect(gain_bytes).toBeGreaterThan(0)
    }
  })

  test('a log with three failures is a table of three, each with its rank and its exact numbers', async () => {
    const { status, out } = await run('--json', join(runs, 'three'))
    expect(status).toBe(0)
    const found = JSON.parse(out)
    expect(found.map(({ file, verdict, facts }: Entry) => [file, verdict.label, facts.error_text.rank, facts.requested_bytes])).toEqual(
      [0, 1, 2].map((rank) => [`${join(runs, 'three', 'train.log')}:${rank + 1}`, 'fragmentation', rank, (100 + rank) * 2 ** 20]),
    )
    const table = await run(join(runs, 'three', 'train.log'))
    expect(table.out).toMatch(/^file +verdict +confidence/)
    expect(table.out).toContain('3 × Fragmentation (fragmentation) · enough was free, but in pieces (100 %)')
  })

  test('a folder is searched, healthy runs are said to be so, and a file that cannot be read costs the status only', async () => {
    const { status, out, err } = await run('--json', runs)
    expect(status).toBe(2)
    expect(err).toMatch(/^error: snapshot\/forbidden_opcode: .*broken/)
    const labels = JSON.parse(out).map(({ file, verdict }: Entry) => [file.slice(runs.length + 1), verdict.label])
    expect(labels).toContainEqual([join('fine', 'snapshot.pickle'), 'healthy'])
    expect(labels).toHaveLength(7)
  })

  test('the ranks of one folder are told apart: text and metrics of each', async () => {
    const { out } = await run('--json', join(runs, 'ranks'))
    const found = JSON.parse(out)
    expect(found.map(({ facts }: Entry) => [facts.error_text.rank, facts.device_total_bytes])).toEqual([
      [0, 16 * 2 ** 30],
      [1, 16 * 2 ** 30],
    ])
    expect(found.map(({ facts }: Entry) => facts.steps)).toEqual([5, 7])
  })

  test('one failure is told in sentences', async () => {
    const { out } = await run('--language', 'en', join(runs, 'one'))
    expect(out).toMatch(/verdict {4}Fragmentation \(fragmentation\), \d+ %/)
  })

  test('in Chinese labels, reasons and headings are Chinese too, and the columns of the table stand below each other', async () => {
    const [one, table] = [await run('--language', 'zh-CN', join(runs, 'one')), await run('--language', 'zh-CN', join(runs, 'three'))]
    const words = (text: string): string =>
      text.replaceAll(/\/\S+|\b(?:PyTorch|PYTORCH_CUDA_ALLOC_CONF|expandable_segments:True|max_split_size_mb)\b/g, '')
    expect(words(one.out)).not.toMatch(/\b(?:verdict|fact|try|note|exhausted|uncertain)\b|[a-z]+_[a-z_]+,/)
    expect(one.out).toMatch(/^ {2}结论/m)
    const [head = '', line = '', first = ''] = table.out.split('\n')
    expect(words(table.out)).not.toMatch(/verdict|confidence|[Ff]ragmentation(?!\))|no_contiguous_block|in all/)
    expect(head).toMatch(/^文件 +结论 +置信度 +请求失败的原因 +依据$/)
    const columns = (text: string): number => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0)
    expect(columns(first.slice(0, first.indexOf('碎片化')))).toBe(columns(head.slice(0, head.indexOf('结论'))))
    expect(line.startsWith('─')).toBe(true)
  })

  test('the language is the system’s unless it is named; JSON keeps its codes in each', async () => {
    const env = { LC_ALL: 'zh_CN.UTF-8' }
    const { out } = await runCli(['diagnose', join(runs, 'one')], { cache: join(scratch.path, 'cache'), env })
    expect(out).toContain('结论')
    const json = await runCli(['diagnose', '--json', join(runs, 'three')], { cache: join(scratch.path, 'cache'), env })
    const [first] = JSON.parse(json.out)
    expect(first.verdict.label).toBe('fragmentation')
    expect(first.facts.codes).toEqual(['no_contiguous_block'])
    expect(first.candidates[0].evidence[0].text).toMatch(/\p{Script=Han}/u)
  })

  test.skipIf(process.platform === 'win32')('links are followed, to a file once, and folders that hold themselves end', async () => {
    const folder = join(scratch.path, 'linked')
    mkdirSync(join(folder, 'deep'), { recursive: true })
    symlinkSync(join(runs, 'ranks', 'all.log'), join(folder, 'today.log'))
    symlinkSync(join(runs, 'three'), join(folder, 'other'))
    symlinkSync(folder, join(folder, 'deep', 'again'))
    symlinkSync(join(runs, 'three', 'train.log'), join(folder, 'latest.log'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'broken.log'))
    const { status, out } = await run('--json', folder)
    expect(status).toBe(0)
    expect(JSON.parse(out).map(({ file }: Entry) => file.slice(folder.length + 1))).toEqual([
      ...[1, 2, 3].map((line) => `${join('other', 'train.log')}:${line}`),
      ...[1, 2].map((line) => `today.log:${line}`),
    ])
  })

  test.each([[[]], [['--language', 'fr', runs]], [['--jsn', runs]]])('%j is a usage error: status 1', async (words) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^error: usage: /)
  })

  test('metrics without a single row are said, and so is a folder with nothing of use: status 2', async () => {
    const folder = join(scratch.path, 'useless')
    mkdirSync(folder, { recursive: true })
    const nothing = await run('--json', folder)
    expect([nothing.status, nothing.out, nothing.err.slice(0, 26)]).toEqual([2, '', 'error: file/unknown_format'])
    expect(nothing.err, 'what to give instead').toContain('metrics of steps')
    writeFileSync(join(folder, 'metrics.jsonl'), '[1]\nnot json\n')
    const { status, out, err } = await run(folder)
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: file\/unknown_format: .*metrics\.jsonl/)
  })

  test('a path that is not there leaves the others as they are, and costs the status', async () => {
    const { status, out, err } = await run(join(runs, 'nothing'), join(runs, 'ranks', 'all.log'))
    expect([status, err.slice(0, 22)]).toEqual([2, 'error: file/not_found:'])
    expect(out).toContain('2 in all')
  })

  test('a run whose snapshot cannot be read is not called healthy by its metrics: the snapshot is named', async () => {
    const folder = join(scratch.path, 'unread')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'metrics.jsonl'), '{"step": 0, "allocated": 5}\n')
    copyFileSync(join(runs, 'broken', 'snapshot.pickle'), join(folder, 'snapshot.pickle'))
    const { status, out } = await run('--json', folder)
    const [only] = JSON.parse(out)
    expect([status, only.verdict]).toEqual([2, { label: 'not_enough_evidence', confidence: 0, uncertain: true }])
    expect(only.needs.join()).toContain('snapshot.pickle')
  })

  test('a path that is not there, and a file of another kind, are said: status 2', async () => {
    const missing = await run(join(runs, 'nothing'))
    expect([missing.status, missing.err.slice(0, 22)]).toEqual([2, 'error: file/not_found:'])
    const trace = await run(samplePath('trace_lora').replace('.pickle', '.json.gz'))
    expect([trace.status, trace.err.slice(0, 26)]).toEqual([2, 'error: file/unknown_format'])
  })
})

interface Entry {
  readonly file: string
  readonly verdict: { readonly label: string }
  readonly facts: {
    readonly requested_bytes: number
    readonly device_total_bytes: number
    readonly steps: number
    readonly error_text: { readonly rank: number }
  }
}
