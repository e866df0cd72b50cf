export interface Migration {
  readonly sql: string
  /**
   * Programs that know fewer migrations than this cannot use the database any more. Others go on beside newer ones, so
   * raise it only where old statements fail or write what new ones cannot read.
   */
  readonly needs: number
}

/** Forward only: a released entry never changes. JSON is text; every row carries its workspace. */
export const MIGRATIONS: readonly Migration[] = [
  {
    needs: 1,
    sql: `
  create table settings (
    key text primary key,
    value text not null
  );

  -- parts: names of objects in the bucket, each written once, and their sizes; object tells one set from another
  create table blobs (
    sha256 text primary key,
    object text not null,
    parts text not null,
    size_bytes bigint not null,
    put timestamptz not null default clock_timestamp()
  );
  create table uploads (
    sha256 text primary key,
    object text not null,
    parts text not null,
    size_bytes bigint not null,
    touched timestamptz not null default clock_timestamp(),
    holder text,
    held_until timestamptz
  );

  create table versions (
    id bigint generated always as identity primary key,
    workspace text not null,
    doc_path text not null,
    path text not null,
    sha256 text,
    size_bytes bigint not null,
    time text not null,
    origin text not null,
    change_set text
  );
  create index versions_by_path on versions (workspace, doc_path, id);
  create index versions_by_hash on versions (sha256, workspace);
  create index versions_by_change_set on versions (workspace, change_set) where change_set is not null;
  create table heads (
    workspace text not null,
    doc_path text not null,
    version bigint not null references versions (id),
    primary key (workspace, doc_path)
  );

  create sequence log_position;
  create table sessions (
    session text primary key,
    workspace text not null,
    kind text not null,
    title text not null,
    conversation text not null,
    state text not null,
    created text not null,
    updated text not null,
    begun bigint not null,
    holder text,
    epoch bigint not null default 0,
    expires bigint not null default 0
  );
  create index sessions_by_workspace on sessions (workspace);
  create unique index sessions_standing on sessions (workspace) where kind = 'standing';

  create table log (
    session text not null,
    seq bigint not null,
    position bigint not null,
    conversation text not null,
    workspace text not null,
    type text not null,
    time text not null,
    subject text,
    body text not null,
    primary key (session, seq)
  );
  create unique index log_one_result on log (session, subject) where type = 'tool_result';
  create index log_starts on log (session, subject, seq) where type = 'call-start';
  create index log_answers on log (session, subject, seq) where type = 'assistant_message';
  create index log_last on log (session, type, seq)
    where type in ('run-start', 'conversation-start', 'context', 'assistant_message');
  create table open_calls (
    session text not null,
    tool_call text not null,
    workspace text not null,
    name text not null,
    position bigint not null,
    primary key (session, tool_call)
  );
  create index open_calls_by_workspace on open_calls (workspace, position);
  create table log_blobs (
    session text not null,
    sha256 text not null,
    workspace text not null,
    primary key (session, sha256)
  );
  create index log_blobs_by_hash on log_blobs (sha256);

  create table inbox (
    position bigint generated always as identity primary key,
    session text not null,
    id text not null,
    workspace text not null,
    type text not null,
    time text not null,
    body text,
    unique (session, id)
  );
  create index inbox_waiting on inbox (session, position) where body is not null;

  -- instances that are up, and where the client of a workspace is attached
  create table instances (
    instance text primary key,
    url text not null,
    expires timestamptz not null
  );
  create table homes (
    workspace text primary key,
    instance text not null
  );

  create table batches (
    position bigint generated always as identity primary key,
    batch text not null unique,
    workspace text not null,
    tool_call text not null,
    body text not null,
    unique (workspace, tool_call)
  );
  create index batches_by_workspace on batches (workspace, position);
  create table patch_ids (
    id text primary key,
    batch text not null references batches (batch),
    workspace text not null
  );
  create table fates (
    position bigint generated always as identity primary key,
    batch text not null references batches (batch),
    workspace text not null,
    target text not null,
    fate text not null,
    time text not null,
    reason text
  );
  create index fates_by_batch on fates (batch, position);

  create table search_files (
    workspace text not null,
    doc_path text not null,
    path text not null,
    sha256 text not null,
    size_bytes bigint not null,
    modified text not null,
    language text not null,
    primary key (workspace, doc_path)
  );
  create table search_chunks (
    id bigint generated always as identity primary key,
    workspace text not null,
    doc_path text not null,
    place text not null,
    symbol text,
    line_start integer not null,
    line_end integer not null,
    text text not null,
    words tsvector not null
  );
  create index search_chunks_by_path on search_chunks (workspace, doc_path);
  create index search_chunks_by_symbol on search_chunks (workspace, lower(symbol)) where symbol is not null;
  create index search_chunks_by_word on search_chunks using gin (words);
  `,
  },
  {
    needs: 1,
    sql: `
  create table access_tokens (
    position bigint generated always as identity primary key,
    token text not null unique,
    hash text not null unique,
    body text not null,
    revoked text,
    last_used text
  );
  create table access_use (
    token text not null,
    what text not null,
    period text not null,
    amount bigint not null,
    primary key (token, what, period)
  );
  create table decisions (
    position bigint generated always as identity primary key,
    workspace text,
    body text not null,
    outcome text,
    result text
  );
  create index decisions_by_workspace on decisions (workspace, position);
`,
  },
  {
    needs: 1,
    sql: `
  -- workspaces that are in these stores alone; whatever their home writes names its epoch
  create table hosted (
    workspace text primary key,
    key text not null,
    name text not null,
    created timestamptz not null default clock_timestamp()
  );
  create sequence home_epochs;
  alter table homes add column epoch bigint not null default 0;

  -- logs of their clients: drafts, rules, checkpoints
  create table state_lines (
    workspace text not null,
    position bigint not null,
    log text not null,
    body text not null,
    primary key (workspace, position)
  );
  create index state_lines_by_log on state_lines (workspace, log, position);
  `,
  },
  {
    needs: 1,
    sql: `
  create index sessions_not_idle on sessions (state) where state <> 'idle';
  `,
  },
]
