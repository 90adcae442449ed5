// What the window itself shows: panels, the open dialog, settings, messages. Nothing here belongs to one capture.
import { create } from 'zustand'
import { type Recent, type Settings, settingsSchema } from '../../preload/contract/shell.ts'
import type { Note, NotePlace } from './notes.ts'

export type PaletteMode = 'quick' | 'commands' | 'goTo' | 'recent'
export type Dialog =
  | { readonly kind: 'palette'; readonly mode: PaletteMode }
  | { readonly kind: 'keys' | 'settings' | 'about' | 'export' | 'report' | 'saveFilter' }
  | { readonly kind: 'note'; readonly about: NotePlace | Note } // a new note on a place, or one to change

export interface Message {
  readonly id: number
  readonly text: string
  readonly severity: 'info' | 'error'
  readonly action?: MessageAction | undefined
}

/** What the user may do about a message; it goes then. */
export interface MessageAction {
  readonly label: string
  readonly run: () => void
}

export interface AppInfo {
  readonly version: string
  readonly electron: string
  readonly platform: string
  readonly systemLanguage: string
}

interface ShellState {
  readonly settings: Settings
  readonly systemDark: boolean
  readonly info: AppInfo | undefined
  readonly recent: readonly Recent[]
  readonly showSideBar: boolean
  readonly showWelcome: boolean // in front of the open captures
  readonly dialog: Dialog | undefined
  readonly messages: readonly Message[]
}

export const useShell = create<ShellState>(() => ({
  settings: settingsSchema.parse({}),
  systemDark: true,
  info: undefined,
  recent: [],
  showSideBar: true,
  showWelcome: false,
  dialog: undefined,
  messages: [],
}))

/** Opens a dialog in place of the one that is open; undefined closes it. */
export function showDialog(dialog: Dialog | undefined): void {
  useShell.setState({ dialog })
}

const messageMs = 6000
let nextMessage = 1

/** Tells the user something that needs no answer. It leaves by itself, errors stay until dismissed. */
export function showMessage(text: string, severity: Message['severity'] = 'info', action?: MessageAction): void {
  const id = nextMessage++
  useShell.setState((state) => ({ messages: [...state.messages.slice(-2), { id, text, severity, action }] }))
  if (severity === 'info') setTimeout(() => dismissMessage(id), messageMs)
}

/** Takes a message away. */
export function dismissMessage(id: number): void {
  useShell.setState((state) => ({ messages: state.messages.filter((message) => message.id !== id) }))
}
