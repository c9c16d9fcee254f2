SELECT DISTINCT s.sid
FROM words s
WHERE (s.deprel = 'nsubj' OR s.deprel LIKE 'nsubj:%')
  AND (
    EXISTS (
      SELECT 1 FROM words r
      WHERE r.sid = s.sid AND r.head = s.id AND r.deprel = 'acl:relcl')
    OR EXISTS (
      SELECT 1 FROM words m
      JOIN words r ON r.sid = m.sid AND r.head = m.id
      WHERE m.sid = s.sid AND m.head = s.id AND m.deprel = 'nmod' AND r.deprel = 'acl:relcl'))
ORDER BY s.sid
