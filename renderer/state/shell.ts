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

const messageMs = { info: 6000, error: 12_000 } as const
let nextMessage = 1
const leaving = new Map<number, ReturnType<typeof setTimeout>>()

/** Tells the user something. It leaves by itself, but an error with something to do about it stays; the same text is never shown twice. */
export function showMessage(text: string, severity: Message['severity'] = 'info', action?: MessageAction): void {
  const id = nextMessage++
  const message = { id, text, severity, action }
  useShell.setState(({ messages }) => ({ messages: [...messages.filter((each) => each.text !== text).slice(-2), message] }))
  releaseMessage(message)
}

const staysForDecision = ({ severity, action }: Message): boolean => severity === 'error' && action !== undefined

/** Keeps a message while it is pointed at or has the focus. */
export function holdMessage({ id }: Message): void {
  clearTimeout(leaving.get(id))
  leaving.delete(id)
}

/** Lets a message leave by itself, after its whole time. */
export function releaseMessage(message: Message): void {
  holdMessage(message)
  if (staysForDecision(message)) return
  leaving.set(
    message.id,
    setTimeout(() => dismissMessage(message.id), messageMs[message.severity]),
  )
}

/** Takes errors away that need no decision: the user went on to something else. */
export function dismissErrors(): void {
  for (const message of useShell.getState().messages)
    if (message.severity === 'error' && !staysForDecision(message)) dismissMessage(message.id)
}

/** Takes a message away. */
export function dismissMessage(id: number): void {
  clearTimeout(leaving.get(id))
  leaving.delete(id)
  useShell.setState((state) => ({ messages: state.messages.filter((message) => message.id !== id) }))
}
