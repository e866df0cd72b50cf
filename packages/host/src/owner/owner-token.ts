import { readOrMakeToken } from '@filewright/server'
import type { Config } from '../settings/config.ts'

/** Instances that share their stores are given the same token, so that a client may go to any of them. */
export async function readOwnerToken({ shared, token, stateRoot }: Config): Promise<string> {
  return shared && token ? token : readOrMakeToken(stateRoot)
}
