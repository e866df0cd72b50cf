interface Language {
  readonly name: string
  /** Of its grammar's file. */
  readonly grammar?: string
}

const BY_ENDING: Readonly<Record<string, Language>> = Object.fromEntries(
  [
    { name: 'csharp', grammar: 'c-sharp', endings: 'cs' },
    { name: 'typescript', grammar: 'typescript', endings: 'ts mts cts' },
    { name: 'tsx', grammar: 'tsx', endings: 'tsx' },
    { name: 'javascript', grammar: 'javascript', endings: 'js mjs cjs jsx' },
    { name: 'python', grammar: 'python', endings: 'py pyi' },
    { name: 'java', grammar: 'java', endings: 'java' },
    { name: 'go', grammar: 'go', endings: 'go' },
    { name: 'rust', grammar: 'rust', endings: 'rs' },
    { name: 'cpp', grammar: 'cpp', endings: 'c h cc cpp cxx hpp hh hxx' },
    { name: 'php', grammar: 'php', endings: 'php' },
    { name: 'ruby', grammar: 'ruby', endings: 'rb' },
    { name: 'bash', grammar: 'bash', endings: 'sh bash' },
    { name: 'powershell', grammar: 'powershell', endings: 'ps1 psm1' },
    { name: 'css', endings: 'css scss' },
    { name: 'markdown', endings: 'md markdown mdx' },
    { name: 'json', endings: 'json jsonc' },
    { name: 'yaml', endings: 'yml yaml' },
    { name: 'html', endings: 'html htm vue svelte' },
    { name: 'xml', endings: 'xml csproj props targets xaml' },
    { name: 'sql', endings: 'sql' },
    { name: 'kotlin', endings: 'kt kts' },
    { name: 'swift', endings: 'swift' },
  ].flatMap(({ endings, ...language }) => endings.split(' ').map(ending => [ending, language])),
)

export function languageOf(docPath: string): Language {
  const dot = docPath.lastIndexOf('.')
  return (dot >= 0 && BY_ENDING[docPath.slice(dot + 1)]) || { name: 'text' }
}

/** What the nodes of all grammars define. A function in a class is a method. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  ...ofKind(
    'class',
    'class_declaration class_definition class_specifier abstract_class_declaration class',
  ),
  ...ofKind('interface', 'interface_declaration protocol_declaration trait_item trait_declaration'),
  ...ofKind('struct', 'struct_declaration struct_item struct_specifier union_item'),
  ...ofKind('record', 'record_declaration record_struct_declaration'),
  ...ofKind('enum', 'enum_declaration enum_item enum_specifier'),
  ...ofKind('type', 'type_alias_declaration type_spec type_item delegate_declaration'),
  ...ofKind(
    'namespace',
    'namespace_declaration namespace_definition internal_module module mod_item impl_item file_scoped_namespace_declaration',
  ),
  ...ofKind(
    'function',
    'function_declaration function_definition function_item generator_function_declaration function_statement local_function_statement',
  ),
  ...ofKind(
    'method',
    'method_declaration method_definition method singleton_method constructor_declaration destructor_declaration operator_declaration abstract_method_signature',
  ),
  ...ofKind('property', 'property_declaration'),
}

function ofKind(kind: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map(type => [type, kind]))
}

/** Has definitions in it that are chunks of their own. */
export const CONTAINERS = new Set(['class', 'interface', 'struct', 'record', 'namespace'])
