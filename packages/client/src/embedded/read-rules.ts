import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule } from '@filewright/protocol'
import { createRuleList, RULES } from '../kept/rule-lines.ts'
import { openLogFolder } from './log-folder.ts'
import { createUnsynced } from './unsynced.ts'

/** The rules in a state folder that another process may own; none where they cannot be read completely. */
export async function readRules(root: string): Promise<readonly Rule[]> {
  if (!existsSync(join(root, RULES))) return []
  const logs = openLogFolder(root, createUnsynced())
  const { rules, damage } = await createRuleList(logs).load()
  logs.close()
  return damage ? [] : rules
}
