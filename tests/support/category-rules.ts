// The rules that ship.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

export const rulesPath = join(root, 'resources', 'categories', 'rules.json')
export const rulesText = readFileSync(rulesPath, 'utf8')
