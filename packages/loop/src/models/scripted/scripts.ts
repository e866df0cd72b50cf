import { demo } from './demo.ts'
import type { Script } from './model.ts'

/** By name: `scripted/demo`. */
export const scripts: Readonly<Record<string, Script>> = { demo }
