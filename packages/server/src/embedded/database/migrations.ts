/**
 * Forward only: entry N takes a database from version N to N + 1; a released entry never changes. The SQL also works on
 * PostgreSQL where possible; JSON is text; every row carries its workspace.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table settings (
    key text primary key,
    value text not null
  ) strict, without rowid;

  create table versions (
    id integer primary key,
    workspace text not null,
    doc_path text not null,
    path text not null,
    sha256 text,
    size_bytes integer not null,
    time text not null,
    origin text not null,
    change_set text
  ) strict;
  create index versions_by_path on versions (workspace, doc_path, id);
  create index versions_by_hash on versions (sha256, workspace);
  create index versions_by_change_set on versions (workspace, change_set) where change_set is not null;

  create table heads (
    workspace text not null,
    doc_path text not null,
    version integer not null references versions (id),
    primary key (workspace, doc_path)
  ) strict, without rowid;

  create table sessions (
    session text primary key,
    workspace text not null,
    title text not null,
    conversation text not null,
    state text not null,
    created text not null,
    updated text not null,
    holder text,
    epoch integer not null default 0,
    expires integer not null default 0
  ) strict, without rowid;
  create index sessions_by_workspace on sessions (workspace, updated);

  create table log (
    position integer primary key,
    session text not null,
    seq integer not null,
    conversation text not null,
    workspace text not null,
    type text not null,
    time text not null,
    tool_call text,
    body text not null
  ) strict;
  create unique index log_by_session on log (session, seq);
  create unique index log_one_result on log (session, tool_call) where type = 'tool_result';

  create table log_blobs (
    session text not null,
    sha256 text not null,
    workspace text not null,
    primary key (session, sha256)
  ) strict, without rowid;
  create index log_blobs_by_hash on log_blobs (sha256);

  create table inbox (
    position integer primary key autoincrement,
    session text not null,
    id text not null,
    workspace text not null,
    type text not null,
    time text not null,
    body text,
    unique (session, id)
  ) strict;
  create index inbox_waiting on inbox (session, position) where body is not null;

  create table batches (
    position integer primary key autoincrement,
    batch text not null unique,
    workspace text not null,
    tool_call text not null,
    body text not null,
    unique (workspace, tool_call)
  ) strict;

  create table patch_ids (
    id text primary key,
    batch text not null references batches (batch),
    workspace text not null
  ) strict, without rowid;

  create table fates (
    position integer primary key autoincrement,
    batch text not null references batches (batch),
    workspace text not null,
    target text not null,
    fate text not null,
    time text not null,
    reason text
  ) strict;
  create index fates_by_batch on fates (batch, position);
  `,
  // rows enter the index by session in bulk (log/log-index.ts)
  `
  create table log_index (
    session text not null,
    seq integer not null,
    position integer not null,
    primary key (session, seq)
  ) strict, without rowid;
  insert into log_index (session, seq, position) select session, seq, position from log order by session, seq;
  drop index log_by_session;

  create table log_indexed (
    position integer not null
  ) strict;
  insert into log_indexed (position) select coalesce(max(position), 0) from log;
  `,
  // one index entry covers many rows of a session (log/log-index.ts)
  `
  create table log_spans (
    session text not null,
    last integer not null,
    first integer not null,
    positions text not null,
    primary key (session, last)
  ) strict, without rowid;
  insert into log_spans (session, last, first, positions)
    select session, max(seq), min(seq), json_group_array(position order by seq)
    from log_index group by session, (seq - 1) / 512;
  drop table log_index;
  alter table log_indexed add column deletions integer not null default 0;
  `,
  // a session has a kind; a row is found by its subject (embedded/log/log-finder.ts)
  `
  alter table sessions add column kind text not null default 'work';
  update sessions set kind = 'standing' where session in (
    select session from (
      select session, row_number() over (partition by workspace order by created, session) as place
      from sessions where title = 'Standing session of the command line') as titled
    where place = 1);
  create unique index sessions_standing on sessions (workspace) where kind = 'standing';

  alter table log rename column tool_call to subject;
  update log set subject = json_extract(body, '$.tool_call_id') where type = 'call-start';
  update log set subject = json_extract(body, '$.turn_id') where type = 'assistant_message';

  create table open_calls (
    session text not null,
    tool_call text not null,
    position integer not null,
    primary key (session, tool_call)
  ) strict, without rowid;
  insert into open_calls (session, tool_call, position)
    select session, subject, max(position) from log as started
    where type = 'call-start' and position <= (select position from log_indexed)
      and not exists (select 1 from log as ended
        where ended.session = started.session and ended.subject = started.subject and ended.type = 'tool_result')
    group by session, subject;

  create table last_rows (
    session text not null,
    type text not null,
    position integer not null,
    primary key (session, type)
  ) strict, without rowid;
  insert into last_rows (session, type, position)
    select session, type, max(position) from log
    where type in ('run-start', 'conversation-start', 'context', 'assistant_message')
      and position <= (select position from log_indexed)
    group by session, type;

  create table answers (
    session text not null,
    turn text not null,
    position integer not null,
    primary key (session, turn)
  ) strict, without rowid;
  insert into answers (session, turn, position)
    select session, subject, max(position) from log
    where type = 'assistant_message' and position <= (select position from log_indexed)
    group by session, subject;
  `,
  // sessions are listed in the order of the log; one without a row, by the log's end when it was made
  `
  alter table sessions add column begun integer not null default 0;
  `,
  `
  create table search_files (
    workspace text not null,
    doc_path text not null,
    path text not null,
    sha256 text not null,
    size_bytes integer not null,
    modified text not null,
    language text not null,
    primary key (workspace, doc_path)
  ) strict, without rowid;

  create table search_chunks (
    id integer primary key,
    workspace text not null,
    doc_path text not null,
    place text not null,
    symbol text,
    line_start integer not null,
    line_end integer not null
  ) strict;
  create index search_chunks_by_path on search_chunks (workspace, doc_path);
  create index search_chunks_by_symbol on search_chunks (workspace, symbol collate nocase)
    where symbol is not null;

  create virtual table search_text using fts5 (name, text, parts, tokenize = 'porter unicode61');
  `,
  `
  create table access_tokens (
    position integer primary key autoincrement,
    token text not null unique,
    hash text not null unique,
    body text not null,
    revoked text,
    last_used text
  ) strict;
  create table access_use (
    token text not null,
    what text not null,
    period text not null,
    amount integer not null,
    primary key (token, what, period)
  ) strict, without rowid;
  create table decisions (
    position integer primary key autoincrement,
    workspace text,
    body text not null,
    outcome text,
    result text
  ) strict;
  create index decisions_by_workspace on decisions (workspace, position);
  `,
]
