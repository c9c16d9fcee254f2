WITH RECURSIVE under AS (
  SELECT sid, id AS top, id FROM words WHERE deprel = 'nsubj'
  UNION ALL
  SELECT c.sid, u.top, c.id FROM under u JOIN words c ON c.sid = u.sid AND c.head = u.id
)
SELECT DISTINCT s.sid
FROM words s
JOIN words r ON r.sid = s.sid AND r.head = s.head
JOIN under u ON u.sid = s.sid AND u.top = s.id
JOIN words c ON c.sid = u.sid AND c.id = u.id
WHERE s.deprel = 'nsubj'
  AND r.feats LIKE '%Reflex=Yes%'
  AND c.deprel = 'acl:relcl'
  AND s.head <> 0
  AND s.id < c.id AND c.id < r.id
ORDER BY s.sid
