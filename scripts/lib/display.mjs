// Whether there is a screen, and how to run a program with a virtual one.
import { findProgram } from './process.mjs'

/** True when a window can be shown. */
export const hasDisplay = () => process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/** True when a virtual screen can be had. */
export const canFakeDisplay = () => findProgram('xvfb-run') !== null && findProgram('xauth') !== null

/** Program and arguments that run `program` on its own virtual screen; -a takes a free display number, so runs do not clash. */
export const withVirtualDisplay = (program, args) => ['xvfb-run', ['-a', '-s', '-screen 0 1600x1000x24 -nolisten tcp', program, ...args]]
