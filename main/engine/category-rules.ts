// The rules that give allocations their category: ours, and the user's before them. See resources/categories/README.md.
import { join } from 'node:path'
import envPaths from 'env-paths'
import { z } from 'zod'
import type { CategoryRule } from '../../preload/contract/categories.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import ours from '../../resources/categories/rules.json'
import { textSchema } from './bilingual.ts'
import type { IndexStore } from './index-store.ts'
import { readOwnJson } from './own-json.ts'
import { messageOf } from './system-error.ts'

/** No list that a person writes is longer. */
const mostBytes = 4 * 1024 ** 2

// Only what is said to people: everything else is checked by the native library, which reads it.
const fileSchema = z.looseObject({
  steps: z.array(z.unknown()).default([]),
  phases: z.array(z.unknown()).default([]),
  rules: z.array(z.looseObject({ id: z.string(), title: textSchema.optional(), why: textSchema.optional() })).default([]),
})
type RuleFile = z.infer<typeof fileSchema>

export interface CategoryRuleSet {
  /** By id: what people read about each rule. */
  readonly rules: ReadonlyMap<string, CategoryRule>
  /** Makes the rules those of a connection. Errors: `categories/broken_rules`, those of the store. */
  readonly applyTo: (store: IndexStore) => Promise<Result<void>>
}

interface UserFile {
  readonly path: string
  readonly text: string
  readonly file: RuleFile
}

export class CategoryRuleFiles {
  readonly #userPath: string | null
  readonly #mustExist: boolean

  /** userPath: the user's own file; null = none is looked for. mustExist: it is a failure when there is none. */
  constructor(userPath: string | null = null, mustExist = false) {
    this.#userPath = userPath
    this.#mustExist = mustExist
  }

  /** The user's own file is what TIDEMARK_CATEGORIES says, or categories.json in the user's configuration folder. */
  static fromEnvironment(env: NodeJS.ProcessEnv): CategoryRuleFiles {
    const named = env.TIDEMARK_CATEGORIES
    return new CategoryRuleFiles(named || join(envPaths('tidemark', { suffix: '' }).config, 'categories.json'), Boolean(named))
  }

  /** Reads the user's file anew. Errors: `categories/broken_rules`. */
  async read(): Promise<Result<CategoryRuleSet>> {
    const user = this.#userPath === null ? ok(null) : await readUserFile(this.#userPath, this.#mustExist)
    if (!user.ok) return user
    try {
      return ok(ruleSet(user.value))
    } catch (error) {
      return broken(`${this.#userPath}: ${messageOf(error)}`) // lists in lists, thousands deep
    }
  }
}

async function readUserFile(path: string, mustExist: boolean): Promise<Result<UserFile | null>> {
  const read = await readOwnJson(path, fileSchema, mostBytes)
  if ('value' in read) return ok({ path, text: read.text, file: read.value })
  return read.isAbsent && !mustExist ? ok(null) : broken(read.message)
}

const broken = (message: string) => fail('categories/broken_rules', message)

/** The user's stand first, and take the place of ours that have the same id. */
function ruleSet(user: UserFile | null): CategoryRuleSet {
  const own = fileSchema.parse(ours)
  const ids = new Set(user?.file.rules.map(({ id }) => id))
  const rules = [...(user?.file.rules ?? []), ...own.rules.filter(({ id }) => !ids.has(id))]
  const merged = JSON.stringify({
    format: 1,
    steps: [...(user?.file.steps ?? []), ...own.steps],
    phases: [...(user?.file.phases ?? []), ...own.phases],
    rules,
  })
  const nothing = { en: '', 'zh-CN': '' }
  return {
    rules: new Map(rules.map(({ id, title, why }) => [id, { id, title: title ?? { en: id, 'zh-CN': id }, why: why ?? nothing }])),
    applyTo: async (store) => {
      // The user's file by itself first: what is wrong with it is then said by the places that it has there.
      const checked = user ? await setRules(store, user.text) : ok(undefined)
      if (user && !checked.ok && checked.error.code === 'query/bad_argument') return broken(`${user.path}: ${checked.error.message}`)
      return checked.ok ? setRules(store, merged) : checked
    },
  }
}

async function setRules(store: IndexStore, json: string): Promise<Result<void>> {
  const set = await store.get('SELECT category_rules(?)', [json])
  return set.ok ? ok(undefined) : set
}
