import { z } from 'zod'

/** Where an operation works. A sheet may be called 2025, and a call may send that as a number. */
export const sheet = z.union([z.string(), z.number()]).describe('Sheet name')
export const range = z.string().describe('Cell range such as A1:C10')
