import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitArguments } from '../../main/engine/queries/args-text.ts'

describe('the arguments of an event', () => {
  test('come in the order of the file, texts plain and all else as it is written', () => {
    const json = '{ "Input Dims" : [[512, 32000], []], "b":"a \\"b\\" \\u00e9", "Addr":18446744073709551615, "ok": true, "none": null }'
    expect(splitArguments(json)).toEqual([
      { key: 'Input Dims', value: '[[512, 32000], []]' },
      { key: 'b', value: 'a "b" é' },
      { key: 'Addr', value: '18446744073709551615' },
      { key: 'ok', value: 'true' },
      { key: 'none', value: 'null' },
    ])
  })

  test('keep numbers that JSON does not have and brackets inside texts', () => {
    expect(splitArguments('{"x": NaN, "y": -Infinity, "z": "}],{"}')).toEqual([
      { key: 'x', value: 'NaN' },
      { key: 'y', value: '-Infinity' },
      { key: 'z', value: '}],{' },
    ])
  })

  test('are one value without a key where the text is no object', () => {
    expect(splitArguments('"only a text"')).toEqual([{ key: '', value: 'only a text' }])
    expect(splitArguments('[1, 2]')).toEqual([{ key: '', value: '[1, 2]' }])
    expect(splitArguments('{}')).toEqual([])
  })

  test('are cut where one is longer than any honest one', () => {
    const whole = 'x'.repeat(200_000)
    expect(splitArguments(JSON.stringify({ a: whole, b: `${whole}y` }))).toEqual([
      { key: 'a', value: whole },
      { key: 'b', value: `${whole.slice(1)}…` },
    ])
  })

  test('are cut where they are too much together', () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`k${index}`, 'x'.repeat(150_000)]))
    const values = splitArguments(JSON.stringify(many)).map(({ value }) => value)
    expect(values.map((value) => value.length)).toEqual([...Array<number>(6).fill(150_000), 100_000, 1])
    expect(values.map((value) => value.endsWith('…'))).toEqual([...Array<boolean>(6).fill(false), true, true])
  })

  test('say what JSON.parse says, whatever the object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const expected = Object.entries(JSON.parse(JSON.stringify(object)) as Record<string, unknown>).map(([key, value]) => ({
          key,
          value: typeof value === 'string' ? value : JSON.stringify(value),
        }))
        expect(splitArguments(JSON.stringify(object))).toEqual(expected)
      }),
    )
  })

  test('never hang or throw on what is cut or damaged', () => {
    const whole = '{"a": {"b": [1, "\\"", {}]}, "c\\\\": "d", "e": 1.5e3}'
    for (let length = 0; length <= whole.length; length++) expect(splitArguments(whole.slice(0, length))).toBeInstanceOf(Array)
  })
})
