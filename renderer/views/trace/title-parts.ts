// The name of a slice where there is little room: a Python frame is its function, with the place apart.
import { shortFile } from '../../panels/fold-frames.ts'
import { shortTitle } from './labels.ts'

export interface TitleParts {
  readonly name: string
  readonly place: string // file and line of a Python frame; else ''
}

/** "torch/nn/modules/module.py(1775): _call_impl" → _call_impl, modules/module.py:1775; other names in their short form. */
export function titleParts(title: string): TitleParts {
  const [, file, line, name] = /^(.+)\((\d+)\): (.+)$/.exec(title) ?? []
  if (file === undefined || line === undefined || name === undefined) return { name: shortTitle(title), place: '' }
  return { name, place: `${shortFile(file)}:${line}` }
}
