/** Every section of every document, in its order. The gate fails on a section that has no requirement. */
export const specSections = {
  'TUL-001': ['1', '2', '3', '4', '5'],
  'TUL-002': [
    ...['1', '2', '2.1', '2.2', '3', '4', '4.1', '4.1.1', '4.2', '4.2.1'],
    ...['5', '5.1', '5.1.1', '5.2', '5.3', '5.4', '6', '7', '7.1', '7.2'],
    ...['8', '8.1', '8.2', '8.3', '8.4', '8.5', '8.6', '9', '10', '11'],
  ],
  'TUL-004': [
    ...['1', '2', '2.1', '2.2', '3', '3.1', '3.2', '3.3', '4', '4.1', '4.2', '4.3'],
    ...['5', '5.1', '5.2', '5.3', '5.4', '6', '6.1', '6.2'],
    ...['7', '7.1', '7.2', '7.3', '7.4', '7.5', '7.6', '8', '9'],
  ],
  'ADR-0010': [
    ...['Status', 'Superseded', 'Context', 'Decision', 'New Architecture', 'Tool Schema'],
    ...['File Discovery', 'Reading Files', 'File Information', 'Writing Files'],
    ...['Office Operations', 'Key Design Principles', 'Implementation Changes', 'OpenAI Client'],
    ...['New Workshop Flow', 'Tool Handlers', 'IPC Updates', 'UI Changes'],
    ...['Conversation Message Format', 'Safety & Limits', 'Migration', 'Consequences', 'Positive'],
    ...['Negative', 'Neutral', 'Alternatives Considered', 'Increase context limits'],
    ...['Smart chunking', 'Multi-stage pipeline', 'References'],
  ],
  CONTRACT: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
} satisfies Record<string, string[]>

export type SpecDocument = keyof typeof specSections
