// The command line: what goes where, exit statuses, and SQL that must not write.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { type CliRun, runCli } from './cli.ts'

const scratch = scratchFolder('cli')
const cache = join(scratch.path, 'cache')
const lora = samplePath('ft_lora')
const run = (...words: string[]): Promise<CliRun> => runCli(words, { cache })
const inScratch = (name: string) => join(scratch.path, name)

beforeAll(() => {
  writeFileSync(inScratch('bad.pickle'), '\x80\x04cos\nsystem\nX\x04\x00\x00\x00true\x85R.', 'latin1')
})
afterAll(() => scratch.remove())

describe('tidemark', () => {
  test('--help and --version answer on standard output', async () => {
    const help = await run('--help')
    expect([help.status, help.err]).toEqual([0, ''])
    for (const word of ['info', 'index', 'query', 'export', 'whatif', '--view VIEW', '--format table|json|csv'])
      expect(help.out).toContain(word)
    expect(await run('--version')).toEqual({ status: 0, out: `${packageJson.version}\n`, err: '' })
  })

  test.each([['info'], ['index'], ['query'], ['diagnose'], ['whatif'], ['export'], ['report']])(
    '%s --help prints the usage: status 0',
    async (command) => {
      const help = await run(command, '--help')
      expect([help.status, help.err]).toEqual([0, ''])
      expect(help.out).toBe((await run('--help')).out)
    },
  )

  test.each([
    [['info']],
    [['info', lora, lora]],
    [['info', lora, '--jsn']],
    [['index']],
    [['index', lora, '-o', lora]],
    [['index', lora, '-o', scratch.path]],
    [['query', lora]],
    [['query', lora, 'SELECT 1', '--format', 'xml']],
    [['query', lora, '']],
    [['query', lora, ' -- nothing']],
    [['export', lora, '-o', 'x.png']],
    [['export', lora, '--view', 'timeline']],
    [['export', lora, '--view', 'timeline', '-o', 'x.gif']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--size', '10x10']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--range', '5:1']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--range', '5:1ms']],
    [['export', lora, '--view', 'timeline', '-o', 'x.png', '--at', 'noon']],
    [['export', lora, '--view', 'lifetimes', '-o', 'x.png', '--color-by', 'age']],
    [['export', lora, '--view', 'blocks', '-o', 'x.png', '--range', '1:5']],
    [['report', lora]],
    [['report', lora, '-o', 'x.doc']],
    [['report', lora, '-o', 'x.html', '--views', 'timeline,sunburst']],
    [['report', lora, '-o', 'x.html', '--date', 'yesterday']],
    [['report', lora, '-o', 'x.html', '--at', 'peak']],
    [['--frobnicate']],
  ])('%j is a usage error: status 1, one line', async (words) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^error: usage: .+: see tidemark --help\n$/)
  })

  test.each([
    ['file/not_found', () => inScratch('missing.pickle')],
    ['snapshot/forbidden_opcode', () => inScratch('bad.pickle')],
    ['file/unreadable', () => scratch.path],
  ])('says %s in one line with the file and what to do: status 2', async (code, file) => {
    for (const command of [['info'], ['index'], ['query']] as const) {
      const { status, out, err } = await run(...command, file(), ...(command[0] === 'query' ? ['SELECT 1'] : []))
      expect([status, out]).toEqual([2, ''])
      expect(err.startsWith(`error: ${code}: `)).toBe(true)
      expect(err).toContain(file())
      expect(err.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  test.skipIf(process.platform === 'win32')('refuses a pipe at once instead of waiting for its writer', async () => {
    execFileSync('mkfifo', [inScratch('pipe')])
    const { status, err } = await run('info', inScratch('pipe'))
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: file\/unreadable: /)])
  })

  test
    .skipIf(process.platform !== 'linux')
    .each([
      [['info', lora]],
      [['info', lora, '--json']],
      [['index', lora]],
      [['query', lora, 'SELECT * FROM event']],
      [['query', lora, 'SELECT 1', '--format', 'json']],
    ])('%j says that its output is full: status 3', async (words) => {
    const { status, err } = await runCli(words, { cache, before: 'exec > /dev/full' })
    expect([status, err]).toEqual([3, expect.stringMatching(/^error: export\/write_failed: .*ENOSPC.*, in standard output: .+\n$/)])
  })

  test('says so too when the disk gets full in the middle of an answer', async () => {
    const before = `trap '' XFSZ; ulimit -f 1; exec > '${inScratch('cut.txt')}'`
    const { status, err } = await runCli(['--help'], { cache, before })
    expect([status, err]).toEqual([3, expect.stringMatching(/^error: export\/write_failed: .*EFBIG.*, in standard output: .+\n$/)])
  })

  test('says that a file to open is missing', async () => {
    const { status, err } = await run('infro')
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: file\/not_found: .+infro/)])
  })

  test('stops without a word when the reader of its output goes away', async () => {
    const { status, err } = await runCli(['query', lora, 'SELECT * FROM event, (SELECT 1 UNION ALL SELECT 2)', '--format', 'csv'], {
      cache,
      before: `set -o pipefail; exec 1> >(head -n 2 > '${inScratch('head.txt')}')`,
    })
    expect([status, err]).toEqual([0, ''])
    expect(readFileSync(inScratch('head.txt'), 'utf8').split('\n')[0]).toMatch(/^device,event,action,address/)
  })
})

