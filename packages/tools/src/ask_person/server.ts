import { fail, ok, type ServerHandler } from '@filewright/protocol'
import type { ServerContext } from '../server-context.ts'
import { type askPerson, MOST_CHOICES } from './tool.ts'

export const askPersonServer: ServerHandler<typeof askPerson, ServerContext> = async ({
  question,
  choices,
}) => {
  if (choices.length < 2 || choices.length > MOST_CHOICES)
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was asked: choices has ${choices.length}, and a person chooses from two to ${MOST_CHOICES}.`,
    )
  const asks = { text: question, choices }
  return ok({ fields: { answer: '', choice: null }, message: question, asks })
}
