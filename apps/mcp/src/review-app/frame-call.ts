import type { Agent } from '../agent/agent.ts'
import type { Challenges } from './challenges.ts'

/** A call of the frame, for one agent in one host. */
export interface FrameCall {
  readonly agent: Agent
  readonly challenges: Challenges
  readonly host: string
}
