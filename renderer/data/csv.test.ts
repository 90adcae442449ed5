import { describe, expect, it } from 'vitest'
import { csvText } from './csv.ts'

describe('csvText', () => {
  it('writes a line a row and all digits of a number', () => {
    expect(
      csvText([
        ['event', 'bytes'],
        [7, 1_524_711_424],
      ]),
    ).toBe('event,bytes\n7,1524711424\n')
  })

  it('quotes what holds a separator', () => {
    expect(csvText([['(0,0)', 'say "x"', 'a\nb']])).toBe('"(0,0)","say ""x""","a\nb"\n')
  })

  it('makes text of what a spreadsheet would run, and leaves negative numbers alone', () => {
    expect(csvText([['=1+1', '@x', -1]])).toBe("'=1+1,'@x,-1\n")
  })
})
