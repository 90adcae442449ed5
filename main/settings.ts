// The user's settings: one JSON file, checked; keys of a newer version are kept.
import { join } from 'node:path'
import { type Settings, type SettingsChange, settingsSchema } from '../preload/contract/shell.ts'
import { type BrokenDocument, JsonFile } from './json-file.ts'

export class SettingsStore {
  readonly #file: JsonFile<Settings>
  readonly #listeners: ((settings: Settings) => void)[] = []
  #current: Settings

  /** folder: the app's data folder. */
  constructor(folder: string) {
    this.#file = new JsonFile<Settings>(join(folder, 'settings.json'), settingsSchema.loose())
    this.#current = this.#file.read()
  }

  /** Set when the file was broken, so that the defaults hold. */
  get reset(): BrokenDocument | undefined {
    return this.#file.broken
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
