WITH RECURSIVE under AS (
  SELECT sid, id AS top, id FROM words WHERE upos = 'VERB'
  UNION ALL
  SELECT c.sid, u.top, c.id FROM under u JOIN words c ON c.sid = u.sid AND c.head = u.id
)
SELECT DISTINCT v.sid
FROM words v
JOIN words g ON g.sid = v.sid AND g.head = v.id
JOIN under u ON u.sid = v.sid AND u.top = v.id
JOIN words d ON d.sid = u.sid AND d.id = u.id
WHERE v.upos = 'VERB'
  AND g.lemma = 'not'
  AND lower(d.form) IN ('any', 'anybody', 'anyone', 'anything', 'anywhere')
  AND d.id <> v.id AND g.id < d.id
  AND NOT EXISTS (
    SELECT 1 FROM words x
    WHERE x.sid = v.sid AND g.id < x.id AND x.id < d.id AND x.id <> v.id
      AND lower(x.form) IN ('no', 'nobody', 'none', 'nothing', 'nowhere'))
ORDER BY v.sid
