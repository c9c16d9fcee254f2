WITH RECURSIVE under AS (
  SELECT sid, id AS top, id FROM words WHERE deprel IN ('obl', 'obj', 'iobj')
  UNION ALL
  SELECT c.sid, u.top, c.id FROM under u JOIN words c ON c.sid = u.sid AND c.head = u.id
)
SELECT DISTINCT q.sid
FROM words q
JOIN under u ON u.sid = q.sid AND u.id = q.id
WHERE q.feats LIKE '%Degree=Sup%' OR q.feats LIKE '%Degree=Cmp%'
ORDER BY q.sid
