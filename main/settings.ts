// The user's settings: one JSON file, checked; keys of a newer version are kept.
import { join } from 'node:path'
import { type Settings, type SettingsChange, settingsSchema } from '../preload/contract/shell.ts'
import { JsonFile } from './json-file.ts'

export class SettingsStore {
  readonly #file: JsonFile<Settings>
  readonly #listeners: ((settings: Settings) => void)[] = []
  #current: Settings

  /** folder: the app's data folder. */
  constructor(folder: string) {
    this.#file = new JsonFile<Settings>(join(folder, 'settings.json'), settingsSchema.loose())
    this.#current = this.#file.read()
  }

  get current(): Settings {
    return this.#current
  }

  /** Changes the given settings (undefined = leave), writes them and tells the listeners. */
  change(changed: SettingsChange): Settings {
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
    this.#current = { ...this.#current, ...given }
    this.#file.write(this.#current)
    for (const listener of this.#listeners) listener(this.#current)
    return this.#current
  }

  onChange(listener: (settings: Settings) => void): void {
    this.#listeners.push(listener)
  }
}

/** The language to show texts in, by the setting and the system's language tag. */
export function languageOf(settings: Settings, systemLanguage: string): 'en' | 'zh-CN' {
  if (settings.language !== 'system') return settings.language
  return systemLanguage.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}
