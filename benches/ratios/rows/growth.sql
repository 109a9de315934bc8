-- Closed proposals as years of use leave them: asked, voted on, decided, collected, in the journal, and sealed.
-- Indexes are made again afterwards, which is what makes millions of rows a matter of minutes.
do $$
declare
    rebuild text[];
    statement text;
begin
    select array_agg(pg_get_indexdef(i.indexrelid)) into rebuild
    from pg_index i where i.indrelid in ('proposals'::regclass, 'events'::regclass) and not i.indisprimary;
    for statement in
        select format('drop index %s', i.indexrelid::regclass)
        from pg_index i where i.indrelid in ('proposals'::regclass, 'events'::regclass) and not i.indisprimary
    loop
        execute statement;
    end loop;
    -- No foreign key is asked about rows that are right by construction.
    set local session_replication_role = replica;

    create temporary table closed on commit drop as
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(salt, 1, 3) || '8' || substr(salt, 4, 15))::uuid as id,
        n, at, a.id as agent_id, a.lane_id, l.project_id, sha256(salt::bytea) as digest
    from (
        select n, md5(n::text) as salt, now() - (COUNT - n) * interval '2 seconds' - interval '1 hour' as at
        from generate_series(1, COUNT) n
    ) s
    join (select id, lane_id, row_number() over (order by id) - 1 as k from agents) a on a.k = s.n % 64
    join lanes l on l.id = a.lane_id
    order by n;

    insert into proposals (id, project_id, lane_id, agent_id, kind, action, risk, title, command, digest, status, version,
        created_at, closed_at, requirement, archived_at)
    select id, project_id, lane_id, agent_id, 'change', 'edit', 'medium', 'Retry the payment call, number ' || n,
        'cargo test -p payments', digest, case when n % 10 = 0 then 'rejected' else 'approved' end, 2, at,
        at + interval '1 minute',
        '{"votes": 1, "roles": ["approver", "admin"], "exclude": [], "reauth": false, "reason": false}',
        at + interval '2 minutes'
    from closed;
    insert into proposal_content (proposal_id, justification, body)
    select id, 'One retry with a pause covers it.', repeat('+    retry(call);' || chr(10), 10) from closed;
    insert into votes (proposal_id, user_id, outcome, digest, at)
    select c.id, u.id, case when n % 10 = 0 then 'rejected' else 'approved' end, c.digest, c.at + interval '1 minute'
    from closed c, (select id from users where name = 'berta') u;
    insert into decisions (proposal_id, outcome, source, decided_by, decided_at)
    select c.id, case when n % 10 = 0 then 'rejected' else 'approved' end, 'person', u.id, c.at + interval '1 minute'
    from closed c, (select id from users where name = 'berta') u;
    insert into receipts (proposal_id, notified_at, seen_at, collected_at)
    select id, at, at + interval '30 seconds', at + interval '70 seconds' from closed;
    insert into events (epoch, project_id, lane_id, proposal_id, version, kind, actor, payload, at)
    select 1, project_id, lane_id, id, step.version, step.kind, step.actor, '{"action": "edit", "kind": "change"}', at
    from closed, (values (1, 'proposal.created', 'agent:agent-1'), (2, 'proposal.decided', 'person:berta')) step (version, kind, actor);

    -- One block that says it covers them, or the server would spend the run on sealing them.
    insert into journal_blocks (height, upto_epoch, upto_xid, upto_id, row_count, row_hashes, prev_hash, hash, sealed_at)
    select coalesce(max(height), 0) + 1, 1, pg_current_xact_id(), (select max(id) from events), 1, decode(repeat('00', 64), 'hex'),
        decode(repeat('00', 32), 'hex'), decode(repeat('01', 32), 'hex'), now()
    from journal_blocks;

    foreach statement in array rebuild loop
        execute statement;
    end loop;
end $$