describe('tidemark info', () => {
  test('prints the summary for people', async () => {
    const { status, out } = await run('info', lora)
    expect(status).toBe(0)
    for (const text of ['ft_lora.pickle', '6,969 events', 'peak allocated  1.15 GiB (event 2,480', '1.40 GiB reserved'])
      expect(out).toContain(text)
  })

  test('prints the summary as JSON, nothing on standard error when that is no terminal', async () => {
    const { out, err } = await run('info', samplePath('oom'), '--json')
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({ eventCount: 665, devices: [{ ooms: [{ sizeBytes: 419430400 }] }] })
  })
})

describe('tidemark index', () => {
  test('prints where the index is, and with -o puts it there', async () => {
    const { out } = await run('index', lora)
    expect(existsSync(out.trim())).toBe(true)
    const target = inScratch('own.tidemark')
    const own = await run('index', lora, '-o', target, '--json')
    expect(JSON.parse(own.out)).toMatchObject({ index: target, fromCache: false })
    expect(JSON.parse((await run('info', target, '--json')).out)).toMatchObject({ eventCount: 6969 })
  })

  test('leaves an older index at OUT alone when it fails', async () => {
    const target = inScratch('kept.tidemark')
    await run('index', lora, '-o', target)
    const older = readFileSync(target)
    expect((await run('index', inScratch('bad.pickle'), '-o', target)).status).toBe(2)
    expect(readFileSync(target).equals(older)).toBe(true)
  })

  test('says what is wrong with OUT rather than with the cache', async () => {
    expect((await run('index', lora, '-o', scratch.path)).err).toContain(
      `OUT is a folder: name a file in it, such as ${inScratch('ft_lora.tidemark')}`,
    )
    const target = inScratch('none/x.tidemark')
    const { status, err } = await run('index', lora, '-o', target)
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/write_failed: .+: check the folder of OUT/)])
    expect(err).toContain(target)
  })

  test('never writes over the capture itself, also behind a link, nor over a file that is no index', async () => {
    const capture = inScratch('only-copy.pickle')
    const link = inScratch('link.pickle')
    const thesis = inScratch('thesis.txt')
    copyFileSync(lora, capture)
    symlinkSync(capture, link)
    writeFileSync(thesis, 'years of work')
    for (const target of [capture, thesis, scratch.path]) expect((await run('index', link, '-o', target)).status).toBe(1)
    expect(readFileSync(capture).equals(readFileSync(lora))).toBe(true)
    expect(readFileSync(thesis, 'utf8')).toBe('years of work')
  })
})

