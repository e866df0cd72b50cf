import type { SectionEntries } from '../requirement.ts'

/** CONTRACT §3. */
export const results: SectionEntries[string] = {
  'exactly one result':
    'For each tool call in the log there is one result in the log, never none and never two.',
  'result when denied': 'A call that a person or a rule denies ends in one result.',
  'result when timed out': 'A call that times out ends in one result.',
  'result when cancelled': 'A call that is cancelled ends in one result.',
  'result when the client dies': 'A call whose client dies ends in one result.',
  'abandoned has no effect':
    'A call that was answered as timed out or cancelled has no effect afterwards, even when its tool finishes later.',
  'suspended has no result': 'While a call waits for a person, the log has no result for it.',
  'suspended is pending':
    'Whoever asks for a suspended call gets `pending` with the id of the approval.',
  'nothing expected throws':
    'Every expected failure is a Result value; a handler throws only for a bug.',
  'envelope success': 'The envelope has `success`.',
  'envelope errorCode': 'The envelope has `errorCode`, null on success.',
  'envelope kind': 'A failed envelope has `kind`.',
  'envelope message': 'The envelope has `message`.',
  'envelope errors': 'The envelope has `errors`, a list.',
  "envelope tool's fields": "The envelope has the tool's own fields at its top level.",
  'envelope ids': 'The envelope has sessionId, conversationId, turnId and toolCallId.',
  'envelope warnings': 'The envelope has `warnings`, a list, empty when there are none.',
  'codes keep spelling':
    'Codes are spelled as their spec spells them: NOT_FOUND as well as FileExists.',
  'kinds closed':
    'kind is one of invalid, missing, conflict, denied, limit, unsupported, unavailable, internal.',
  'codes invalid': 'INVALID_ARGUMENT, UNKNOWN_TOOL and AMBIGUOUS_VERSION have the kind invalid.',
  'codes missing': 'NOT_FOUND and NO_SUCH_REGION have the kind missing.',
  'codes conflict': 'CONFLICT and DUPLICATE_PATH have the kind conflict.',
  'codes denied': 'DENIED, CANCELLED, PROTECTED, SIGNED and PRIVATE_FILE have the kind denied.',
  'codes limit': 'TIMEOUT, TOO_LARGE and LIMIT_REACHED have the kind limit.',
  'codes unsupported':
    'READ_ONLY_FORMAT, UNREADABLE_FORMAT and ENCRYPTED have the kind unsupported.',
  'codes unavailable': 'CLIENT_GONE, WRITE_FAILED and LOCKED have the kind unavailable.',
  'codes internal': 'INTERNAL_ERROR has the kind internal.',
  'TUL-004 codes stay':
    'workspace_create_file answers with its own codes and not with the common ones of the same meaning.',
  'another kind declared':
    'A code has another kind than usual only where its tool declares that with the reason.',
  'message says three things':
    'Each failure message has three parts: what failed, the state found, and a next try that succeeds.',
  'nothing was written first':
    'A message begins with "Nothing was written" where a write was refused and nothing was.',
  'unknown tool names': 'An unknown tool is answered with the names that exist.',
  'unknown sheet names': 'An unknown sheet is answered with the sheets that exist.',
}
