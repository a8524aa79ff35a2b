-- The filter and column `standing` of the office's lists is called `status`, and affected people are notified, not told.
-- Saved views and merges that are still to run follow.
update saved_views set filters = (filters - 'standing') || jsonb_build_object('status',
    case filters->>'standing' when 'told' then '"notified"' else filters->'standing' end)
  where filters ? 'standing';
update saved_views set hidden = (hidden - 'standing') || '["status"]' where hidden ? 'standing';
update jobs set input = jsonb_set(input, '{merge}', (input->'merge') - array['stays', 'leaves', 'staysVersion', 'leavesVersion']
    || jsonb_build_object('target', input->'merge'->'stays', 'source', input->'merge'->'leaves',
      'targetVersion', input->'merge'->'staysVersion', 'sourceVersion', input->'merge'->'leavesVersion'))
  where kind = 'schools.merge' and state in ('waiting', 'running') and input->'merge' ? 'stays';