describe('tidemark export to CSV', () => {
  const rowsOf = async (...options: string[]) => {
    const out = inScratch('live.csv')
    const done = await run('export', lora, '--view', 'timeline', '-o', out, ...options)
    expect([done.status, done.err, done.out]).toEqual([0, '', `${out}\n`])
    return readFileSync(out, 'utf8')
  }

  test('writes the allocations alive at the peak, largest first, with their stacks', async () => {
    const text = await rowsOf()
    const sizes = [...text.matchAll(/^\d+,0x[0-9a-f]+,\d+,\d+,(\d+),/gm)].map(([, size]) => Number(size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1234779648)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    expect(text).toMatch(/^allocation_id,address,version,requested_bytes,size_bytes,stream,pool,/)
    expect(text).toMatch(/forward \(linear\.py:\d+\)\n/)
  })

  test('takes the end, an event or a time', async () => {
    const count = (text: string) => [...text.matchAll(/^\d+,0x/gm)].length
    expect(count(await rowsOf('--at', 'end'))).toBe(59)
    expect(count(await rowsOf('--at', 'event:-1'))).toBe(count(await rowsOf('--at', 'time:-1ns')))
    expect(count(await rowsOf('--at', 'time:20s'))).toBe(59)
  })

  const tableOf = async (file: string, view: string, ...options: string[]) => {
    const out = inScratch(`${view}.csv`)
    const done = await run('export', file, '--view', view, '-o', out, ...options)
    expect([done.status, done.err]).toEqual([0, ''])
    return readFileSync(out, 'utf8')
  }
  const asked = async (file: string, sql: string) => (await run('query', file, sql, '--format', 'csv')).out.split('\n')[1]
  const heads = (text: string) => text.split('\n')[0]?.split(',').slice(0, 4)

  test('writes the blocks at a moment, pools and streams at it, the tree of its stacks, and all allocations', async () => {
    const oom = samplePath('oom')
    const blocks = [...(await tableOf(oom, 'blocks', '--at', 'oom')).matchAll(/^0x[0-9a-f]+,(\d+),/gm)]
    const last = await asked(oom, 'SELECT max(event) FROM oom WHERE device = 0')
    expect(`${blocks.length},${blocks.reduce((sum, [, size]) => sum + Number(size), 0)}`).toBe(
      await asked(oom, `SELECT count(*), sum(size_bytes) FROM block_map(0, ${last})`),
    )
    const [, ...groups] = (await tableOf(oom, 'fragmentation')).trim().split('\n')
    const reserved = groups.reduce((sum, line) => sum + Number(/,(?:small|large),\d+,(\d+),/.exec(line)?.[1]), 0)
    expect(String(reserved)).toBe(await asked(oom, `SELECT sum(total_bytes) FROM segment_map(0, ${last})`))
    const nodes = await tableOf(oom, 'flame', '--at', 'peak')
    expect(heads(nodes)).toEqual(['node_id', 'parent_id', 'function', 'file'])
    const peak = await asked(oom, 'SELECT peak_allocated_bytes FROM device WHERE device = 0')
    expect(nodes.split('\n')[1]).toMatch(new RegExp(`^0,,,,,0,${peak},0,\\d+$`))
    const all = await tableOf(oom, 'lifetimes')
    expect(heads(all)).toEqual(['allocation_id', 'address', 'version', 'requested_bytes'])
    expect(String([...all.matchAll(/^\d+,0x/gm)].length)).toBe(await asked(oom, 'SELECT count(*) FROM allocation WHERE device = 0'))
  })

  test('says that no allocation failed where --at oom asks for it', async () => {
    const { status, err } = await run('export', lora, '--view', 'blocks', '--at', 'oom', '-o', inScratch('x.csv'))
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: query\/bad_argument: Device 0 has no out-of-memory event/)])
  })

  test('refuses a device or an event that is not there and a folder that is not there', async () => {
    const device = await run('export', lora, '--view', 'timeline', '--device', '7', '-o', inScratch('x.csv'))
    expect([device.status, device.err]).toEqual([
      1,
      expect.stringMatching(/^error: query\/bad_argument: There is no device 7 .+devices: 0/),
    ])
    const folder = await run('export', lora, '--view', 'timeline', '-o', inScratch('none/x.csv'))
    const event = await run('export', lora, '--view', 'timeline', '--at', 'event:99999999', '-o', inScratch('x.csv'))
    expect([event.status, event.err]).toEqual([1, expect.stringMatching(/^error: query\/bad_argument: Device 0 has no event 99999999 /)])
    expect(existsSync(inScratch('x.csv'))).toBe(false)
    expect([folder.status, folder.err]).toEqual([2, expect.stringMatching(/^error: export\/write_failed: /)])
  })
})

test('tidemark export writes the flame graph for other tools, with all that is alive at the moment', async () => {
  const weigh = async (at: string) => {
    const out = inScratch('stacks.folded')
    expect(await run('export', lora, '--view', 'flame', '--at', at, '-o', out)).toMatchObject({ status: 0, err: '', out: `${out}\n` })
    const lines = readFileSync(out, 'utf8').split('\n').filter(Boolean)
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
  }
  const [device] = JSON.parse((await run('info', lora, '--json')).out).devices as { peakAllocatedBytes: number; allocatedBytes: number }[]
  expect(await weigh('peak')).toBe(device?.peakAllocatedBytes)
  expect(await weigh('end')).toBe(device?.allocatedBytes)
  for (const name of ['x.d3.json', 'x.speedscope.json', 'x.pb.gz']) {
    expect((await run('export', lora, '--view', 'flame', '-o', inScratch(name))).status).toBe(0)
    expect(readFileSync(inScratch(name)).length).toBeGreaterThan(1000)
  }
})
