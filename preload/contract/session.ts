// What is remembered about a capture between runs. Main keeps it as it is; what the parts mean is the window's to say, which checks each.
import { z } from 'zod'

/** Digits of a fingerprint that tell the contents alone; those after them also tell when the file was written. */
export const contentDigits = 20

export const sessionKeySchema = z.string().regex(/^[0-9a-f]{20}$/)

/** Under which a capture's session is kept: the same for the same bytes, wherever they lie; undefined for an index that names no contents. */
export const sessionKeyOf = (fingerprint: string): string | undefined =>
  sessionKeySchema.safeParse(fingerprint.slice(0, contentDigits)).data

export const sessionVersion = 1
export const mostNotes = 500

export const sessionSchema = z.object({
  schemaVersion: z.literal(sessionVersion),
  view: z.record(z.string(), z.unknown()), // renderer/app/session-document.ts
  looks: z.record(z.string(), z.unknown()), // by view: what only that view knows
  notes: z.array(z.unknown()).max(mostNotes), // renderer/state/notes.ts
})
export type Session = z.infer<typeof sessionSchema>

export const sessionRoutes = {
  /** null = none is kept, or none that can be read. */
  'session.load': { input: z.object({ key: sessionKeySchema }), output: z.object({ session: sessionSchema.nullable() }) },
  /** saved false = it could not be written. */
  'session.save': { input: z.object({ key: sessionKeySchema, session: sessionSchema }), output: z.object({ saved: z.boolean() }) },
  /** Forgets the sessions of all captures. */
  'session.clear': { input: z.object({}), output: z.object({}) },
} as const
