import { expect, it } from 'vitest'
import { outcomeLine } from './outcome.ts'
import { page } from './test-page.ts'

const said = (label: 'healthy' | 'not_enough_evidence', isFailure: boolean) =>
  outcomeLine({ ...page, verdict: { ...page.verdict, label }, situation: { ...page.situation, isFailure } })

it('does not say that nothing failed where a file that is cut may have lost the failure', () => {
  expect(said('not_enough_evidence', false)).toContain('not known')
  expect(said('healthy', false)).toContain('no failure on record')
  expect(said('not_enough_evidence', true)).toContain('did not fit')
})
