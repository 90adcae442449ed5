// Verdicts over programs that no rule was made with, from the snapshot alone; prints each.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureCapture } from '../../main/engine/diagnosis/capture-measures.ts'
import { diagnose } from '../../main/engine/diagnosis/diagnose.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, expectValue, quietly } from './engine-client.ts'
import { heldOutFourth } from './held-out-fourth.ts'
import { heldOutGrowth } from './held-out-growth.ts'
import { heldOut } from './held-out-programs.ts'
import { heldOutSecond } from './held-out-second.ts'
import { heldOutThird } from './held-out-third.ts'

const scratch = scratchFolder('diagnosis-held-out')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

test.each(Object.entries({ ...heldOut, ...heldOutGrowth, ...heldOutSecond, ...heldOutThird, ...heldOutFourth }))(
  '%s',
  async (name, { accepts, among, snapshot }) => {
    const path = join(scratch.path, `${name.replaceAll(/\W+/g, '_')}.pickle`)
    writeFileSync(path, writePickle(snapshot(), { protocol: 4 }))
    const { captureId } = expectValue(await captures.open(path, quietly))
    const capture = expectValue(await measureCapture(expectValue(captures.get(captureId))))
    await captures.close(captureId)
    const { verdict, candidates } = diagnose({ capture, log: null, metrics: null })
    const found = candidates.map(({ label, confidence }) => `${label} ${confidence}`).join(', ')
    expect(accepts, `${verdict.label} among: ${found}`).toContain(verdict.label)
    if (among) expect(candidates.map(({ label }) => label)).toContain(among)
  },
)
