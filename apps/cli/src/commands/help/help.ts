import { Exit } from '@filewright/host'
import { EXIT_CODES } from '@filewright/protocol'
import { answer } from '../../output/output.ts'
import { TOPICS } from './topics.ts'

/** A topic; the program has turned the name of a command into its `--help` before. */
export function help(topic = ''): void {
  const text = TOPICS[topic]
  if (text === undefined)
    throw new Exit(
      EXIT_CODES.missing,
      `there is no help on "${topic}"; the topics are ${Object.keys(TOPICS).join(', ')}, and "filewright --help" lists the commands`,
    )
  answer(text())
}
