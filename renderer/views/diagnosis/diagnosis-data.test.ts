import { beforeEach, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../../preload/contract/diagnosis.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { engine } from '../../data/engine-client.ts'
import { page } from '../../diagnosis/test-page.ts'
import { attachSources, takeSources } from '../../state/diagnosis-sources.ts'
import { askDiagnosis, currentPage, shownPage } from './diagnosis-data.ts'

const capture = { captureId: 'd' } as CaptureSummary
const named = (name: string): DiagnosisPage => ({ ...page, name })
const answers: ((result: Result<DiagnosisPage>) => void)[] = []
vi.spyOn(engine, 'call').mockImplementation((() => new Promise((answer) => answers.push(answer as never))) as never)
const asked = () => vi.mocked(engine.call).mock.calls.map(([, input]) => (input as { sources: readonly string[] }).sources)

beforeEach(() => {
  takeSources('d')
  answers.length = 0
  vi.mocked(engine.call).mockClear()
})

it('is asked once for the same sources, and shown only while it is of those that are attached', async () => {
  const first = askDiagnosis(capture)
  await askDiagnosis(capture)
  expect(asked()).toEqual([[]])
  answers[0]?.(ok(named('without logs')))
  await first
  expect(shownPage(capture)?.name).toBe('without logs')

  attachSources('d', ['train.log'])
  expect(shownPage(capture), 'a log has come').toBeUndefined()
  const second = askDiagnosis(capture)
  const picture = currentPage(capture)
  expect(asked(), 'nor does a picture draw it').toEqual([[], ['train.log'], ['train.log']])
  answers[1]?.(ok(named('with its log')))
  answers[2]?.(ok(named('with its log')))
  await second
  expect(await picture).toEqual(ok(named('with its log')))
  expect(await currentPage(capture)).toEqual(ok(named('with its log')))
  expect(asked()).toHaveLength(3)

  attachSources('d', ['more.log'])
  const third = askDiagnosis(capture)
  answers[3]?.(fail('query/failed', 'no'))
  await third
  expect(shownPage(capture), 'no older page stands for one that failed').toBeUndefined()
})
