/** The tool that answers with the fields of operations. */
export const DESCRIBE_OPERATIONS = 'describe_operations'
