// The facts of a report on real captures, through the port, held against plain SQL and against the questions of the views.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { ReportDevice } from '../../preload/contract/report.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('report')
const temporaryEvents = 40
let engine: EngineClient

beforeAll(() => {
  const samples = ['ft_lora', 'oom', 'two_devices'] as const
  const files = Object.fromEntries(samples.map((name) => [name, samplePath(name)]))
  engine = new EngineClient(capturesIn(scratch.path), { ...files, trace: traceSamplePath })
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

async function factsOf(name: string, device = 0): Promise<{ readonly capture: CaptureSummary; readonly facts: ReportDevice }> {
  const capture = await engine.open(name)
  return { capture, facts: await engine.value('report.device', { captureId: capture.captureId, device, temporaryEvents }) }
}

describe('report.device', () => {
  test('tells of a run that ran out of memory what was asked for, what was free and what held the rest', async () => {
    const { capture, facts } = await factsOf('oom')
    const [device] = capture.devices
    const last = device?.ooms.at(-1)
    expect(facts.failure).toMatchObject({ sizeBytes: last?.sizeBytes, deviceFreeBytes: last?.deviceFreeBytes, fit: { fits: false } })
    const at = { captureId: capture.captureId, device: 0, event: last?.event ?? -1 }
    const moment = facts.failure?.moment
    expect(moment?.event).toBe(last?.event)
    const { totals } = await engine.value('space.report', at)
    expect(moment?.space?.totals).toEqual(totals)
    expect([moment?.allocatedBytes, moment?.reservedBytes]).toEqual([totals.allocatedBytes, totals.reservedBytes])
    const { stacks } = await engine.value('stacks.top', { ...at, limit: 10 })
    expect(moment?.stacks.map(({ stackId, bytes, title }) => [stackId, bytes, title])).toEqual(
      stacks.map(({ stackId, bytes, title }) => [stackId, bytes, title]),
    )
    expect(facts.peak?.allocatedBytes).toBe(device?.peakAllocatedBytes)
    expect(facts.dump).toBeNull()
  })

  test('names who called the telling frame: near library code, then the user’s own', async () => {
    const { facts } = await factsOf('ft_lora')
    const known = facts.peak?.stacks.filter(({ stackId, frames }) => stackId >= 0 && frames.length > 0) ?? []
    expect(known.length).toBeGreaterThan(3)
    for (const { frames, title } of known) {
      expect(frames.filter(({ kind }) => kind === 'own').length).toBeLessThanOrEqual(2)
      expect(frames.filter(({ kind }) => kind === 'noise')).toEqual([])
      expect(title).not.toBe('')
    }
    expect(known.some(({ frames }) => frames.some(({ kind, filename }) => kind === 'own' && filename.endsWith('cases.py')))).toBe(true)
    expect(facts.failure).toBeNull()
  })

  test('counts what was never freed and what was temporary as plain SQL does', async () => {
    const { facts } = await factsOf('ft_lora')
    const sql = await IndexFile.of(samplePath('ft_lora'))
    const numbers = async (condition: string) =>
      (await sql.column(`SELECT count(*) || ',' || sum(size_bytes) FROM allocation WHERE ${condition}`))[0]
    const text = ({ count, bytes }: { readonly count: number; readonly bytes: number }) => `${count},${bytes}`
    expect(text(facts.neverFreed)).toBe(await numbers('free_requested_event IS NULL AND free_request_unseen = 0'))
    expect(text(facts.temporary)).toBe(await numbers(`free_requested_event - alloc_event <= ${temporaryEvents}`))
    expect(text(facts.made)).toBe(await numbers('alloc_event IS NOT NULL'))
    await sql.close()
  })

  test('is of one device, and refuses one that there is not', async () => {
    const { capture, facts } = await factsOf('two_devices', 1)
    expect(facts.peak?.allocatedBytes).toBe(capture.devices.find(({ device }) => device === 1)?.peakAllocatedBytes)
    expect(codeOf(await engine.ask('report.device', { captureId: capture.captureId, device: 7, temporaryEvents }).answer)).toBe(
      'query/bad_argument',
    )
  })

  test('leaves out of a trace what a trace does not tell', async () => {
    const { capture, facts } = await factsOf('trace')
    expect(facts.peak).toMatchObject({
      space: null,
      allocatedBytes: capture.devices.find(({ device }) => device === 0)?.peakAllocatedBytes,
    })
    expect(facts.peak?.reservedBytes).toBeGreaterThanOrEqual(facts.peak?.allocatedBytes ?? Number.POSITIVE_INFINITY)
    const ops = facts.peak?.stacks.filter(({ title }) => title.startsWith('aten::')) ?? []
    expect(ops.length).toBeGreaterThan(3)
    for (const { title, frames } of ops) expect(frames[0]?.name).not.toBe(title) // who called it, not itself again
    expect(facts.annotations.map(({ name }) => name)).toContain('ProfilerStep#1')
  })
})
